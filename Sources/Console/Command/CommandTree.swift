import ArgumentParser
import PrimereplFoundation

/// The parser's description of a command, of which these parts are used.
struct CommandTree: Decodable {
  let commandName: String
  let shouldDisplay: Bool
  let abstract: String?
  let discussion: String?
  let subcommands: [CommandTree]?
  let arguments: [CommandArgument]?

  /// Throws `DecodingError` if the parser's format isn't the expected one.
  static func of(_ command: any ParsableCommand.Type) throws -> CommandTree {
    struct Description: Decodable {
      let command: CommandTree
    }
    return try JSONDecoder().decode(Description.self, from: Data(command._dumpHelp().utf8)).command
  }

  /// Such as `test [options] [paths ...]`.
  var synopsis: String {
    let operands = (arguments ?? []).filter { $0.kind == "positional" && $0.shouldDisplay }
    return ([commandName, "[options]"] + operands.map(\.operand)).joined(separator: " ")
  }
}

/// An option, a flag or an operand of a command.
struct CommandArgument: Decodable {
  struct Name: Decodable {
    let kind: String
    let name: String

    var text: String { (kind == "long" ? "--" : "-") + name }
  }

  let kind: String
  let shouldDisplay: Bool
  let isOptional: Bool
  let isRepeating: Bool
  let names: [Name]?
  let valueName: String?
  let abstract: String?
  let discussion: String?

  /// Such as `-j` and `--jobs`.
  var spellings: [String] { (names ?? []).map(\.text) }

  /// In the synopsis of the command: `[paths ...]`.
  var operand: String {
    let text = (valueName ?? "") + (isRepeating ? " ..." : "")
    return isOptional ? "[\(text)]" : text
  }

  /// Such as `-j, --jobs n`.
  var synopsis: String {
    let names = spellings.sorted { $0.count < $1.count }.joined(separator: ", ")
    return [names, kind == "flag" ? "" : valueName ?? ""].filter { !$0.isEmpty }
      .joined(separator: " ")
  }
}
