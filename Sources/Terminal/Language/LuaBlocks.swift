import Scripting

/// The brackets and block words of a text, in pairs; what is still open comes without its end.
struct LuaBlocks {
  /// A bracket or word that is still open.
  struct Opener {
    /// The index of its token.
    let index: Int
    let closer: String
    /// The number of commas after it that are in no other brackets or block.
    var commaCount = 0
    /// Whether its `do` is still to come: that of a `for` or `while`.
    var isAwaitingDo = false
  }

  /// The indexes of the tokens of each pair; the outer pair comes after the inner ones.
  private(set) var pairs: [(open: Int, close: Int)] = []
  /// The openers without an end, the innermost last.
  private(set) var open: [Opener] = []

  let source: SourceTokens

  init(_ source: SourceTokens, before end: Int? = nil) {
    self.source = source
    for index in 0..<min(end ?? .max, source.tokens.count) { read(index) }
  }

  /// Reads the next token.
  mutating func read(_ index: Int) {
    let token = source.tokens[index]
    switch token.kind {
    case .symbol: readSymbol(token.text, index)
    case .word where LuaTokens.keywords.contains(token.text): readKeyword(token.text, index)
    case .word, .string, .number, .comment: break
    }
  }

  private mutating func readSymbol(_ text: String, _ index: Int) {
    switch text {
    case "(": push(index, ")")
    case "[": push(index, "]")
    case "{": push(index, "}")
    case ")", "]", "}": close(index, text)
    case ",":
      if let last = open.indices.last { open[last].commaCount += 1 }
    default: break
    }
  }

  private mutating func readKeyword(_ text: String, _ index: Int) {
    switch text {
    case "end", "until": close(index, text)
    case "function", "if": push(index, "end")
    case "for", "while": push(index, "end", isAwaitingDo: true)
    case "repeat": push(index, "until")
    case "do":
      if let last = open.indices.last, open[last].isAwaitingDo {
        open[last].isAwaitingDo = false
      } else {
        push(index, "end")
      }
    default: break
    }
  }

  private mutating func push(_ index: Int, _ closer: String, isAwaitingDo: Bool = false) {
    open.append(Opener(index: index, closer: closer, isAwaitingDo: isAwaitingDo))
  }

  /// Closes the innermost pair of the kind, and drops what is open within it: that is wrong, or not yet typed.
  private mutating func close(_ index: Int, _ closer: String) {
    guard let position = open.lastIndex(where: { $0.closer == closer }) else { return }
    pairs.append((open[position].index, index))
    open.removeSubrange(position...)
  }
}

// MARK: - Questions of a line editor

extension LuaBlocks {
  private static let indent = 2

  /// The pair beside the cursor, or else the innermost one around it, as ranges of the text.
  func pair(at cursor: Int) -> (open: Range<Int>, close: Range<Int>)? {
    func range(_ index: Int) -> Range<Int> { source.tokens[index].range }
    func isBeside(_ range: Range<Int>) -> Bool {
      range.lowerBound <= cursor && cursor <= range.upperBound
    }
    let pair =
      pairs.first { range($0.close).upperBound == cursor }
      ?? pairs.first { range($0.open).lowerBound == cursor }
      ?? pairs.first { isBeside(range($0.open)) || isBeside(range($0.close)) }
      ?? pairs.first {
        range($0.open).upperBound <= cursor && cursor <= range($0.close).lowerBound
      }
    return pair.map { (range($0.open), range($0.close)) }
  }

  /// The columns of space before a new line at the end of the text.
  var indentation: Int {
    guard !source.endsInComment, source.openString == nil, let opener = open.last else { return 0 }
    return source.indentation(ofLineAt: source.tokens[opener.index].range.lowerBound) + Self.indent
  }

  /// The indentation of the text's last line if that consists only of what closes blocks; nil for any other line.
  static func reindentation(ofLastLineIn source: SourceTokens) -> Int? {
    let start = source.lineStart(before: source.bytes.count)
    let first = source.tokens.firstIndex { $0.range.upperBound > start } ?? source.tokens.count
    guard start > 0, !source.endsInComment, let token = source.token(first),
      token.range.lowerBound >= start, closes(source.tokens[first...])
    else { return nil }
    let opener = LuaBlocks(source, before: first).open.last {
      token.text.hasPrefix("else")
        ? source.isWord($0.index, "if") : $0.closer == token.text
    }
    return opener.map {
      source.indentation(ofLineAt: source.tokens[$0.index].range.lowerBound)
    }
  }

  private static func closes(_ line: ArraySlice<SourceTokens.Token>) -> Bool {
    let closers: Set<String> = ["end", "until", ")", "}", "]", ",", ";"]
    if let first = line.first, first.kind == .word, ["else", "elseif"].contains(first.text) {
      return first.text == "elseif" || line.count == 1
    }
    return line.allSatisfy { closers.contains($0.text) } && line.first?.text != ","
  }
}

extension SourceTokens {
  /// The offset at which the line begins that contains the byte before an offset.
  fileprivate func lineStart(before offset: Int) -> Int {
    bytes[..<offset].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
  }

  fileprivate func indentation(ofLineAt offset: Int) -> Int {
    let tabWidth = 8
    var columns = 0
    for byte in bytes[lineStart(before: offset)...] {
      switch byte {
      case UInt8(ascii: " "): columns += 1
      case UInt8(ascii: "\t"): columns += tabWidth - columns % tabWidth
      default: return columns
      }
    }
    return columns
  }
}
