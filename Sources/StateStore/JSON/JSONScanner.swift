import PrimereplFoundation

/// Reads JSON text (RFC 8259) token by token: the one place that decides what JSON is, for all that comes from outside.
///
/// Where the RFC leaves a choice to readers:
///
/// - The text is UTF-8. A byte order mark before it is skipped.
/// - A text is one value of any kind, with white space around it. An empty text isn't JSON.
/// - Arrays and objects are nested at most ``maximumDepth`` deep.
/// - A number without fraction and exponent is an integer if it fits 64 bits; -0 and all others are floats. One that would
///   become infinite, or 0 though it isn't, is refused.
/// - Half of a surrogate pair is refused, and `\u0000` is a character like any other.
/// - Names are compared by their bytes. Of members with the same name the last counts; that is up to the reader of the tokens.
/// - Comments, trailing commas, NaN and other extensions are refused.
package struct JSONScanner {
  package enum Token: Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    /// A string, whose bytes ``JSONScanner/withText(_:)`` has.
    case string
    /// The name of a member, likewise.
    case name
    case beginArray
    case endArray
    case beginObject
    case endObject
  }

  /// The kinds of tokens that may come next.
  private enum Expectation {
    case value
    /// After an opening bracket.
    case firstElement
    case firstName
    /// After a comma.
    case element
    case name
    /// After a value in an array or object.
    case separator
    case end
  }

  /// The maximum depth of nested arrays and objects: readers and writers are recursive, and stacks may be small.
  package static let maximumDepth = 128

  private let bytes: [UInt8]
  /// The offset of what follows.
  package private(set) var position: Int
  /// The offset at which the last token begins.
  package private(set) var tokenStart = 0
  private var expectation = Expectation.value
  /// For each open array or object, whether it is an array; the innermost last.
  private var areArrays: [Bool] = []
  /// The place of the last string between its quotes, and its bytes if it has escapes.
  private var string = (range: 0..<0, unescaped: [UInt8]?.none)

  /// Starts at the beginning of a text.
  ///
  /// - Throws: ``JSONMistake`` if it isn't UTF-8.
  /// - Complexity: O(length).
  package init(_ bytes: [UInt8]) throws(JSONMistake) {
    do {
      _ = try UTF8Span(validating: bytes.span)
    } catch {
      throw JSONMistake(offset: error.byteOffsets.lowerBound, problem: "it isn't valid UTF-8")
    }
    self.bytes = bytes
    position = JSONMistake.start(of: bytes)
  }

  /// The next token; nil at the end.
  ///
  /// - Throws: ``JSONMistake`` at the first mistake; then the scanner can't continue.
  package mutating func next() throws(JSONMistake) -> Token? {
    skipSpace()
    tokenStart = position
    switch expectation {
    case .end:
      guard position == bytes.count else {
        throw unexpected("the end of the text", hint: "a text has one value")
      }
      return nil
    case .separator: return try scanSeparator()
    case .firstElement, .firstName:
      if let end = scanEnd() { return end }
      return try expectation == .firstElement ? scanValue() : scanName()
    case .element:
      guard byte != UInt8(ascii: "]") else {
        throw unexpected("a value", hint: "no comma stands before it")
      }
      return try scanValue()
    case .name: return try scanName()
    case .value: return try scanValue()
    }
  }

  /// The bytes of the last string or name, valid UTF-8.
  package func withText<Result, Failure>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let unescaped = string.unescaped {
      return try unescaped.withUnsafeBufferPointer(body)
    }
    return try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try body(UnsafeBufferPointer(rebasing: bytes[string.range]))
    }
  }

  // MARK: - Values

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func endValue() { expectation = areArrays.isEmpty ? .end : .separator }

  private mutating func scanValue() throws(JSONMistake) -> Token {
    switch byte {
    case UInt8(ascii: "\""):
      try scanString()
      endValue()
      return .string
    case UInt8(ascii: "{"): return try begin(isArray: false)
    case UInt8(ascii: "["): return try begin(isArray: true)
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"):
      let number = try scanNumber()
      endValue()
      return number
    case nil where areArrays.isEmpty: throw mistake("expected a value, but the text is empty")
    default:
      for (word, value) in [
        ("null", Token.null), ("true", .boolean(true)), ("false", .boolean(false)),
      ]
      where bytes[position...].starts(with: word.utf8) {
        position += word.utf8.count
        endValue()
        return value
      }
      throw unexpected("a value")
    }
  }

  private mutating func begin(isArray: Bool) throws(JSONMistake) -> Token {
    guard areArrays.count < Self.maximumDepth else {
      throw mistake("arrays and objects are nested more than \(Self.maximumDepth) deep")
    }
    areArrays.append(isArray)
    position += 1
    expectation = isArray ? .firstElement : .firstName
    return isArray ? .beginArray : .beginObject
  }

  /// Scans the closing bracket of the innermost array or object, if that is next.
  private mutating func scanEnd() -> Token? {
    guard let isArray = areArrays.last, byte == UInt8(ascii: isArray ? "]" : "}") else {
      return nil
    }
    areArrays.removeLast()
    position += 1
    endValue()
    return isArray ? .endArray : .endObject
  }

  /// Scans what follows a value in an array or object: its end, or a comma and the token after it.
  private mutating func scanSeparator() throws(JSONMistake) -> Token? {
    if let end = scanEnd() { return end }
    let isArray = areArrays.last == true
    guard byte == UInt8(ascii: ",") else {
      throw unexpected(isArray ? "\",\" or \"]\"" : "\",\" or \"}\"")
    }
    position += 1
    expectation = isArray ? .element : .name
    return try next()
  }

  private mutating func scanName() throws(JSONMistake) -> Token {
    guard byte == UInt8(ascii: "\"") else {
      throw unexpected(
        "a name in double quotes",
        hint: byte == UInt8(ascii: "}") ? "no comma stands before it" : nil)
    }
    try scanString()
    skipSpace()
    guard byte == UInt8(ascii: ":") else { throw unexpected("\":\"") }
    position += 1
    expectation = .value
    return .name
  }

  // MARK: - Strings

  private mutating func scanString() throws(JSONMistake) {
    position += 1
    let start = position
    var hasEscapes = false
    while let byte {
      switch byte {
      case UInt8(ascii: "\""):
        string = (start..<position, nil)
        if hasEscapes { string.unescaped = try unescaped(start..<position) }
        position += 1
        return
      case UInt8(ascii: "\\"):
        hasEscapes = true
        // The escape itself is checked later; what follows a backslash doesn't end the string.
        guard position + 1 < bytes.count else {
          position += 1
          throw mistake("a string has no end")
        }
        position += bytes[position + 1] < 0x20 ? 1 : 2
      case 0..<0x20:
        throw mistake("a control character in a string must be written as an escape, such as \\n")
      default: position += 1
      }
    }
    // A mistake in an escape comes first.
    if hasEscapes { _ = try unescaped(start..<position) }
    throw mistake("a string has no end")
  }

  /// The bytes for the letters after a backslash in a string, except for "u".
  private static func escaped(_ letter: UInt8) -> UInt8? {
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
    case UInt8(ascii: "b"): 8
    case UInt8(ascii: "f"): 12
    case UInt8(ascii: "n"): 10
    case UInt8(ascii: "r"): 13
    case UInt8(ascii: "t"): 9
    default: nil
    }
  }

  private func unescaped(_ range: Range<Int>) throws(JSONMistake) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(range.count)
    var position = range.lowerBound
    while position < range.upperBound {
      guard bytes[position] == UInt8(ascii: "\\") else {
        text.append(bytes[position])
        position += 1
        continue
      }
      let letter = position + 1 < range.upperBound ? bytes[position + 1] : 0
      if letter == UInt8(ascii: "u") {
        let (scalar, length) = try scalar(at: position, before: range.upperBound)
        text += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        position += length
      } else {
        guard let byte = Self.escaped(letter) else {
          throw JSONMistake(
            offset: position,
            problem: "no such escape; there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u0000")
        }
        text.append(byte)
        position += 2
      }
    }
    return text
  }

  /// The character of an escape `\u0000`, or of two that are a surrogate pair, and the number of bytes.
  private func scalar(
    at start: Int, before end: Int
  ) throws(JSONMistake) -> (scalar: Unicode.Scalar, length: Int) {
    var (unit, length) = (try unit(at: start, before: end, of: start), 6)
    let rest = bytes[start + length..<end]
    if (0xD800..<0xDC00).contains(unit), rest.starts(with: "\\u".utf8) {
      let second = try self.unit(at: start + length, before: end, of: start)
      guard (0xDC00...0xDFFF).contains(second) else { throw Self.halfPair(at: start) }
      unit = 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)
      length += 6
    }
    guard let scalar = Unicode.Scalar(unit) else { throw Self.halfPair(at: start) }
    return (scalar, length)
  }

  private static func halfPair(at start: Int) -> JSONMistake {
    JSONMistake(offset: start, problem: "half of a surrogate pair is no character")
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The value of the four hexadecimal digits of an escape.
  private func unit(
    at position: Int, before end: Int, of start: Int
  ) throws(JSONMistake) -> UInt32 {
    let digits = bytes[position + 2..<end].prefix(4)
    let values = digits.compactMap(Self.hexadecimalValue)
    guard values.count == 4 else {
      throw JSONMistake(offset: start, problem: "\\u needs four hexadecimal digits")
    }
    return values.reduce(0) { $0 << 4 | UInt32($1) }
  }

  // MARK: - Numbers

  private mutating func scanNumber() throws(JSONMistake) -> Token {
    let start = position
    if byte == UInt8(ascii: "-") { position += 1 }
    let firstDigit = byte
    let digits = try scanDigits()
    if firstDigit == UInt8(ascii: "0"), digits > 1 {
      throw JSONMistake(offset: start, problem: "a number begins with 0")
    }
    var isInteger = true
    if byte == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try scanDigits()
    }
    if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") { position += 1 }
      try scanDigits()
    }
    return try number(from: start, isInteger: isInteger)
  }

  /// Passes at least one digit, and returns their number.
  @discardableResult
  private mutating func scanDigits() throws(JSONMistake) -> Int {
    let start = position
    while let byte, byte.isASCIIDigit { position += 1 }
    guard position > start else { throw unexpected("a digit") }
    return position - start
  }

  private func number(from start: Int, isInteger: Bool) throws(JSONMistake) -> Token {
    let digits = bytes[start..<position]
    // The sign of -0 is lost to an integer.
    let isMinusZero = digits.elementsEqual("-0".utf8)
    let text = Substring(decoding: digits, as: UTF8.self)
    if isInteger, !isMinusZero, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      throw JSONMistake(offset: start, problem: "a number is too large for a float")
    }
    let significand = digits.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    let isZero = !significand.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
    guard number != 0 || isZero else {
      throw JSONMistake(offset: start, problem: "a number is too small for a float")
    }
    return .number(number)
  }

  // MARK: - Mistakes

  private func mistake(_ problem: String) -> JSONMistake {
    JSONMistake(offset: position, problem: problem)
  }

  private func unexpected(_ expected: String, hint: String? = nil) -> JSONMistake {
    mistake("expected \(expected), found \(found)" + (hint.map { "; \($0)" } ?? ""))
  }

  /// The character or the beginning of the word at the position.
  private var found: String {
    guard position < bytes.count else { return "the end of the text" }
    let rest = bytes[position...].prefix(40)
    let word = rest.prefix { byte in
      byte.isASCIILetter || byte.isASCIIDigit
    }
    guard word.isEmpty else { return "\"\(String(decoding: word.prefix(20), as: UTF8.self))\"" }
    let character = String(decoding: rest, as: UTF8.self).unicodeScalars.prefix(1)
    return String(String.UnicodeScalarView(character))
  }
}

/// A mistake at an offset in a text that isn't JSON.
package struct JSONMistake: Error, Equatable {
  /// The offset in bytes.
  package let offset: Int
  package let problem: String

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The offset of a text's first character after a byte order mark.
  fileprivate static func start(of bytes: [UInt8]) -> Int {
    bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
  }

  /// The line and column, both counted from 1, the column in characters.
  package func position(in bytes: [UInt8]) -> (line: Int, column: Int) {
    let start = Self.start(of: bytes)
    let before = bytes[start..<max(start, offset)]
    let newline = UInt8(ascii: "\n")
    let line = before.count { $0 == newline } + 1
    let lineStart = before.lastIndex(of: newline).map { $0 + 1 } ?? start
    // Each character of UTF-8 has one byte that doesn't continue another one.
    return (line, before[lineStart...].count { $0 & 0xC0 != 0x80 } + 1)
  }
}
