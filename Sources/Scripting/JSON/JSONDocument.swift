import Lua

/// A JSON text (RFC 8259) that was checked, as the Lua value that it describes.
///
/// Foundation's decoder neither keeps `1` and `1.0` apart nor says where a mistake is, and would build every value
/// twice. The tokens are one array, from which the value is pushed: tables get their right size at once.
///
/// Of members with the same name the last counts, as in most readers.
struct JSONDocument: LuaPushable {
  fileprivate enum Token {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    /// The bytes between the quotes.
    case string(start: Int, end: Int, hasEscapes: Bool)
    /// The tokens of the elements follow.
    case array(count: Int)
    /// The tokens of each member's name and value follow.
    case object(count: Int)
  }

  private let bytes: [UInt8]
  private let tokens: [Token]
  private let arrayMark: LuaTable

  /// Checks a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - arrayMark: The metatable of arrays, by which an empty one is written as an array again.
  /// - Throws: ``JSONError`` with the place of the first mistake.
  init(_ text: String, arrayMark: LuaTable) throws(JSONError) {
    let bytes = Array(text.utf8)
    self.bytes = bytes
    self.arrayMark = arrayMark
    do {
      tokens = try bytes.withUnsafeBufferPointer { buffer throws(JSONMistake) in
        var scanner = JSONScanner(bytes: buffer)
        return try scanner.scan()
      }
    } catch {
      throw error.described(in: bytes)
    }
  }

  static var luaTypeName: String { "any" }

  func push(to stack: LuaStack) throws(LuaError) {
    var position = 0
    try pushNext(from: &position, to: stack)
  }

  fileprivate func pushNext(from position: inout Int, to stack: LuaStack) throws(LuaError) {
    let token = tokens[position]
    position += 1
    switch token {
    case .null: try LuaNull.null.push(to: stack)
    case .boolean(let value): stack.push(value)
    case .integer(let value): stack.push(value)
    case .number(let value): stack.push(value)
    case .string(let start, let end, let hasEscapes):
      stack.push(bytes: hasEscapes ? unescaped(bytes[start..<end])[...] : bytes[start..<end])
    case .array(let count):
      let cursor = Cursor(document: self, position: position)
      try stack.pushTable(elementCount: count) { table throws(LuaError) in
        try table.setMetatable(arrayMark)
        for _ in 0..<count { try table.append(cursor) }
      }
      position = cursor.position
    case .object(let count):
      let cursor = Cursor(document: self, position: position)
      try stack.pushTable(fieldCount: count) { table throws(LuaError) in
        for _ in 0..<count {
          try stack.checkStop()
          try table.set(key: cursor, to: cursor)
        }
      }
      position = cursor.position
    }
  }

  /// Replaces the escapes of a string, which are known to be valid.
  private func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var position = text.startIndex
    while position < text.endIndex {
      let byte = text[position]
      position += 1
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      let letter = text[position]
      position += 1
      guard letter == UInt8(ascii: "u") else {
        result.append(JSONScanner.escapes[letter] ?? letter)
        continue
      }
      var unit = JSONScanner.unit(text[position..<position + 4])
      position += 4
      if (0xD800...0xDBFF).contains(unit) {
        unit =
          0x10000 + (unit - 0xD800) << 10
          + (JSONScanner.unit(text[position + 2..<position + 6]) - 0xDC00)
        position += 6
      }
      // The scanner has refused halves of surrogate pairs.
      if let scalar = Unicode.Scalar(unit) { result += Array(String(Character(scalar)).utf8) }
    }
    return result
  }
}

/// The place of the next token while a table is filled: each push moves it on.
private final class Cursor: LuaPushable {
  private let document: JSONDocument
  private(set) var position: Int

  init(document: JSONDocument, position: Int) {
    self.document = document
    self.position = position
  }

  static var luaTypeName: String { JSONDocument.luaTypeName }

  func push(to stack: LuaStack) throws(LuaError) {
    try document.pushNext(from: &position, to: stack)
  }
}

/// A mistake at an offset in a text.
private struct JSONMistake: Error {
  let offset: Int
  let problem: String

