import Lua
import Platform
import StateStore

/// The vocabulary of files that declare features, in one state.
struct DeclaredVocabulary {
  /// The global variables of the files.
  let table: LuaTable

  private static let chunk = CompiledChunk(
    PackageResources.vocabulary_lua, name: .text("vocabulary"), isStripped: true)

  /// Makes the vocabulary of a state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - mark: The metatable of the values that the words make.
  ///   - modules: Finds the modules beside the file.
  ///   - declare: Gets the name and the declaration of each feature; the error of a mistake gets the file's line.
  /// - Throws: `LuaError` if the state is closed or out of memory.
  init(
    in state: LuaState, mark: LuaTable, modules: DeclaredModules,
    declare: @escaping (LuaValue, LuaValue) throws -> Void
  ) throws {
    let host = LuaModule("feature")
    host.function("declare", "name", "declaration") {
      (name: LuaValue, declaration: LuaValue) throws -> String? in
      do {
        try declare(name, declaration)
        return nil
      } catch let error as DeclarationError {
        return error.message
      }
    }
    host.function("fail", "code", "message") { (code: String, message: String) throws -> Void in
      guard StatePath.isName(code) else {
        throw DeclarationError(
          "bad_code", "\(code.luaLiteral) is no code of an error: write small letters and underscores")
      }
      throw DeclaredFailure(code: code, message: message)
    }
    host.function("require", "name") { (name: String) in try modules.require(name) }
    let functions = try state.makeTable(host)
    table = try Self.chunk.function(in: state).call(
      functions.get("declare", as: LuaFunction.self), functions.get("fail", as: LuaFunction.self),
      mark, as: LuaTable.self)
    try table.rawSet("require", to: functions.get("require", as: LuaFunction.self))
  }
}

/// Modules in the folder of a file that declares features, for `require`.
final class DeclaredModules {
  private let folder: String
  private weak var state: LuaState?
  private let environment: LuaTable?
  private var loaded: [String: LuaValue] = [:]
  /// The paths of the loaded modules.
  private(set) var paths: [String] = []

  /// - Parameters:
  ///   - path: The path of the file.
  ///   - state: The state into which modules are loaded.
  ///   - environment: The global variables of modules; nil for the state's.
  init(beside path: String, in state: LuaState, environment: LuaTable?) {
    folder = path.contains("/") ? String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) : ""
    (self.state, self.environment) = (state, environment)
  }

  /// The value of a module, which is loaded when it is first required.
  ///
  /// - Throws: `LuaError` if there is none, or it fails.
  func require(_ name: String) throws -> LuaValue {
    if let known = loaded[name] { return known }
    guard let state else { throw LuaError(.stateClosed, "the Lua state is closed") }
    let path = folder + name.replacing(".", with: "/")
    let found = ["\(path).lua", "\(path)/init.lua"].first { FileSystem.kind(of: $0) == .file }
    guard let found, !name.contains("/"), !name.contains("..") else {
      throw LuaError(
        .runtime, "module '\(name)' not found: there is neither \(path).lua nor \(path)/init.lua")
    }
    paths.append(found)
    let chunk = try state.load(contentsOf: found, environment: environment)
    let value = try chunk.call(name, as: LuaValue.self)
    loaded[name] = value == .nil ? true : value
    return loaded[name] ?? true
  }
}
