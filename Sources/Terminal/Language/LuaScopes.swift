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

  private struct Scope {
    var variables: [Variable] = []
    /// Those whose statement hasn't ended yet.
    var pending: [Variable] = []
    /// Those of a `for` whose `do` is still to come.
    var loopVariables: [Variable] = []
  }

  private var blocks: LuaBlocks
  /// The scope of the chunk, and one for each bracket or block that is open.
  private var scopes = [Scope()]

  /// The global variables to which the text assigns.
  package private(set) var globals: [Variable] = []

  /// Reads the tokens before one, or all.
  package init(_ source: SourceTokens, before end: Int? = nil) {
    blocks = LuaBlocks(source, before: 0)
    for index in 0..<min(end ?? .max, source.tokens.count) { read(index) }
    if source.endsOperand((end ?? source.tokens.count) - 1) { declarePending() }
  }

  var source: SourceTokens { blocks.source }

  /// Whether the next token is in no block or brackets.
  var isAtTopLevel: Bool { blocks.open.isEmpty }

  package var isInFunction: Bool { blocks.open.contains { source.isWord($0.index, "function") } }

  /// The variable that a name means; nil if it is a global one.
  package func variable(named name: String) -> Variable? {
    for scope in scopes.reversed() {
      if let variable = scope.variables.last(where: { $0.name == name }) { return variable }
    }
    return nil
  }

  /// Whether a name means a variable of a block within the chunk.
  func isInner(_ name: String) -> Bool {
    scopes.dropFirst().contains { $0.variables.contains { $0.name == name } }
  }

  /// Whether a name is that of a variable whose statement hasn't ended, so that it still means another one.
  func isPending(_ name: String) -> Bool {
    scopes.contains { $0.pending.contains { $0.name == name } }
  }

  /// Whether the next token is in brackets of its block.
  var isInBrackets: Bool { blocks.open.last.map { [")", "]", "}"].contains($0.closer) } ?? false }

  package var names: [String] { scopes.flatMap { $0.variables.map(\.name) } }

  // MARK: - Reading tokens

  /// Reads the next token.
  package mutating func read(_ index: Int) {
    if !scopes[top].pending.isEmpty, source.beginsStatement(index) { declarePending() }
    blocks.read(index)
    if top > blocks.open.count { scopes.removeLast(top - blocks.open.count) }
    if top < blocks.open.count { scopes.append(Scope()) }
    let token = source.tokens[index]
    guard token.kind == .word else { return }
    if LuaTokens.keywords.contains(token.text) {
      readKeyword(token.text, index)
    } else {
      readAssignment(index)
    }
  }

  /// The index of the innermost scope.
  private var top: Int { scopes.count - 1 }

  private mutating func declarePending() {
    scopes[top].variables += scopes[top].pending
    scopes[top].pending = []
  }

  private mutating func readKeyword(_ text: String, _ index: Int) {
    switch text {
    case "local": readLocal(index)
    case "function": readFunction(index)
    case "for": readFor(index)
    case "do":
      scopes[top].variables += scopes[top].loopVariables
      scopes[top].loopVariables = []
    case "else", "elseif": scopes[top].variables = []
    default: break
    }
  }

  private mutating func readLocal(_ index: Int) {
    if source.isWord(index + 1, "function") {
      guard let name = source.name(index + 2) else { return }
      scopes[top].variables.append(Variable(name: name, origin: .unknown))
      return
    }
    let (names, end) = source.names(from: index + 1)
    guard source.isAssignment(end) else {
      scopes[top].variables += names.map { Variable(name: $0, origin: .unknown) }
      return
    }
    scopes[top].pending = names.enumerated().map { position, name in
      Variable(name: name, origin: .expression(list: end + 1, position: position))
    }
  }

  private mutating func readFunction(_ index: Int) {
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
    scopes[top].variables = variables
  }

  private mutating func readFor(_ index: Int) {
    let (names, end) = source.names(from: index + 1)
    scopes[top].loopVariables = names.enumerated().map { [source] position, name in
      let isElement = position == 1 && source.isWord(end, "in")
      return Variable(name: name, origin: isElement ? .elements(iterator: end + 1) : .unknown)
    }
  }

  private mutating func readAssignment(_ index: Int) {
    guard !isInBrackets, source.isAssignment(index + 1),
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
