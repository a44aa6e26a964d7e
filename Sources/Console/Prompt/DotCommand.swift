import LineEditing

/// A command of the prompt itself: a dot and a word, such as `.undo`.
struct DotCommand: Sendable {
  /// What follows a command's name, for help and completion.
  enum Argument: Sendable {
    case none
    /// A text, which help names.
    case text(String)
    case code
    case module
    case statePath
    case file

    /// What completion offers for it.
    var kind: LuaAssistant.ArgumentKind {
      switch self {
      case .none, .text: .none
      case .code: .code
      case .module: .name
      case .statePath: .statePath
      case .file: .file
      }
    }
  }

  let name: String
  let argument: Argument
  let help: String
  let run: @MainActor @Sendable (Prompt, _ argument: String) async throws -> Void

  init(
    _ name: String, _ argument: Argument = .none, help: String,
    run: @escaping @MainActor @Sendable (Prompt, _ argument: String) async throws -> Void
  ) {
    self.name = name
    self.argument = argument
    self.help = help
    self.run = run
  }

  /// All commands, in the order in which help lists them.
  static let all = general + state + history + running + files

  /// How the command is typed: ".jump k".
  var usage: String {
    switch argument {
    case .none: ".\(name)"
    case .text(let text): ".\(name) \(text)"
    case .code: ".\(name) code"
    case .module: ".\(name) [name]"
    case .statePath: ".\(name) [path]"
    case .file: ".\(name) file"
    }
  }

  /// A dot command as it was typed.
  struct Invocation: Equatable {
    let name: String
    /// What follows the name, without the space around it.
    let argument: String

    /// Parses an input; nil if it is Lua, where a dot is followed by a digit or another dot.
    init?(_ text: String) {
      let line = text.drop(while: \.isWhitespace)
      guard line.first == ".", let letter = line.dropFirst().first, letter.isLetter else {
        return nil
      }
      let rest = line.dropFirst()
      name = String(rest.prefix { !$0.isWhitespace })
      argument = rest.dropFirst(name.count).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// Runs a command that was typed.
  ///
  /// - Throws: ``DotCommandError`` if there is no such command, or the error of the command.
  @MainActor
  static func run(_ invocation: Invocation, in prompt: Prompt) async throws {
    guard let command = all.first(where: { $0.name == invocation.name }) else {
      throw DotCommandError.unknown(invocation.name)
    }
    if case .none = command.argument, !invocation.argument.isEmpty {
      throw DotCommandError.unexpectedArgument(of: command)
    }
    try await command.run(prompt, invocation.argument)
  }

  /// The number that follows a command, such as 7 in `.jump 7` and `.jump #7`.
  ///
  /// - Parameters:
  ///   - argument: What follows the command.
  ///   - name: The command's name.
  ///   - usage: How the command is typed.
  /// - Returns: The number.
  /// - Throws: ``DotCommandError`` if there is none.
  static func number(
    _ argument: String, of name: String, _ usage: String
  ) throws(DotCommandError) -> Int {
    guard !argument.isEmpty else { throw .missingArgument(of: name, usage) }
    guard let number = Int(argument.hasPrefix("#") ? argument.dropFirst() : argument[...]) else {
      throw .badNumber(argument, in: usage)
    }
    return number
  }
}

/// A dot command that was typed wrongly.
struct DotCommandError: Error, Equatable, CustomStringConvertible {
  let description: String

  static func unknown(_ name: String) -> Self {
    let nearest = name.nearest(of: DotCommand.all.map(\.name))
    let advice = nearest.map { "did you mean .\($0)?" } ?? ".help lists them."
    return Self(description: "there is no command .\(name.shownOnOneLine); \(advice)")
  }

  static func unexpectedArgument(of command: DotCommand) -> Self {
    Self(description: "\(command.usage) takes nothing after it")
  }

  static func missingArgument(of name: String, _ usage: String) -> Self {
    Self(description: "\(usage): what follows .\(name) is missing")
  }

  static func badNumber(_ text: String, in usage: String) -> Self {
    Self(description: "\(usage) needs a whole number, not \(text.shownOnOneLine)")
  }
}
