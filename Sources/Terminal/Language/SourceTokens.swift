package import Scripting

/// The tokens of a text that is being typed, with what the questions about it have in common.
package struct SourceTokens {
  package typealias Token = LuaTokens.Token

  package let bytes: [UInt8]
  package let tokens: [Token]
  let comments: [Token]
  /// Whether the text ends within a comment, so that what is typed there is a part of it.
  let endsInComment: Bool

  package init(_ bytes: [UInt8], isFile: Bool = false) {
    self.bytes = bytes
    let all = Array(LuaTokens(bytes, isFile: isFile, includingComments: true))
    tokens = all.filter { $0.kind != .comment }
    comments = all.filter { $0.kind == .comment }
    guard let last = all.last, last.kind == .comment else {
      endsInComment = false
      return
    }
    let isLong = bytes[last.range].last == UInt8(ascii: "]") && !last.isUnfinished
    endsInComment = last.isUnfinished || (last.range.upperBound == bytes.count && !isLong)
  }

  /// The string in quotes or long brackets within which the text ends; nil if it doesn't.
  var openString: Token? {
    guard !endsInComment, let last = tokens.last, last.kind == .string, last.isUnfinished,
      last.range.upperBound == bytes.count
    else { return nil }
    return last
  }

  /// Nil outside the text.
  package func token(_ index: Int) -> Token? {
    tokens.indices.contains(index) ? tokens[index] : nil
  }

  package func bytes(of token: Token) -> ArraySlice<UInt8> { bytes[token.range] }

  // MARK: - Kinds of token

  package func isWord(_ index: Int, _ text: String) -> Bool {
    guard let token = token(index) else { return false }
    return token.kind == .word && token.text == text
  }

  func isSymbol(_ index: Int, _ text: String) -> Bool {
    guard let token = token(index) else { return false }
    return token.kind == .symbol && token.text == text
  }

  /// Whether the token is a symbol that isn't a part of an operator of the same symbols, such as `..` or `::`.
  func isSingle(_ index: Int, _ text: String) -> Bool {
    isSymbol(index, text) && !isJoined(index - 1, text, index) && !isJoined(index, text, index + 1)
  }

  /// Whether the token comes after a dot or colon, as the name of a member does.
  package func isMember(_ index: Int) -> Bool {
    isSingle(index - 1, ".") || isSingle(index - 1, ":")
  }

  private func isJoined(_ first: Int, _ text: String, _ second: Int) -> Bool {
    guard isSymbol(first, text), isSymbol(second, text) else { return false }
    return tokens[first].range.upperBound == tokens[second].range.lowerBound
  }

  /// Whether the token is the `=` of an assignment or a definition.
  func isAssignment(_ index: Int) -> Bool {
    guard isSingle(index, "="), let before = token(index - 1) else { return false }
    return before.kind != .symbol || before.range.upperBound < tokens[index].range.lowerBound
      || !["<", ">", "~"].contains(before.text)
  }

  /// The name at an index; nil for a keyword and for anything else.
  package func name(_ index: Int) -> String? {
    guard let token = token(index), token.kind == .word, !LuaTokens.keywords.contains(token.text)
    else { return nil }
    return token.text
  }

  /// Whether an index or a call can follow the token: a name, a string, or the end of brackets.
  func endsPrefix(_ index: Int) -> Bool {
    guard let token = token(index) else { return false }
    return switch token.kind {
    case .word: !LuaTokens.keywords.contains(token.text)
    case .string: !token.isUnfinished
    case .symbol: [")", "]", "}"].contains(token.text)
    case .number, .comment: false
    }
  }

  /// Whether an expression can end with the token.
  func endsOperand(_ index: Int) -> Bool {
    guard let token = token(index) else { return false }
    if endsPrefix(index) || token.kind == .number { return true }
    return token.kind == .word
      ? ["end", "nil", "true", "false"].contains(token.text)
      : isSymbol(index, ".") && isSymbol(index - 1, ".") && isSymbol(index - 2, ".")
  }

  /// Whether the token begins a statement after one that ended before it, rather than continuing that.
  func beginsStatement(_ index: Int) -> Bool {
    guard endsOperand(index - 1), let token = token(index) else { return false }
    return switch token.kind {
    case .word: token.text != "and" && token.text != "or"
    case .symbol: token.text == ";" || isJoined(index, ":", index + 1)
    case .string, .number, .comment: false
    }
  }
}
