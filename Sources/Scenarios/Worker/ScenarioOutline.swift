import Scripting

/// The statements of a file that declare a scenario each, so that one can run without loading the others.
///
/// Each scenario runs in a fresh state, which loads the file: with n scenarios in it, that would take time proportional
/// to n². So what a state loads leaves out the other scenarios that the file declares by plain statements:
///
///     scenario("name", { tags = { "slow" } }, function() ... end)
///
/// at the top level, or in the function of a `group`. They have no effect but to declare. Lines keep their numbers.
struct ScenarioOutline {
  /// A statement that declares a scenario.
  struct Statement {
    let line: Int
    let range: Range<Int>
    let lineBreakCount: Int
  }

  private let source: [UInt8]
  /// The statements in their order; no two begin on the same line.
  let statements: [Statement]
  /// The source with nothing but line ends in place of the statements.
  let sourceWithoutStatements: [UInt8]
  /// For each line on which a statement begins: the statement, and where it would be in `sourceWithoutStatements`.
  private let places: [Int: (statement: Statement, position: Int)]

  /// Finds the statements of a source; none if it uses `scenario` in another way, or isn't complete.
  init(_ source: [UInt8]) {
    self.source = source
    var parser = OutlineParser(source)
    let found = parser.statements()
    let lines = Set(found.map(\.line))
    let isUnclear = lines.count < found.count || Self.hasOtherLineEnds(source)
    statements = isUnclear ? [] : found
    var blank: [UInt8] = []
    var places: [Int: (statement: Statement, position: Int)] = [:]
    var position = 0
    for statement in statements {
      blank += source[position..<statement.range.lowerBound]
      places[statement.line] = (statement, blank.count)
      blank += repeatElement(UInt8(ascii: "\n"), count: statement.lineBreakCount)
      position = statement.range.upperBound
    }
    sourceWithoutStatements = blank + source[position...]
    self.places = places
  }

  /// Whether a line ends otherwise than by "\n" or "\r\n": Lua takes a carriage return alone for an end, too.
  private static func hasOtherLineEnds(_ source: [UInt8]) -> Bool {
    source.indices.contains { index in
      source[index] == UInt8(ascii: "\r") && source[(index + 1)...].first != UInt8(ascii: "\n")
    }
  }

  /// The source without the statements but the one on a line; nil if none begins there.
  func source(keeping line: Int) -> [UInt8]? {
    guard let (statement, position) = places[line] else { return nil }
    let blank = sourceWithoutStatements
    var kept: [UInt8] = []
    kept.reserveCapacity(blank.count + statement.range.count)
    kept.append(contentsOf: blank[..<position])
    kept.append(contentsOf: source[statement.range])
    kept.append(contentsOf: blank[(position + statement.lineBreakCount)...])
    return kept
  }
}

/// Finds the statements of an outline.
private struct OutlineParser {
  private let tokens: [LuaTokens.Token]
  private let isIncomplete: Bool
  private var index = 0

  init(_ source: [UInt8]) {
    var lexer = LuaTokens(source)
    var tokens: [LuaTokens.Token] = []
    while let token = lexer.next() { tokens.append(token) }
    self.tokens = tokens
    isIncomplete = lexer.isIncomplete
  }

  mutating func statements() -> [ScenarioOutline.Statement] {
    guard !isIncomplete else { return [] }
    var found: [ScenarioOutline.Statement] = []
    // For each open block, whether it is the function of a group.
    var blocks: [Bool] = []
    while index < tokens.count {
      let areDeclared = !blocks.contains(false)
      if tokens[index].text == "scenario" {
        if areDeclared, let statement = declaration() {
          found.append(statement)
        } else if !isCall(index) {
          // A variable of that name, or another use of the function.
          return []
        } else {
          index += 1
        }
      } else if areDeclared, tokens[index].text == "group", isStart(index),
        let body = functionArgument(index)
      {
        index = body
        blocks.append(true)
      } else {
        if let opens = opensBlock(index) {
          if opens { blocks.append(false) } else if blocks.popLast() == nil { return [] }
        }
        index += 1
      }
    }
    return blocks.isEmpty ? found : []
  }

  /// Takes a statement that declares a scenario; nil if the tokens are another one.
  private mutating func declaration() -> ScenarioOutline.Statement? {
    let start = index
    guard isStart(start), var end = functionArgument(start) else { return nil }
    var depth = 1
    while depth > 0 {
      guard end < tokens.count else { return nil }
      if let opens = opensBlock(end) { depth += opens ? 1 : -1 }
      end += 1
    }
    // The parenthesis, after which the expression doesn't go on.
    guard token(end)?.text == ")", !continuesExpression(end + 1) else { return nil }
    index = end + 1
    let range = tokens[start].range.lowerBound..<tokens[end].range.upperBound
    return ScenarioOutline.Statement(
      line: tokens[start].line, range: range, lineBreakCount: tokens[end].line - tokens[start].line)
  }

  /// The index after the parameters of the function that ends the arguments of a call, which before have only literals
  /// and names; nil for any other call.
  private func functionArgument(_ callee: Int) -> Int? {
    guard token(callee + 1)?.text == "(" else { return nil }
    var position = callee + 2
    while let token = token(position), token.text != "function" {
      guard token.kind != .symbol || ["{", "}", ",", "=", "-"].contains(token.text),
        token.kind != .string || !isCallOfString(position)
      else { return nil }
      position += 1
    }
    position += 1
    guard token(position)?.text == "(" else { return nil }
    while let token = token(position), token.text != ")" { position += 1 }
    return position + 1
  }

  // MARK: - Tokens

  private func token(_ position: Int) -> LuaTokens.Token? {
    tokens.indices.contains(position) ? tokens[position] : nil
  }

  /// Whether a call begins with the token.
  private func isCall(_ position: Int) -> Bool {
    isStart(position) && token(position + 1)?.text == "("
  }

  /// Whether a string is the only argument of a call without parentheses, such as `f"x"`.
  private func isCallOfString(_ position: Int) -> Bool {
    let before = token(position - 1)
    return before?.kind == .word || before?.kind == .string
  }

  /// The words after which a name doesn't begin a statement.
  private static let inExpressions: Set<String> = [
    "function", "local", "return", "and", "or", "not", "in", "if", "while", "until", "elseif",
    "goto",
  ]

  /// Whether a name at the position begins a statement: whether what comes before can end one.
  private func isStart(_ position: Int) -> Bool {
    guard let before = token(position - 1) else { return true }
    return switch before.kind {
    case .string, .number, .comment: true
    case .symbol: [")", "]", "}", ";"].contains(before.text)
    case .word: !Self.inExpressions.contains(before.text)
    }
  }

  /// Whether the token, after an expression, is a part of it.
  private func continuesExpression(_ position: Int) -> Bool {
    guard let next = token(position) else { return false }
    return switch next.kind {
    case .string: true
    case .number, .comment: false
    case .word: next.text == "and" || next.text == "or"
    // A label begins with two colons, the call of a method has one.
    case .symbol: next.text != ";" && !(next.text == ":" && token(position + 1)?.text == ":")
    }
  }

  /// Whether a token opens a block (true) or closes one (false); nil for any other.
  private func opensBlock(_ position: Int) -> Bool? {
    switch token(position)?.text {
    case "function", "do", "if", "repeat": true
    case "end", "until": false
    default: nil
    }
  }
}
