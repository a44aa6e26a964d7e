package import Lua
import Scripting

/// A name that doesn't exist, from an error's message.
struct UnknownName: Equatable {
  enum Kind: Substring {
    case global, field, method
  }

  let name: String
  let kind: Kind

  var listedNames: [String]?

  /// The message without the list of names.
  let summary: String

  /// The number of bytes from which on a message isn't searched for a name.
  private static let maximumLength = 10_000

  /// The message may begin with a place.
  init?(in message: String) {
    guard message.utf8.count < Self.maximumLength else { return nil }
    if let match = message.wholeMatch(
      of: /(?:.*:\d+: )?attempt to .*a nil value \((\w+) '(\w+)'\)/)
    {
      guard let kind = Kind(rawValue: match.1) else { return nil }
      self.kind = kind
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

/// The name that was meant in place of an unknown one, and the source with it.
@MainActor
struct NameSuggestion {
  let name: String
  /// The source with the name; nil if the error isn't in the source.
  var correctedSource: String?

  /// `source` and `line` are nil if it isn't known where the error is.
  init?(for unknown: UnknownName, in source: SourceTokens?, line: Int?, _ names: KnownNames) {
    let places = source.map { $0.indices(of: unknown, onLine: line) } ?? []
    guard let source, !places.isEmpty else {
      guard let name = unknown.name.nearest(of: names.names(for: unknown)) else { return nil }
      self.name = name
      return
    }
    for place in places {
      let candidates = names.names(for: unknown, at: place, in: source)
      guard let name = unknown.name.nearest(of: candidates) else { continue }
      self.name = name
      var bytes = source.bytes
      for other in places.reversed()
      where unknown.kind == .global || source.owner(of: other) == source.owner(of: place) {
        bytes.replaceSubrange(source.tokens[other].range, with: name.utf8)
      }
      correctedSource = String(decoding: bytes, as: UTF8.self)
      return
    }
    return nil
  }
}

/// The names that code can use, read without running any of its code.
@MainActor
package struct KnownNames {
  let state: LuaState
  private let modules: [LuaModule]

  package init(state: LuaState, modules: [LuaModule]) {
    (self.state, self.modules) = (state, modules)
  }

  /// The names that could be meant by an unknown one, in any order; `index` is that of its token, if that is known.
  func names(
    for unknown: UnknownName, at index: Int? = nil, in source: SourceTokens = SourceTokens([])
  ) -> [String] {
    if let listed = unknown.listedNames { return listed }
    let finder = LuaSubjectFinder(
      state: state, modules: modules, scopes: LuaScopes(source, before: index))
    do throws(LuaError) {
      var subject: LuaSubject?
      if unknown.kind == .global {
        subject = .value(.table(try state.globals()), path: nil)
      } else if let index, let owner = source.owner(of: index) {
        subject = try finder.subject(of: owner)
      }
      // A value that isn't known is mostly a string if it has methods.
      if unknown.kind == .method { subject = subject ?? .string }
      guard let subject else { return [] }
      let members = try finder.names(of: subject)
        .filter { LuaTokens.isName($0) }.map { String(decoding: $0, as: UTF8.self) }
      return unknown.kind == .global ? finder.scopes.names + members : members
    } catch {
      // The state is closed or has no memory left: there is nothing to suggest.
      return []
    }
  }
}

extension SourceTokens {
  fileprivate func indices(of unknown: UnknownName, onLine line: Int?) -> [Int] {
    tokens.indices.filter { index in
      tokens[index].line == line && isWord(index, unknown.name) && !isKey(index)
        && isMember(index) == (unknown.kind != .global)
    }
  }

  /// The expression that a name is a member of.
  fileprivate func owner(of index: Int) -> LuaExpression? { expression(endingAt: index - 2) }

  /// Whether a name is a key in a table's constructor: `{ name = 1 }`.
  private func isKey(_ index: Int) -> Bool {
    isAssignment(index + 1)
      && (isSymbol(index - 1, "{") || isSymbol(index - 1, ",") || isSymbol(index - 1, ";"))
  }
}
