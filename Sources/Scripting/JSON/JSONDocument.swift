import Lua
import Platform

/// A value that was read from JSON text (RFC 8259), in the form that Lua gets.
///
/// Foundation's decoder neither distinguishes `1` from `1.0` nor says where a mistake is. Of members with the same name the
/// last counts, as in most readers.
enum JSONDocument: LuaPushable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case number(Double)
  case string([UInt8])
  /// Its metatable marks it as an array, even if it is empty.
  case array([JSONDocument], mark: LuaTable)
  case object([(name: [UInt8], value: JSONDocument)])

  /// Reads a text.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - arrayMark: The metatable of arrays, by which an empty one is written as an array again.
  /// - Throws: ``JSONError`` with the place of the first mistake.
  init(_ text: String, arrayMark: LuaTable) throws(JSONError) {
    let bytes = Array(text.utf8)
    do {
      self = try Self.scanned(bytes, arrayMark)
    } catch {
      throw error.described(in: bytes)
    }
  }

  /// Reads a text that may not be valid UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - subject: The text's name in messages.
  ///   - arrayMark: The metatable of arrays.
  /// - Throws: ``JSONError`` with the place of the first mistake.
  init(bytes: [UInt8], of subject: String, arrayMark: LuaTable) throws(JSONError) {
    do {
      try JSONMistake.check(bytes)
      self = try Self.scanned(bytes, arrayMark)
    } catch {
      var error = error.described(in: bytes)
      error.subject = subject
      throw error
    }
  }

  private static func scanned(
    _ bytes: [UInt8], _ arrayMark: LuaTable
  ) throws(JSONMistake) -> JSONDocument {
    try bytes.withUnsafeBufferPointer { buffer throws(JSONMistake) in
      var scanner = JSONScanner(bytes: buffer, arrayMark: arrayMark)
      return try scanner.scan()
    }
  }

  static var luaTypeName: String { "any" }

  func push(to stack: LuaStack) throws(LuaError) {
    switch self {
    case .null: try LuaNull.null.push(to: stack)
    case .boolean(let value): stack.push(value)
    case .integer(let value): stack.push(value)
    case .number(let value): stack.push(value)
    case .string(let bytes): stack.push(bytes: bytes)
    case .array(let elements, let mark):
      try stack.pushTable(elementCount: elements.count) { table throws(LuaError) in
        try table.setMetatable(mark)
        for element in elements { try table.append(element) }
      }
    case .object(let members):
      try stack.pushTable(fieldCount: members.count) { table throws(LuaError) in
        for (name, value) in members {
          try stack.checkStop()
          try table.set(key: JSONDocument.string(name), to: value)
        }
      }
    }
  }
}

/// A mistake at an offset in a text.
private struct JSONMistake: Error {
  let offset: Int
  let problem: String

  /// Checks that a text is valid UTF-8.
  static func check(_ bytes: [UInt8]) throws(JSONMistake) {
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    var (parser, rest, offset) = (Unicode.UTF8.ForwardParser(), bytes.makeIterator(), 0)
    while case .valid(let scalar) = parser.parseScalar(from: &rest) { offset += scalar.count }
    throw JSONMistake(offset: offset, problem: "it isn't valid UTF-8")
  }

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

/// Reads the values of a text.
private struct JSONScanner {
  let bytes: UnsafeBufferPointer<UInt8>
  let arrayMark: LuaTable
  private var position = 0
  private var depth = 0

  init(bytes: UnsafeBufferPointer<UInt8>, arrayMark: LuaTable) {
    (self.bytes, self.arrayMark) = (bytes, arrayMark)
  }

  /// The bytes for the letters after a backslash in a string, except for "u".
  private static let escapes: [UInt8: UInt8] = [
    UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
    UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12,
    UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
  ]

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  mutating func scan() throws(JSONMistake) -> JSONDocument {
    let value = try scanValue()
    skipSpace()
    guard position == bytes.count else {
      throw unexpected("the end of the text", hint: "a text has one value")
    }
    return value
  }

