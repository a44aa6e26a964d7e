import ArgumentParser
import Lua
import PrimereplFoundation
import PrimereplPlatform
import PrimereplTerminal
import Scripting
import StateStore

/// A call of one of the app's functions from the shell: `run start website --note "by phone"`.
@MainActor
struct FunctionCall: Sendable {
  private let module: LuaModule
  private let member: LuaMember
  private let arguments: [any LuaPushable]

  /// The word before the name of a function, where a script's path could be.
  nonisolated static let word = "run"

  /// The words are those after `run`: the name of a function, and its arguments.
  ///
  /// - Throws: `HelpRequest` if help was asked for; `ValidationError` for a name or an argument that is wrong.
  init(_ words: [String], of modules: [LuaModule]) throws {
    guard let name = words.first, !Self.isHelp(name) else {
      throw HelpRequest(text: Self.list(of: modules))
    }
    (module, member) = try Self.function(named: name, in: modules)
    do {
      arguments = try ShellArguments(Array(words.dropFirst()), of: member).values
    } catch is ShellArguments.HelpRequested {
      throw HelpRequest(text: Self.help(on: member, named: name))
    }
  }

  struct HelpRequest: Error {
    let text: String
  }

  fileprivate nonisolated static func isHelp(_ word: String) -> Bool {
    word == "--help" || word == "-h"
  }

  func run(in interpreter: Interpreter) async throws {
    let results: [LuaValue]
    do {
      results = try await interpreter.call(member.name, of: module.name, arguments)
    } catch let error as LuaError
      where error.is(.badArgument)
      && error.message.contains(" to '\(module.name).\(member.name)' (")
    {
      // Its types say more than a shell can check.
      Diagnostics.print(error.message)
      throw ExitCode.validationFailure
    }
    let shown = results.filter { $0 != .nil }
    guard !shown.isEmpty else { return }
    let formatter = try ValueFormatter(app: interpreter.app, state: interpreter.state)
    CurrentProcess.print(formatter.whole(of: shown, columns: CurrentProcess.terminalWidth ?? 80))
  }

  // MARK: - Names

  private static func function(
    named name: String, in modules: [LuaModule]
  ) throws -> (LuaModule, LuaMember) {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let found = modules.flatMap { module in
      module.documentation.filter {
        $0.isFunction && $0.name == parts.last.map(String.init)
          && (parts.count == 1 || parts.count == 2 && parts[0] == module.name)
      }.map { (module, $0) }
    }
    if found.count > 1 {
      let paths = found.map { "\($0.0.name).\(name)" }.joined(separator: " or ")
      throw ValidationError("several features have a function \(name): write \(paths)")
    }
    if let found = found.first { return found }
    let names = modules.flatMap { module in
      module.documentation.filter(\.isFunction).flatMap { ["\(module.name).\($0.name)", $0.name] }
    }
    throw ValidationError(
      "the app has no function '\(name.shortenedForMessage)'"
        + (name.suggestion(of: names) ?? "; \(CurrentProcess.name) run lists them"))
  }

  /// The names that can be typed after `run` and some words: of functions, or of a function's parameters.
  static func names(after words: [String], in modules: [LuaModule]) -> [String] {
    guard let name = words.first else {
      return modules.flatMap { $0.documentation.filter(\.isFunction).map(\.name) }
    }
    do {
      return try function(named: name, in: modules).1.parameters.map { "--\($0.optionName)" }
    } catch {
      // There is nothing to complete.
      return []
    }
  }

  // MARK: - Help

  private static func list(of modules: [LuaModule]) -> String {
    let groups = modules.compactMap { module -> String? in
      let functions = module.documentation.filter(\.isFunction)
      guard !functions.isEmpty else { return nil }
      return HelpSection(
        title: module.name,
        rows: functions.map {
          (([$0.name] + $0.parameters.map(\.placeholder)).joined(separator: " "), $0.help)
        }
      ).text
    }
    return (["USAGE: \(CurrentProcess.name) run <function> [<arguments> ...]"] + groups)
      .joined(separator: "\n\n")
  }

