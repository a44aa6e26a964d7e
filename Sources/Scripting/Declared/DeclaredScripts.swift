import Lua
import StateStore

/// The code of declarations that runs in the state of the scripts: the functions of features, and what their requests ask.
///
/// The files are loaded when one of them is first called.
final class DeclaredScripts {
  private let files: [DeclaredFile]
  private weak var state: LuaState?
  /// The declarations of the features by name; nil before the files are loaded.
  private var declarations: [String: LuaTable]?

  init(_ files: [DeclaredFile], in state: LuaState) { (self.files, self.state) = (files, state) }

  /// A function in the part "functions" of a feature's declaration, or the `ask` of a request in "requests".
  ///
  /// - Throws: `LuaError` if a file fails now, though it could be loaded before.
  func function(_ name: String, in part: String, of feature: String) throws -> LuaFunction {
    let table = try loaded()[feature]?.rawGet(part, as: LuaTable.self).rawGet(name)
    switch table {
    case .function(let function): return function
    case .table(let marked):
      let content = try marked.rawGet("content", as: LuaTable.self)
      guard part == "functions" else {
        return try content.rawGet("ask", as: LuaFunction.self)
      }
      // The parameters stand before it.
      for position in 1...max(1, try content.rawLength()) {
        if case .function(let function) = try content.rawGet(position) { return function }
      }
    default: break
    }
    throw LuaError(.runtime, "\(feature).\(name) isn't declared when the file is loaded again")
  }

  private func loaded() throws -> [String: LuaTable] {
    if let declarations { return declarations }
    guard let state else { throw LuaError.closed }
    var found: [String: LuaTable] = [:]
    var isLoading = true
    defer { isLoading = false }
    for file in files {
      let vocabulary = try DeclarationFunctions(
        of: file, in: state, mark: state.makeTable(), checking: nil
      ) {
        guard isLoading else { return .tooLate }
        if case (.string(let name), .table(let table)) = ($0, $1) {
          found[name.description] = table
        }
        return nil
      }
      try vocabulary.run(file, in: state)
    }
    declarations = found
    return found
  }
}