  func described(in bytes: [UInt8]) -> JSONError {
    let before = bytes[..<offset]
    let newline = UInt8(ascii: "\n")
    let line = before.count { $0 == newline } + 1
    let start = before.lastIndex(of: newline).map { $0 + 1 } ?? 0
    // Each character of UTF-8 has one byte that doesn't continue another one.
    let column = before[start...].count { $0 & 0xC0 != 0x80 } + 1
    return JSONError(place: .position(line: line, column: column), problem: problem)
  }
}

/// Checks a text, and makes its tokens.
private struct JSONScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var depth = 0
  private var tokens: [JSONDocument.Token] = []

  init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    tokens.reserveCapacity(bytes.count / 8)
  }

  /// What follows a backslash in a string, except for "u".
  static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
    UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
  ]

  /// The value of four hexadecimal digits.
  static func unit(_ digits: some Sequence<UInt8>) -> UInt32 {
    digits.reduce(0) { $0 << 4 | UInt32(hexadecimalValue($1) ?? 0) }
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  mutating func scan() throws(JSONMistake) -> [JSONDocument.Token] {
    try scanValue()
    skipSpace()
    guard position == bytes.count else {
      throw unexpected("the end of the text", hint: "a text has one value")
    }
    return tokens
  }

  // MARK: - Values

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func scanValue() throws(JSONMistake) {
    skipSpace()
    switch next {
    case UInt8(ascii: "\""): try scanString()
    case UInt8(ascii: "{"): try scanObject()
    case UInt8(ascii: "["): try scanArray()
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"): try scanNumber()
    case UInt8(ascii: "n"): try scanWord("null", .null)
    case UInt8(ascii: "t"): try scanWord("true", .boolean(true))
    case UInt8(ascii: "f"): try scanWord("false", .boolean(false))
    default: throw unexpected("a value")
    }
  }

  private mutating func scanWord(_ word: StaticString, _ token: JSONDocument.Token)
    throws(JSONMistake)
  {
    let end = position + word.utf8CodeUnitCount
    guard end <= bytes.count,
      UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        .elementsEqual(bytes[position..<end])
    else { throw unexpected("a value") }
    position = end
    tokens.append(token)
  }

  private mutating func scanArray() throws(JSONMistake) {
    let index = try open()
    var count = 0
    while true {
      skipSpace()
      if count == 0, next == UInt8(ascii: "]") { break }
      try scanValue()
      count += 1
      skipSpace()
      if next == UInt8(ascii: "]") { break }
      guard next == UInt8(ascii: ",") else { throw unexpected("\",\" or \"]\"") }
      position += 1
      skipSpace()
      if next == UInt8(ascii: "]") {
        throw unexpected("a value", hint: "no comma stands before it")
      }
    }
    close(index, .array(count: count))
  }

  private mutating func scanObject() throws(JSONMistake) {
    let index = try open()
    var count = 0
    while true {
      skipSpace()
      if count == 0, next == UInt8(ascii: "}") { break }
      guard next == UInt8(ascii: "\"") else {
        throw unexpected(
          "a name in double quotes",
          hint: next == UInt8(ascii: "}") ? "no comma stands before it" : nil)
      }
      try scanString()
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw unexpected("\":\"") }
      position += 1
      try scanValue()
      count += 1
      skipSpace()
      if next == UInt8(ascii: "}") { break }
      guard next == UInt8(ascii: ",") else { throw unexpected("\",\" or \"}\"") }
      position += 1
    }
    close(index, .object(count: count))
  }

  /// Passes an opening bracket, and keeps a place for its token.
  private mutating func open() throws(JSONMistake) -> Int {
    depth += 1
    guard depth <= maximumJSONDepth else {
      throw mistake("arrays and objects are nested more than \(maximumJSONDepth) deep")
    }
    position += 1
    tokens.append(.null)
    return tokens.count - 1
  }

  private mutating func close(_ index: Int, _ token: JSONDocument.Token) {
    depth -= 1
    position += 1
    tokens[index] = token
  }

  // MARK: - Strings and numbers

  private mutating func scanString() throws(JSONMistake) {
    position += 1
    let start = position
    var hasEscapes = false
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        tokens.append(.string(start: start, end: position, hasEscapes: hasEscapes))
        position += 1
        return
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try scanEscape()
      case 0..<0x20:
        throw mistake("a control character in a string must be written as an escape, such as \\n")
      default:
        position += 1
      }
    }
    throw mistake("a string has no end")
  }

  private mutating func scanEscape() throws(JSONMistake) {
    let start = position
    position += 1
    guard let letter = next else { throw mistake("a string has no end") }
    guard letter == UInt8(ascii: "u") else {
      guard Self.escapes[letter] != nil else {
        position = start
        throw mistake("no such escape; there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u0000")
      }
      position += 1
      return
    }
    position += 1
    let unit = try scanUnit(of: start)
    guard (0xD800...0xDFFF).contains(unit) else { return }
    guard unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    else { throw halfPair(at: start) }
    position += 2
    guard (0xDC00...0xDFFF).contains(try scanUnit(of: start)) else { throw halfPair(at: start) }
  }

  private func halfPair(at start: Int) -> JSONMistake {
    JSONMistake(offset: start, problem: "half of a surrogate pair is no character")
  }

  private mutating func scanUnit(of start: Int) throws(JSONMistake) -> UInt32 {
    let end = position + 4
    guard end <= bytes.count,
      bytes[position..<end].allSatisfy({ Self.hexadecimalValue($0) != nil })
    else { throw JSONMistake(offset: start, problem: "\\u needs four hexadecimal digits") }
    defer { position = end }
    return Self.unit(bytes[position..<end])
  }

  private mutating func scanNumber() throws(JSONMistake) {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let firstDigit = next
    let digits = try scanDigits()
    if firstDigit == UInt8(ascii: "0"), digits > 1 {
      throw JSONMistake(offset: start, problem: "a number begins with 0")
    }
    var isInteger = true
    if next == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      try scanDigits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try scanDigits()
    }
    tokens.append(try number(from: start, isInteger: isInteger))
  }

  /// Passes at least one digit, and returns their number.
  @discardableResult
  private mutating func scanDigits() throws(JSONMistake) -> Int {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw unexpected("a digit") }
    return position - start
  }

  private func number(from start: Int, isInteger: Bool) throws(JSONMistake) -> JSONDocument.Token {
    let digits = bytes[start..<position]
    // The sign of -0 is lost to an integer.
    let isMinusZero =
      digits.count == 2 && digits.first == UInt8(ascii: "-") && digits.last == UInt8(ascii: "0")
    if isInteger, !isMinusZero, let integer = Self.integer(digits) { return .integer(integer) }
    guard let number = Double(Substring(decoding: digits, as: UTF8.self)), number.isFinite else {
      throw JSONMistake(offset: start, problem: "a number is too large for a float")
    }
    return .number(number)
  }

  /// The integer of digits that may follow a minus sign; nil if it doesn't fit.
  private static func integer(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    let isNegative = digits.first == UInt8(ascii: "-")
    var integer: Int64 = 0
    // Towards the negative, which has one integer more.
    for digit in digits.dropFirst(isNegative ? 1 : 0) {
      let (product, overflows) = integer.multipliedReportingOverflow(by: 10)
      let (difference, underflows) = product.subtractingReportingOverflow(
        Int64(digit - UInt8(ascii: "0")))
      guard !overflows, !underflows else { return nil }
      integer = difference
    }
    guard !isNegative else { return integer }
    return integer == .min ? nil : -integer
  }

  // MARK: - Mistakes

  private func mistake(_ problem: String) -> JSONMistake {
    JSONMistake(offset: position, problem: problem)
  }

  private func unexpected(_ expected: String, hint: String? = nil) -> JSONMistake {
    mistake("expected \(expected), found \(found)" + (hint.map { "; \($0)" } ?? ""))
  }

  /// What stands at the position: a character, or the beginning of a word.
  private var found: String {
    guard position < bytes.count else { return "the end of the text" }
    let rest = bytes[position...].prefix(40)
    let word = rest.prefix { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    }
    guard word.isEmpty else { return "\"\(String(decoding: word.prefix(20), as: UTF8.self))\"" }
    let character = String(decoding: rest, as: UTF8.self).unicodeScalars.prefix(1)
    return LuaString(String(String.UnicodeScalarView(character))).shown
  }
}