  private static func help(on member: LuaMember, named name: String) -> String {
    let words = [CurrentProcess.name, word, name] + member.parameters.map(\.placeholder)
    let parameters = member.parameters.map { parameter in
      ("--\(parameter.optionName)", parameter.typeInHelp)
    }
    return
      (["OVERVIEW: \(member.help)", "USAGE: \(words.joined(separator: " "))"]
      + (parameters.isEmpty ? [] : [HelpSection(title: "PARAMETERS", rows: parameters).text])
      + ["In Lua: \(member.example)"]).joined(separator: "\n\n")
  }
}

extension LuaParameter {
  fileprivate var optionName: String { name.replacing("_", with: "-") }

  /// In a usage: `<name>`, `[<name>]` or `[...]`.
  fileprivate var placeholder: String {
    let text = isVariadic ? "..." : "<\(optionName)>"
    return isOptional ? "[\(text)]" : text
  }

  fileprivate var typeInHelp: String {
    let type = required.name
    return defaultText.isEmpty
      ? type + (isOptional ? ", may be left out" : "") : "\(type), \(defaultText) by default"
  }
}

/// The arguments of a function as a shell gives them: in their order, or by name.
private struct ShellArguments {
  struct HelpRequested: Error {}

  /// In the order of the parameters.
  private(set) var values: [any LuaPushable] = []

  private let member: LuaMember
  /// By the parameters' names.
  private var named: [String: String] = [:]
  private var positional: [String] = []

  private var parameters: [LuaParameter] { member.parameters.filter { !$0.isVariadic } }

  init(_ words: [String], of member: LuaMember) throws {
    self.member = member
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        positional += rest
        break
      }
      if FunctionCall.isHelp(word) { throw HelpRequested() }
      if word.hasPrefix("--") {
        try readOption(word, &rest)
      } else {
        positional.append(word)
      }
    }
    for parameter in parameters {
      if let word = named[parameter.name] ?? (positional.isEmpty ? nil : positional.removeFirst()) {
        values.append(try value(word, of: parameter))
      } else {
        guard parameter.isOptional else {
          throw problem("<\(parameter.optionName)> is missing: \(parameter.typeInHelp)")
        }
        values.append(LuaValue.nil)
      }
    }
    guard positional.isEmpty || member.parameters.contains(where: \.isVariadic) else {
      throw problem("\(positional[0].shortenedForMessage.luaLiteral) is one argument too many")
    }
    values += positional.map { LuaString(bytes: $0.systemBytes) }
  }

  /// Reads an option, whose value may be the next word.
  private mutating func readOption(_ word: String, _ rest: inout ArraySlice<String>) throws {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let parameter = parameters.first(where: { $0.optionName == name || $0.name == name })
    else {
      throw problem(
        "there is no option --\(name.shortenedForMessage)"
          + (name.nearest(of: parameters.map(\.optionName)).map { ", but --\($0)" } ?? ""))
    }
    let isFlag =
      parameter.required == .named("boolean") && !["true", "false"].contains(rest.first)
    let attached: String? = parts.count == 2 ? "\(parts[1])" : isFlag ? "true" : nil
    guard let value = attached ?? rest.popFirst() else { throw problem("--\(name) needs a value") }
    guard named.updateValue(value, forKey: parameter.name) == nil else {
      throw problem("--\(name) is given twice")
    }
  }

  private func problem(_ text: String) -> ValidationError {
    ValidationError("\(member.name): \(text); see run \(member.name) --help")
  }

  private func value(_ word: String, of parameter: LuaParameter) throws -> any LuaPushable {
    if case .named("function") = parameter.required {
      throw problem("\(parameter.optionName) can't be given by a shell")
    }
    do throws(TypedTextError) {
      let argument = try parameter.argument(typed: word)
      // The bytes of the command line, which need not be UTF-8.
      return argument is String ? LuaString(bytes: word.systemBytes) : argument
    } catch {
      throw problem(
        "\(parameter.optionName): \(word.shortenedForMessage.luaLiteral) is no \(error.expected)")
    }
  }
}
