import Platform
import Scripting

/// A name that doesn't exist, as an error's message tells.
struct UnknownName: Equatable {
  enum Kind: Equatable {
    case global, field, method
  }

  let name: String
  let kind: Kind

  /// The names that the message itself lists; nil if it lists none.
  var listedNames: [String]?

  /// The message without the list of names.
  let summary: String

  /// The number of bytes from which on a message isn't searched for a name.
  private static let maximumLength = 10_000

  /// Finds the name in a message, which may begin with a place; nil for other messages.
  init?(in message: String) {
    guard message.utf8.count < Self.maximumLength else { return nil }
    if let match = message.wholeMatch(
      of: /(?:.*:\d+: )?attempt to .*a nil value \((\w+) '(\w+)'\)/)
    {
      switch match.1 {
      case "global": kind = .global
      case "field": kind = .field
      case "method": kind = .method
      default: return nil
      }
      name = String(match.2)
      summary = message
    } else if let match = message.wholeMatch(
      of:
        /(?<summary>(?:.*:\d+: )?\S+ has no field '(?<name>\w+)')(?:; did you mean '\w+'\?|\.) It has: (?<names>.*)/
    ) {
      name = String(match.name)
      kind = .field
      listedNames = match.names.split(separator: ", ").map(String.init)
      summary = String(match.summary)
    } else {
      return nil
    }
  }
}

/// The names in a source: where they are, and what they are fields of.
struct SourceNames {
  private let source: [UInt8]
  private let tokens: [LuaTokens.Token]

  /// - Parameter text: A source in any bytes (see `String.init(systemBytes:)`).
  init(_ text: String) {
    source = text.systemBytes
    // Unary operators and comments aren't part of an expression such as `a.b`.
    tokens = Array(LuaTokens(source))
  }

  /// Whether the source has a function of its own.
  var hasFunction: Bool { tokens.contains { $0.kind == .word && $0.text == "function" } }

  /// What a name is a field or method of: `a.b` for `c` in `a.b.c`.
  enum Owner: Hashable {
    case none
    case path([String])
    case string
    /// A call or another expression.
    case other
  }

  /// The owners of the fields or methods of a name on a line, each once; the owner of a global variable is `none`.
  func owners(of name: String, onLine line: Int) -> [Owner] {
    var owners: [Owner] = []
    for index in occurrences(of: name, onLine: line) {
      let owner = owner(of: index)
      if !owners.contains(owner) { owners.append(owner) }
    }
    return owners
  }

  /// The source with another name in place of one on a line, wherever it is a field or method of the owner.
  func replacing(_ name: String, of owner: Owner, onLine line: Int, with other: String) -> String {
    var replaced = source
    for index in occurrences(of: name, onLine: line).reversed() where self.owner(of: index) == owner
    {
      replaced.replaceSubrange(tokens[index].range, with: other.utf8)
    }
    return String(systemBytes: replaced)
  }

  private func occurrences(of name: String, onLine line: Int) -> [Int] {
    tokens.indices.filter {
      tokens[$0].line == line && tokens[$0].kind == .word && tokens[$0].text == name && !isKey($0)
    }
  }

  /// Whether a name is a key in a table's constructor: `{ name = 1 }`.
  private func isKey(_ index: Int) -> Bool {
    guard symbol(index + 1) == "=", symbol(index + 2) != "=", let before = symbol(index - 1) else {
      return false
    }
    return before == "{" || before == "," || before == ";"
  }

  private func owner(of index: Int) -> Owner {
    var path: [String] = []
    var index = index
    while isMember(index) {
      let owner = index - 2
      guard tokens.indices.contains(owner) else { return .other }
      switch tokens[owner].kind {
      case .word: path.insert(tokens[owner].text, at: 0)
      case .string: return path.isEmpty ? .string : .other
      default: return isStringInParentheses(endingAt: owner) && path.isEmpty ? .string : .other
      }
      index = owner
    }
    return path.isEmpty ? .none : .path(path)
  }

  /// Whether a dot or colon stands before a name, and not `..` or `::`.
  private func isMember(_ index: Int) -> Bool {
    guard let sign = symbol(index - 1), sign == "." || sign == ":" else { return false }
    return symbol(index - 2) != sign
      || tokens[index - 2].range.upperBound != tokens[index - 1].range.lowerBound
  }

  private func isStringInParentheses(endingAt index: Int) -> Bool {
    symbol(index) == ")" && symbol(index - 2) == "(" && tokens[index - 1].kind == .string
  }

  private func symbol(_ index: Int) -> String? {
    guard tokens.indices.contains(index), tokens[index].kind == .symbol else { return nil }
    return tokens[index].text
  }
}

/// The name that was meant in place of an unknown one, and the source with it.
struct NameSuggestion: Equatable {
  let name: String
  /// Nil if the source has the name on no line, or the error is elsewhere.
  var correctedSource: String?

  /// Finds the nearest name.
  ///
  /// - Parameters:
  ///   - unknown: The unknown name.
  ///   - source: The source in which the error is; nil if it isn't known.
  ///   - line: The line of the error.
  ///   - names: The names that exist.
  @MainActor
  init?(for unknown: UnknownName, in source: SourceNames?, line: Int?, _ names: KnownNames) {
    var owners: [SourceNames.Owner] = []
    if let source, let line {
      owners = source.owners(of: unknown.name, onLine: line)
        .filter { ($0 == .none) == (unknown.kind == .global) }
    }
    for owner in owners {
      let candidates = unknown.listedNames ?? Self.candidates(for: unknown, of: owner, names)
      guard let name = unknown.name.nearest(of: candidates) else { continue }
      self.name = name
      if let source, let line {
        correctedSource = source.replacing(unknown.name, of: owner, onLine: line, with: name)
      }
      return
    }
    let candidates = unknown.listedNames ?? Self.candidates(for: unknown, of: .other, names)
    guard owners.isEmpty, let name = unknown.name.nearest(of: candidates) else {
      return nil
    }
    self.name = name
  }

  @MainActor
  private static func candidates(
    for unknown: UnknownName, of owner: SourceNames.Owner, _ names: KnownNames
  ) -> [String] {
    switch (unknown.kind, owner) {
    case (.global, _): names.globals
    case (.field, .path(let path)): names.members(of: path)
    case (.method, .path(let path)):
      // A local variable mostly has a string if it has methods, but isn't an object of the app.
      names.members(of: path) + names.stringMethods
    case (.field, .string), (.method, _): names.stringMethods
    case (.field, _): []
    }
  }
}
