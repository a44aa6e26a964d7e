import Scripting

/// Keeps the local variables of a chunk's top level for the session, where they would be lost with the chunk.
///
/// A prompt runs each input as a chunk of its own. So a `local` at the top level of an input becomes an assignment to a
/// global variable, in the same place, unless that could change what the input does.
package enum SessionLocals {
  package struct Kept: Equatable, Sendable {
    /// The chunk to run; its lines keep their numbers.
    package let source: String
    /// The names of the variables that are global now, in their order.
    package let names: [String]
    /// The names of the variables that stay local, and so are lost.
    package let lost: [String]
  }

  /// Keeps the variables of a chunk that compiles, unless they are named like a global variable that must stay, such as
  /// `print` or a module.
  package static func keeping(_ source: String, isTaken: (String) -> Bool) -> Kept {
    let tokens = SourceTokens(Array(source.utf8))
    let statements = LocalStatement.all(in: tokens)
    var kept: [String] = []
    var lost: [String] = []
    var rewriting = Rewriting(tokens.bytes)
    let isUnclear = tokens.canRepeatTopLevel || tokens.tokens.contains { $0.text == "_ENV" }
    for statement in statements {
      let others = statements.filter { $0 != statement }.flatMap(\.names)
      let canBeKept =
        !isUnclear && !statement.hasAttributes
        && Set(statement.names).count == statement.names.count
        && statement.names.allSatisfy { !isTaken($0) && !others.contains($0) }
        && !statement.isCapturedEarlier
      guard canBeKept else {
        lost += statement.names.filter { !lost.contains($0) }
        continue
      }
      kept += statement.names
      rewriting.blank(tokens.tokens[statement.index].range)
      if statement.needsValue { rewriting.insert(" = nil", at: statement.namesEnd) }
    }
    guard !kept.isEmpty else { return Kept(source: source, names: [], lost: lost) }
    return Kept(source: rewriting.text, names: kept, lost: lost)
  }

  /// Changes of bytes, made from the first to the last.
  private struct Rewriting {
    private var bytes: [UInt8]
    private var shift = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func blank(_ range: Range<Int>) {
      for index in range { bytes[index + shift] = UInt8(ascii: " ") }
    }

    mutating func insert(_ text: String, at offset: Int) {
      bytes.insert(contentsOf: text.utf8, at: offset + shift)
      shift += text.utf8.count
    }
  }
}

/// A `local` statement at the top level of a chunk.
private struct LocalStatement: Equatable {
  /// The index of the word `local`.
  let index: Int
  let names: [String]
  let hasAttributes: Bool
  /// Whether it gives the variables no values.
  let needsValue: Bool
  /// The offset of the end of the names.
  let namesEnd: Int
  /// Whether a function that was defined before the variables exist uses their names: it means global variables.
  var isCapturedEarlier = false

  static func all(in source: SourceTokens) -> [LocalStatement] {
    var statements: [LocalStatement] = []
    var scopes = LuaScopes(source, before: 0)
    // The names that functions so far use for global variables, and the last statement, whose variables don't exist yet
    // while its values are computed.
    var captured: Set<String> = []
    for index in source.tokens.indices {
      scopes.read(index)
      if scopes.isAtTopLevel, source.isWord(index, "local") {
        if var statement = LocalStatement(at: index, of: source) {
          statement.isCapturedEarlier = !captured.isDisjoint(with: statement.names)
          statements.append(statement)
        }
      } else if scopes.isInFunction, let name = source.name(index), !scopes.isInner(name),
        !source.isField(index, in: scopes)
      {
        captured.insert(name)
        if let last = statements.last, last.names.contains(name), scopes.isPending(name) {
          statements[statements.count - 1].isCapturedEarlier = true
        }
      }
    }
    return statements
  }

  private init?(at index: Int, of source: SourceTokens) {
    self.index = index
    if source.isWord(index + 1, "function") {
      guard let name = source.name(index + 2) else { return nil }
      (names, hasAttributes, needsValue) = ([name], false, false)
      namesEnd = source.tokens[index + 2].range.upperBound
      return
    }
    let (names, end) = source.names(from: index + 1)
    guard !names.isEmpty, let last = source.token(end - 1) else { return nil }
    self.names = names
    hasAttributes = source.tokens[index + 1..<end].contains { $0.text == "<" }
    needsValue = !source.isAssignment(end)
    namesEnd = last.range.upperBound
  }
}

extension SourceTokens {
  /// Whether a name is that of a field: after a dot or colon, or before `=` in a table constructor.
  fileprivate func isField(_ index: Int, in scopes: LuaScopes) -> Bool {
    isMember(index) || (scopes.isInBrackets && isAssignment(index + 1))
  }

  /// Whether the top level has a label, to which a `goto` can jump back.
  fileprivate var canRepeatTopLevel: Bool {
    var scopes = LuaScopes(self, before: 0)
    return tokens.indices.contains { index in
      scopes.read(index)
      return scopes.isAtTopLevel && isSymbol(index, ":") && !isSingle(index, ":")
    }
  }
}
