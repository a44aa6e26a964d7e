package import Lua
package import PrimereplLineEditing
import PrimereplPlatform

/// A function as hints and completions show it.
package struct CallSignature: Equatable, Sendable {
  /// The name with its module or object: `counter.increment`, `task:await`.
  package var name: String
  var parameters: [LuaParameter]
  /// The types of the results; empty if there are none.
  var results: String
  /// One line of help; empty if there is none.
  package var help: String

  /// `owner` is the text before the function's name, such as `counter.`.
  package init(of member: LuaMember, owner: String) {
    name = owner + member.name
    parameters = member.parameters
    results = member.types.joined(separator: ", ")
    help = member.help
  }

  /// The signature of a function written in Lua, with the place of its definition as help.
  package init(of definition: LuaFunctionDefinition, name: String) {
    self.name = name
    let names = definition.parameters + (definition.isVariadic ? ["..."] : [])
    parameters = names.map { LuaParameter(name: $0, type: .unknown) }
    results = ""
    help = definition.place
  }

  /// The signature without its first parameter, which a call with a colon passes.
  var asMethod: Self {
    var signature = self
    if signature.parameters.first?.isVariadic == false { signature.parameters.removeFirst() }
    return signature
  }

  func parameter(at position: Int) -> LuaParameter? {
    if parameters.indices.contains(position) { return parameters[position] }
    return parameters.last?.isVariadic == true ? parameters.last : nil
  }

  package func styled(marking current: Int? = nil) -> StyledText {
    let marked = current.flatMap { parameter(at: $0) }
    var text = StyledText(name + "(")
    for (position, parameter) in parameters.enumerated() {
      if position > 0 { text.append(", ") }
      text.append(
        parameter.text, parameter == marked ? Style(bold: true, underlined: true) : .plain)
    }
    text.append(results.isEmpty ? ")" : "): \(results)")
    if !help.isEmpty { text.append("  " + help, .dim) }
    return text
  }
}

// MARK: - Completing arguments

extension CallSignature {
  /// The kinds of text that a parameter takes and that can be completed.
  enum TextKind {
    case file
    case statePath
    /// The name of a module or a member.
    case documentedName
  }

  /// The names of the parameters of Lua's library that take files.
  private static let fileParameters: Set<String> = ["filename", "oldname", "newname"]
  /// The names by which the documentation calls texts that name files, if its help speaks of files.
  private static let sourceParameters: Set<String> = ["path", "source", "file"]

  func textKind(at position: Int) -> TextKind? {
    guard let parameter = parameter(at: position) else { return nil }
    if name == "help" { return .documentedName }
    if Self.fileParameters.contains(parameter.name) { return .file }
    guard Self.sourceParameters.contains(parameter.name) else { return nil }
    if help.lowercased().contains("file") { return .file }
    return parameter.name == "path" ? .statePath : nil
  }

  /// The names of the fields, if the argument is a table of options.
  func fieldNames(at position: Int) -> [String] {
    options(at: position).map(\.name)
  }

  /// The texts that the argument at a position can be; empty if it can be any.
  func values(at position: Int) -> [String] {
    parameter(at: position)?.texts ?? []
  }

  func values(of field: String, at position: Int) -> [String] {
    options(at: position).first { $0.name == field }?.texts ?? []
  }

  private func options(at position: Int) -> [LuaParameter] {
    parameter(at: position)?.options ?? []
  }
}

extension LuaParameter {
  fileprivate var texts: [String] { if case .oneOf(let texts) = required { texts } else { [] } }
}

extension LuaFunctionDefinition {
  /// The chunk and line, as in Lua's messages: `input 2:3`, `[string "return 1"]`.
  package var place: String {
    let line = firstLine == 0 ? "" : ":\(firstLine)"
    guard let mark = chunkName.first, mark == "@" || mark == "=" else {
      // The name of a chunk that `load` compiled is its text.
      let first = chunkName.prefix { !$0.isNewline }
      let isShortened = first.count > 40 || first.endIndex < chunkName.endIndex
      let text = first.prefix(40).description.printable + (isShortened ? "..." : "")
      return "[string \"\(text)\"]\(line)"
    }
    return chunkName.dropFirst().description.printable + line
  }
}
