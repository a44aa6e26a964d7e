/// The tokens of a Lua source, as far as finding statements needs them (section 3.1 of the manual).
struct LuaTokens: Sequence, IteratorProtocol {
  /// A token: where it is, and what it is.
  struct Token {
    enum Kind: Equatable {
      /// A name or a keyword.
      case word
      /// A string in quotes or long brackets.
      case string
      case number
      /// A single character; operators of several characters are several tokens.
      case symbol
    }

    let kind: Kind
    /// The text of a word or symbol; empty for others.
    let text: String
    let range: Range<Int>
    /// The line on which it begins, counted from 1.
    let line: Int
  }

  private let source: [UInt8]
  private var position: Int
  private var line = 1

  /// Whether the source ended within a string or a comment.
  private(set) var isIncomplete = false

  init(_ source: [UInt8]) {
    self.source = source
    position = 0
    // A first line that begins with "#" is skipped, as by Lua.
    if source.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    if byte(position) == UInt8(ascii: "#") { skipLine() }
  }

  mutating func next() -> Token? {
    skipSpaceAndComments()
    guard let first = byte(position) else { return nil }
    let (start, startLine) = (position, line)
    let kind: Token.Kind
    switch first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      skipString(first)
      kind = .string
    case UInt8(ascii: "[") where skipLongBracket():
      kind = .string
    case _ where Self.isLetter(first):
      skip(while: Self.isInWord)
      kind = .word
    case _ where Self.isDigit(first):
      // Also takes what no number contains: this isn't a check.
      skip { Self.isInWord($0) || $0 == UInt8(ascii: ".") }
      kind = .number
    default:
      position += 1
      kind = .symbol
    }
    let text =
      kind == .word || kind == .symbol
      ? String(decoding: source[start..<position], as: UTF8.self) : ""
    return Token(kind: kind, text: text, range: start..<position, line: startLine)
  }

  private func byte(_ position: Int) -> UInt8? {
    source.indices.contains(position) ? source[position] : nil
  }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while let next = byte(position), isSkipped(next) {
      if next == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private mutating func skipLine() { skip { $0 != UInt8(ascii: "\n") } }

  private mutating func skipSpaceAndComments() {
    while true {
      skip { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
      guard byte(position) == UInt8(ascii: "-"), byte(position + 1) == UInt8(ascii: "-") else {
        return
      }
      position += 2
      if byte(position) != UInt8(ascii: "[") || !skipLongBracket() { skipLine() }
    }
  }

  private mutating func skipString(_ quote: UInt8) {
    position += 1
    while let next = byte(position), next != quote {
      if next == UInt8(ascii: "\n") { line += 1 }
      if next == UInt8(ascii: "\\") {
        position += 1
        if byte(position) == UInt8(ascii: "\n") { line += 1 }
      }
      position += 1
    }
    if position >= source.count { isIncomplete = true }
    position += 1
  }

  /// Skips `[[...]]` or `[==[...]==]`; returns whether there is one.
  private mutating func skipLongBracket() -> Bool {
    var level = 0
    while byte(position + 1 + level) == UInt8(ascii: "=") { level += 1 }
    guard byte(position + 1 + level) == UInt8(ascii: "[") else { return false }
    position += level + 2
    while let next = byte(position) {
      if next == UInt8(ascii: "\n") { line += 1 }
      position += 1
      guard next == UInt8(ascii: "]"), byte(position + level) == UInt8(ascii: "]"),
        source[position..<position + level].allSatisfy({ $0 == UInt8(ascii: "=") })
      else { continue }
      position += level + 1
      return true
    }
    isIncomplete = true
    return true
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x61...0x7A).contains(byte | 0x20)
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func isInWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }
}
