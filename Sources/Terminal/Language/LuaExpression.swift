import Scripting

/// An expression whose value can be looked up: a name or literal, with indexes and calls after it.
indirect enum LuaExpression: Equatable {
  enum Key: Equatable {
    case string([UInt8])
    case integer(Int64)
    /// A key that depends on other values.
    case unknown
  }

  case name(String)
  case string
  /// A table constructor, and the index of its first token.
  case table(Int)
  case index(LuaExpression, Key)
  /// The method of an object, without the call.
  case method(LuaExpression, String)
  /// A call, and the index of its arguments' first token.
  case call(LuaExpression, arguments: Int)
}

extension SourceTokens {
  /// The expression that ends with a token, such as `persons[1]` in `x = persons[1]`; nil if none does, or its value
  /// depends on an operator.
  func expression(endingAt end: Int) -> LuaExpression? {
    guard let start = expressionStart(endingAt: end),
      let (expression, next) = expression(from: start, before: end + 1), next == end + 1
    else { return nil }
    return expression
  }

  func expressionStart(endingAt end: Int) -> Int? {
    var index = end
    while let token = token(index) {
      switch (token.kind, token.text) {
      case (.word, _):
        guard name(index) != nil else { return nil }
        guard isMember(index) else { return index }
        index -= 2
      case (.string, _):
        guard endsPrefix(index - 1) else { return index }
        index -= 1
      case (.symbol, ")"), (.symbol, "}"), (.symbol, "]"):
        guard let open = opening(of: index) else { return nil }
        guard endsPrefix(open - 1) else { return token.text == "]" ? nil : open }
        index = open - 1
      default: return nil
      }
    }
    return nil
  }

  /// The expression that begins with a token, within `depth` parentheses, and the index after it; nil if there is none,
  /// or its value depends on an operator.
  func expression(from start: Int, before end: Int? = nil, depth: Int = 0) -> (
    LuaExpression, next: Int
  )? {
    guard var (expression, index) = primary(from: start, depth: depth) else { return nil }
    var partCount = 0
    while index < end ?? .max, let token = token(index) {
      partCount += 1
      guard partCount <= Self.longest else { return nil }
      switch (token.kind, token.text) {
      case (.symbol, ".") where isSingle(index, "."):
        guard let name = name(index + 1) else { return nil }
        expression = .index(expression, .string(Array(name.utf8)))
        index += 2
      case (.symbol, ":") where isSingle(index, ":"):
        guard let name = name(index + 1) else { return nil }
        expression = .method(expression, name)
        index += 2
      case (.symbol, "["):
        guard let close = closing(of: index) else { return nil }
        expression = .index(expression, key(from: index + 1, to: close))
        index = close + 1
      case (.symbol, "("), (.symbol, "{"):
        guard let close = closing(of: index) else { return nil }
        expression = .call(expression, arguments: token.text == "(" ? index + 1 : index)
        index = close + 1
      case (.string, _) where !token.isUnfinished:
        expression = .call(expression, arguments: index)
        index += 1
      default: return (expression, index)
      }
    }
    return (expression, index)
  }

  /// Parentheses nested more deeply aren't looked into.
  private static let deepest = 20

  /// The number of indexes and calls in an expression; the values of longer ones aren't looked up.
  private static let longest = 50

  private func primary(from start: Int, depth: Int) -> (LuaExpression, next: Int)? {
    guard let token = token(start) else { return nil }
    if let name = name(start) { return (.name(name), start + 1) }
    if token.kind == .string, !token.isUnfinished { return (.string, start + 1) }
    guard token.kind == .symbol, let close = closing(of: start) else { return nil }
    if token.text == "{" { return (.table(start), close + 1) }
    guard token.text == "(", depth < Self.deepest,
      let (inner, next) = expression(from: start + 1, depth: depth + 1), next == close
    else { return nil }
    return (inner, close + 1)
  }

  private func key(from start: Int, to end: Int) -> LuaExpression.Key {
    guard end == start + 1, let token = token(start) else { return .unknown }
    switch token.kind {
    case .string:
      return LuaStringLiteral.contents(of: bytes(of: token)).map { .string($0) } ?? .unknown
    case .number:
      return Int64(String(decoding: bytes(of: token), as: UTF8.self)).map { .integer($0) }
        ?? .unknown
    case .word, .symbol, .comment: return .unknown
    }
  }

  /// The number of brackets that a token opens; negative if it closes one.
  private func nesting(_ index: Int) -> Int {
    guard tokens[index].kind == .symbol else { return 0 }
    return switch tokens[index].text {
    case "(", "[", "{": 1
    case ")", "]", "}": -1
    default: 0
    }
  }

  func closing(of open: Int) -> Int? {
    var depth = 0
    for index in open..<tokens.count where tokens[index].kind == .symbol {
      depth += nesting(index)
      if depth <= 0 { return depth == 0 && index > open ? index : nil }
    }
    return nil
  }

  private func opening(of close: Int) -> Int? {
    var depth = 0
    for index in (0...close).reversed() where tokens[index].kind == .symbol {
      depth -= nesting(index)
      if depth == 0 { return index }
    }
    return nil
  }

  /// The names of the fields that a table constructor sets, as far as it is typed.
  func fieldNames(ofTableAt open: Int, before end: Int) -> [String] {
    var names: [String] = []
    var depth = 0
    for index in open..<min(end, tokens.count) {
      depth += nesting(index)
      if depth == 1, isAssignment(index + 1), let name = name(index) {
        names.append(name)
      }
      if depth == 0 { break }
    }
    return names
  }
}
