import Lua

/// Finds completions for the name being typed.
@MainActor
final class Completer {
  private let state: LuaState
  private let modules: [LuaModule]

  private static let keywords = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  init(state: LuaState, modules: [LuaModule]) {
    self.state = state
    self.modules = modules
  }

  /// The names, with their paths, that begin with the end of the line.
  func candidates(for line: String) -> [String] {
    let word = String(
      line.reversed().prefix { $0.isLetter || $0.isNumber || "_.:".contains($0) }.reversed())
    guard !word.isEmpty else { return [] }
    do throws(LuaError) {
      return try names(continuing: word).filter { $0.hasPrefix(word) }
    } catch {
      // Memory is short, so there is nothing to offer.
      return []
    }
  }

  private func names(continuing word: String) throws(LuaError) -> [String] {
    guard let separator = word.lastIndex(where: { $0 == "." || $0 == ":" }) else {
      return try Self.keywords + names(in: state.globals())
    }
    let path = word[..<separator].split(whereSeparator: { $0 == "." || $0 == ":" }).map(String.init)
    // The text before may be a call or an index, whose value isn't known.
    guard !path.isEmpty else { return [] }
    return try members(at: path).map { word[...separator] + $0 }
  }

  /// The names of the members at a path from the globals, looked up in plain tables only, so that no code runs.
  private func members(at path: [String]) throws(LuaError) -> [String] {
    if let module = modules.first(where: { [$0.name] == path || ["app", $0.name] == path }) {
      return module.documentation.map(\.name)
    }
    var table = try state.globals()
    for name in path {
      let entry = try table.entries().first { $0.key == .string(LuaString(name)) }
      guard case .table(let next) = entry?.value else { return [] }
      table = next
    }
    return try names(in: table)
  }

  private func names(in table: LuaTable) throws(LuaError) -> [String] {
    try table.entries().compactMap { entry in
      guard case .string(let name) = entry.key else { return nil }
      return Self.fieldName(name.bytes)
    }
  }

  /// The text of a key that can be typed after a dot; nil for other keys, which may even contain control characters.
  static func fieldName(_ key: [UInt8]) -> String? {
    func isLetter(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }
    guard key.count <= longestName, let first = key.first, isLetter(first),
      key.allSatisfy({ isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    let name = String(decoding: key, as: UTF8.self)
    return keywords.contains(name) ? nil : name
  }

  /// The length of the longest name that is offered; a longer one would fill the screen.
  private static let longestName = 200
}