  // MARK: - Values

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
      position += 1
    }
  }

  private mutating func scanValue() throws(JSONMistake) -> JSONDocument {
    skipSpace()
    switch next {
    case UInt8(ascii: "\""): return .string(try scanString())
    case UInt8(ascii: "{"):
      return .object(try nested { scanner throws(JSONMistake) in try scanner.scanMembers() })
    case UInt8(ascii: "["):
      return .array(
        try nested { scanner throws(JSONMistake) in try scanner.scanElements() }, mark: arrayMark)
    case .some(UInt8(ascii: "0")...UInt8(ascii: "9")), UInt8(ascii: "-"): return try scanNumber()
    default:
      for (word, value) in [
        ("null", JSONDocument.null), ("true", .boolean(true)), ("false", .boolean(false)),
      ]
      where bytes[position...].starts(with: word.utf8) {
        position += word.utf8.count
        return value
      }
      throw unexpected("a value")
    }
  }

  /// Scans the contents of an array or object, between its brackets.
  private mutating func nested<Contents>(
    _ scan: (inout JSONScanner) throws(JSONMistake) -> Contents
  ) throws(JSONMistake) -> Contents {
    depth += 1
    guard depth <= maximumJSONDepth else {
      throw mistake("arrays and objects are nested more than \(maximumJSONDepth) deep")
    }
    position += 1
    let contents = try scan(&self)
    depth -= 1
    position += 1
    return contents
  }

  private mutating func scanElements() throws(JSONMistake) -> [JSONDocument] {
    var elements: [JSONDocument] = []
    skipSpace()
    if next == UInt8(ascii: "]") { return elements }
    while true {
      elements.append(try scanValue())
      skipSpace()
      if next == UInt8(ascii: "]") { return elements }
      guard next == UInt8(ascii: ",") else { throw unexpected("\",\" or \"]\"") }
      position += 1
      skipSpace()
      if next == UInt8(ascii: "]") {
        throw unexpected("a value", hint: "no comma stands before it")
      }
    }
  }

  private mutating func scanMembers() throws(JSONMistake) -> [(name: [UInt8], value: JSONDocument)]
  {
    var members: [(name: [UInt8], value: JSONDocument)] = []
    skipSpace()
    if next == UInt8(ascii: "}") { return members }
    while true {
      skipSpace()
      guard next == UInt8(ascii: "\"") else {
        throw unexpected(
          "a name in double quotes",
          hint: next == UInt8(ascii: "}") ? "no comma stands before it" : nil)
      }
      let name = try scanString()
      skipSpace()
      guard next == UInt8(ascii: ":") else { throw unexpected("\":\"") }
      position += 1
      members.append((name, try scanValue()))
      skipSpace()
      if next == UInt8(ascii: "}") { return members }
      guard next == UInt8(ascii: ",") else { throw unexpected("\",\" or \"}\"") }
      position += 1
    }
  }

  // MARK: - Strings and numbers

  private mutating func scanString() throws(JSONMistake) -> [UInt8] {
    position += 1
    var string: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        return string
      case UInt8(ascii: "\\"):
        string += try scanEscape()
      case 0..<0x20:
        throw mistake("a control character in a string must be written as an escape, such as \\n")
      default:
        string.append(byte)
        position += 1
      }
    }
    throw mistake("a string has no end")
  }

  private mutating func scanEscape() throws(JSONMistake) -> [UInt8] {
    let start = position
    position += 1
    guard let letter = next else { throw mistake("a string has no end") }
    guard letter == UInt8(ascii: "u") else {
      guard let byte = Self.escapes[letter] else {
        position = start
        throw mistake("no such escape; there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u0000")
      }
      position += 1
      return [byte]
    }
    position += 1
    var unit = try scanUnit(of: start)
    if (0xD800..<0xDC00).contains(unit), bytes[position...].starts(with: "\\u".utf8) {
      position += 2
      let second = try scanUnit(of: start)
      guard (0xDC00...0xDFFF).contains(second) else { throw Self.halfPair(at: start) }
      unit = 0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(unit) else { throw Self.halfPair(at: start) }
    return Array(String(scalar).utf8)
  }

  private static func halfPair(at start: Int) -> JSONMistake {
    JSONMistake(offset: start, problem: "half of a surrogate pair is no character")
  }

  /// The value of four hexadecimal digits.
  private mutating func scanUnit(of start: Int) throws(JSONMistake) -> UInt32 {
    let digits = bytes[position...].prefix(4).compactMap(Self.hexadecimalValue)
    guard digits.count == 4 else {
      throw JSONMistake(offset: start, problem: "\\u needs four hexadecimal digits")
    }
    position += 4
    return digits.reduce(0) { $0 << 4 | UInt32($1) }
  }

  private mutating func scanNumber() throws(JSONMistake) -> JSONDocument {
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
    return try number(from: start, isInteger: isInteger)
  }

  /// Passes at least one digit, and returns their number.
  @discardableResult
  private mutating func scanDigits() throws(JSONMistake) -> Int {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw unexpected("a digit") }
    return position - start
  }

  private func number(from start: Int, isInteger: Bool) throws(JSONMistake) -> JSONDocument {
    let digits = bytes[start..<position]
    // The sign of -0 is lost to an integer.
    let isMinusZero =
      digits.count == 2 && digits.first == UInt8(ascii: "-") && digits.last == UInt8(ascii: "0")
    let text = Substring(decoding: digits, as: UTF8.self)
    if isInteger, !isMinusZero, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      throw JSONMistake(offset: start, problem: "a number is too large for a float")
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
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
    }
    guard word.isEmpty else { return "\"\(String(decoding: word.prefix(20), as: UTF8.self))\"" }
    let character = String(decoding: rest, as: UTF8.self).unicodeScalars.prefix(1)
    return String(String.UnicodeScalarView(character)).printable
  }
}
