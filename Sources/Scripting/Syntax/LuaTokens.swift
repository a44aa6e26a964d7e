import PrimereplFoundation

/// The tokens of a Lua source (section 3.1 of the manual), as far as finding statements needs them.
///
/// It takes any bytes: a character that begins no token is a symbol, and what is unfinished ends with the source.
package struct LuaTokens: Sequence, IteratorProtocol {
  package struct Token: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
      /// A name or a keyword.
      case word
      /// A string in quotes or long brackets.
      case string
      case number
      /// A single character; operators of several characters are several tokens.
      case symbol
      case comment
    }

    package let kind: Kind
    /// The text of a word or symbol; empty for others.
    package let text: String
    package let range: Range<Int>
    /// The line on which it begins, counted from 1.
    package let line: Int
    /// Whether the source, or for a string in quotes its line, ended within it.
    package let isUnfinished: Bool
  }

  private let source: [UInt8]
  private let includesComments: Bool
  private var position = 0
  private var line = 1

  /// Makes the tokens of a source; in a file, a byte order mark and a first line that begins with "#" are skipped.
  package init(_ source: [UInt8], isFile: Bool, includingComments: Bool = false) {
    self.source = source
    includesComments = includingComments
    guard isFile else { return }
    if source.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    if byte(position) == UInt8(ascii: "#") { skipLine() }
  }

  package mutating func next() -> Token? {
    while true {
      skip { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
      guard let first = byte(position) else { return nil }
      let (start, startLine) = (position, line)
      let (kind, isUnfinished) = skipToken(first)
      if kind == .comment, !includesComments { continue }
      let text =
        kind == .word || kind == .symbol
        ? String(decoding: source[start..<position], as: UTF8.self) : ""
      return Token(
        kind: kind, text: text, range: start..<position, line: startLine, isUnfinished: isUnfinished
      )
    }
  }

  private mutating func skipToken(_ first: UInt8) -> (kind: Token.Kind, isUnfinished: Bool) {
    switch first {
    case UInt8(ascii: "-") where byte(position + 1) == UInt8(ascii: "-"):
      position += 2
      if let isFinished = skipLongBracket() { return (.comment, !isFinished) }
      skipLine()
      return (.comment, false)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return (.string, !skipString(first))
    case UInt8(ascii: "["):
      if let isFinished = skipLongBracket() { return (.string, !isFinished) }
    case _ where Self.isLetter(first):
      skip(while: Self.isInWord)
      return (.word, false)
    case _ where first.isASCIIDigit || isFraction(first):
      skipNumber(first)
      return (.number, false)
    default: break
    }
    position += 1
    // Also the other bytes of a character.
    skip { (0x80..<0xC0).contains($0) }
    return (.symbol, false)
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

  /// Whether a dot begins a number, rather than being a part of `..` or following a name.
  private func isFraction(_ first: UInt8) -> Bool {
    first == UInt8(ascii: ".") && byte(position + 1)?.isASCIIDigit == true
      && byte(position - 1) != first
  }

  /// Also skips what no number contains: this isn't a check.
  private mutating func skipNumber(_ first: UInt8) {
    let isHexadecimal =
      first == UInt8(ascii: "0") && byte(position + 1).map { $0 | 0x20 } == UInt8(ascii: "x")
    let exponent = isHexadecimal ? UInt8(ascii: "p") : UInt8(ascii: "e")
    while let next = byte(position), Self.isInWord(next) || next == UInt8(ascii: ".") {
      position += 1
      guard next | 0x20 == exponent, let sign = byte(position),
        sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
      else { continue }
      position += 1
    }
  }

  /// Skips a string in quotes, or its beginning if its line ends before it; returns whether it is finished.
  private mutating func skipString(_ quote: UInt8) -> Bool {
    position += 1
    while let next = byte(position), next != UInt8(ascii: "\n") {
      position += 1
      if next == quote { return true }
      guard next == UInt8(ascii: "\\"), let escaped = byte(position) else { continue }
      position += 1
      if escaped == UInt8(ascii: "\n") { line += 1 }
      // This escape skips the space that follows, with its line ends.
      if escaped == UInt8(ascii: "z") {
        skip { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
      }
    }
    return false
  }

  /// Skips `[[...]]` or `[==[...]==]`; returns whether it is finished, or nil if there is none.
  private mutating func skipLongBracket() -> Bool? {
    guard byte(position) == UInt8(ascii: "[") else { return nil }
    var level = 0
    while byte(position + 1 + level) == UInt8(ascii: "=") { level += 1 }
    guard byte(position + 1 + level) == UInt8(ascii: "[") else { return nil }
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
    return false
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte.isASCIILetter
  }

  private static func isInWord(_ byte: UInt8) -> Bool { isLetter(byte) || byte.isASCIIDigit }
}

extension LuaTokens {
  /// The words that can't be names (section 3.1 of the manual).
  package static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in",
    "local", "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  package static func isName(_ bytes: some Collection<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first), bytes.allSatisfy(isInWord) else { return false }
    // The longest keywords have 8 letters.
    return bytes.count > 8 || !keywords.contains(String(decoding: bytes, as: UTF8.self))
  }
}
