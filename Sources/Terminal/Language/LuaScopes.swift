import Scripting

/// The local variables of a text, known block by block while its tokens are read in their order.
///
/// It follows the rules of section 3.5 of the manual as far as tokens show where statements end.
package struct LuaScopes {
  package struct Variable: Equatable {
    enum Origin: Equatable {
      /// The expression of a list that begins at a token; the position in the list is counted from 0.
      case expression(list: Int, position: Int)
      /// The elements of what the iterator at a token goes through, as in `for _, x in ipairs(t)`.
      case elements(iterator: Int)
      /// A parameter, a function, or a number that counts.
      case unknown
    }

    let name: String
    let origin: Origin
  }

  private struct Block {
    var variables: [Variable] = []
    let isFunction: Bool
    var bracketCount = 0
    /// Variables whose statement hasn't ended yet, and the brackets that are open around it.
    var pending: (variables: [Variable], bracketCount: Int)?
    /// The variables of a `for` whose `do` is still to come.
    var loopVariables: [Variable] = []
  }

  private var blocks = [Block(isFunction: false)]

  /// The global variables to which the text assigns.
  package private(set) var globals: [Variable] = []

  package init(_ source: SourceTokens, before end: Int? = nil) {
    for index in 0..<min(end ?? .max, source.tokens.count) { read(index, of: source) }
    if source.endsOperand((end ?? source.tokens.count) - 1) { declarePending() }
  }

  package init() {}

  /// The number of blocks around the next token, besides the chunk itself.
  var depth: Int { blocks.count - 1 }

  package var isInFunction: Bool { blocks.contains(where: \.isFunction) }

  /// The variable that a name means; nil if it is a global one.
  package func variable(named name: String) -> Variable? {
    for block in blocks.reversed() {
      if let variable = block.variables.last(where: { $0.name == name }) { return variable }
    }
    return nil
  }

  /// Whether a name means a variable of a block within the chunk.
  func isInner(_ name: String) -> Bool {
    blocks.dropFirst().contains { $0.variables.contains { $0.name == name } }
  }

  /// Whether a name is that of a variable whose statement hasn't ended, so that it still means another one.
  func isPending(_ name: String) -> Bool {
    blocks.contains { $0.pending?.variables.contains { $0.name == name } ?? false }
  }

  /// Whether the next token is in brackets of its block.
  var isInBrackets: Bool { blocks[top].bracketCount > 0 }

  package var names: [String] { blocks.flatMap { $0.variables.map(\.name) } }

  // MARK: - Reading tokens

  /// Reads the next token.
  package mutating func read(_ index: Int, of source: SourceTokens) {
    let token = source.tokens[index]
    if let pending = blocks[top].pending, pending.bracketCount == blocks[top].bracketCount,
      source.beginsStatement(index)
    {
      declarePending()
    }
    switch token.kind {
    case .word where LuaTokens.keywords.contains(token.text): readKeyword(index, of: source)
    case .word: readAssignment(index, of: source)
    case .symbol:
      switch token.text {
      case "(", "[", "{": blocks[top].bracketCount += 1
      case ")", "]", "}": blocks[top].bracketCount = max(0, blocks[top].bracketCount - 1)
      default: break
      }
    case .string, .number, .comment: break
    }
  }

  /// The index of the innermost block; there is always the chunk's own.
  private var top: Int { blocks.count - 1 }

  private mutating func declarePending() {
    guard let pending = blocks[top].pending else { return }
    blocks[top].variables += pending.variables
    blocks[top].pending = nil
  }

  private mutating func push(_ variables: [Variable] = [], isFunction: Bool = false) {
    blocks.append(Block(variables: variables, isFunction: isFunction))
  }

  private mutating func pop() {
    if blocks.count > 1 { blocks.removeLast() }
  }

  private mutating func readKeyword(_ index: Int, of source: SourceTokens) {
    switch source.tokens[index].text {
    case "local": readLocal(index, of: source)
    case "function": readFunction(index, of: source)
    case "for": readFor(index, of: source)
    case "while": blocks[top].loopVariables = []
    case "do":
      let variables = blocks[top].loopVariables
      blocks[top].loopVariables = []
      push(variables)
    case "then", "repeat": push()
    case "else":
      pop()
      push()
    case "elseif", "end", "until": pop()
    default: break
    }
  }

  private mutating func readLocal(_ index: Int, of source: SourceTokens) {
    if source.isWord(index + 1, "function") {
      guard let name = source.name(index + 2) else { return }
      blocks[top].variables.append(Variable(name: name, origin: .unknown))
      return
    }
    let (names, end) = source.names(from: index + 1)
    guard source.isAssignment(end) else {
      blocks[top].variables += names.map { Variable(name: $0, origin: .unknown) }
      return
    }
    let variables = names.enumerated().map { position, name in
      Variable(name: name, origin: .expression(list: end + 1, position: position))
    }
    blocks[top].pending = (variables, blocks[top].bracketCount)
  }

  private mutating func readFunction(_ index: Int, of source: SourceTokens) {
    var variables: [Variable] = []
    var next = index + 1
    if let name = source.name(next) {
      if !source.isWord(index - 1, "local"), !source.isSymbol(next + 1, "."),
        !source.isSymbol(next + 1, ":")
      {
        globals.append(Variable(name: name, origin: .unknown))
      }
      while source.name(next) != nil || source.isSymbol(next, ".") || source.isSymbol(next, ":") {
        if source.isSymbol(next, ":") {
          variables.append(Variable(name: "self", origin: .unknown))
        }
        next += 1
      }
    }
    if source.isSymbol(next, "(") {
      variables += source.names(from: next + 1).names.map { Variable(name: $0, origin: .unknown) }
    }
    push(variables, isFunction: true)
  }

  private mutating func readFor(_ index: Int, of source: SourceTokens) {
    let (names, end) = source.names(from: index + 1)
    blocks[top].loopVariables = names.enumerated().map { position, name in
      let isElement = position == 1 && source.isWord(end, "in")
      return Variable(name: name, origin: isElement ? .elements(iterator: end + 1) : .unknown)
    }
  }

  private mutating func readAssignment(_ index: Int, of source: SourceTokens) {
    guard blocks[top].bracketCount == 0, source.isAssignment(index + 1),
      !source.isSymbol(index - 1, "."), !source.isSymbol(index - 1, ","),
      !source.isWord(index - 1, "local"), !source.isWord(index - 1, "for"),
      let name = source.name(index), variable(named: name) == nil
    else { return }
    globals.append(Variable(name: name, origin: .expression(list: index + 2, position: 0)))
  }
}

extension SourceTokens {
  /// The names of a list with commas between them, without their attributes, and the index after them.
  package func names(from start: Int) -> (names: [String], end: Int) {
    var names: [String] = []
    var index = start
    while let name = name(index) {
      names.append(name)
      index += 1
      if isSymbol(index, "<"), isSymbol(index + 2, ">") { index += 3 }
      guard isSymbol(index, ",") else { break }
      index += 1
    }
    return (names, index)
  }
}
