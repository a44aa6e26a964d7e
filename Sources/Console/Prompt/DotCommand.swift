import PrimereplLineEditing
import PrimereplPlatform
import PrimereplTerminal
import Scripting

/// A command of the prompt itself: a dot and a word, such as `.undo`.
struct DotCommand: Sendable {
  /// Without the dot.
  let name: String
  /// For completion.
  let argument: LuaAssistant.ArgumentKind
  /// The argument as help shows it, such as `[status]`; empty if the command takes none.
  let placeholder: String
  let help: String
  let run: @MainActor @Sendable (Prompt, _ argument: String) async throws -> Void

  init(
    _ name: String, _ argument: LuaAssistant.ArgumentKind = .none, _ placeholder: String = "",
    help: String,
    run: @escaping @MainActor @Sendable (Prompt, _ argument: String) async throws -> Void
  ) {
    self.name = name
    self.argument = argument
    self.placeholder = placeholder
    self.help = help
    self.run = run
  }

  /// In the order in which help lists them.
  static let groups = [
    ("Help and the prompt", general), ("The state", state), ("The history", history),
    ("Running code", running + reloading), ("Files", files),
  ]

  static let all = groups.flatMap { $0.1 }

  /// The command with its argument: ".jump k".
  var usage: String { placeholder.isEmpty ? ".\(name)" : ".\(name) \(placeholder)" }

  /// Optional arguments are in brackets.
  private var needsArgument: Bool {
    placeholder.split(separator: " ").contains { !$0.hasPrefix("[") }
  }

  /// A dot command as it was typed.
  struct Invocation: Equatable {
    let name: String
    /// Without the space around it.
    let argument: String

    /// Nil if the text is Lua.
    init?(_ text: String) {
      guard DotCommandLine(Array(text.utf8)) != nil else { return nil }
      let rest = text.drop(while: \.isWhitespace).dropFirst()
      name = String(rest.prefix { !$0.isWhitespace })
      argument = rest.dropFirst(name.count).trimmingWhitespace
    }
  }

  @MainActor
  static func run(_ invocation: Invocation, in prompt: Prompt) async throws {
    // As in other prompts.
    let name = invocation.name == "exit" ? "quit" : invocation.name
    guard let command = all.first(where: { $0.name == name }) else {
      throw CommandError.unknownDotCommand(invocation.name)
    }
    if command.placeholder.isEmpty, !invocation.argument.isEmpty {
      throw CommandError(description: "\(command.usage) takes no argument")
    }
    if command.needsArgument, invocation.argument.isEmpty {
      throw CommandError.usage(of: command)
    }
    try await command.run(prompt, invocation.argument)
  }

  /// The path that follows a command, which may be in quotes, as in Lua: `.load "a b.lua"`.
  static func path(_ argument: String) -> String {
    let bytes = argument.systemBytes
    guard bytes.count > 1, bytes.first == bytes.last,
      let contents = LuaStringLiteral.contents(of: bytes[...])
    else { return argument }
    return String(systemBytes: contents)
  }

  /// The number that follows a command, such as 7 in `.jump 7` and `.jump #7`.
  static func number(_ argument: some StringProtocol, in usage: String) throws(CommandError)
    -> Int
  {
    if let number = Int(argument.hasPrefix("#") ? argument.dropFirst() : argument[...]) {
      return number
    }
    throw .badNumber(String(argument), in: usage)
  }
}

extension CommandError {
  fileprivate static func unknownDotCommand(_ name: String) -> Self {
    let nearest = name.nearest(of: DotCommand.all.map(\.name))
    let advice = nearest.map { "did you mean .\($0)?" } ?? ".help lists them."
    return Self(description: "there is no command .\(name.printable); \(advice)")
  }

  fileprivate static func usage(of command: DotCommand) -> Self {
    Self(description: "usage: \(command.usage)")
  }

  static func badNumber(_ text: String, in usage: String) -> Self {
    Self(description: "\(usage) needs a whole number, not \(text.printable)")
  }
}
