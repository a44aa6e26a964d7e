import Lua
import StateStore

/// Reads comma-separated values (RFC 4180) cell by cell.
///
/// Lines end with a line feed, a carriage return, or both; a byte order mark and empty lines are skipped.
struct CSVReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let separator: UInt8
  private var index = 0
  /// The number of the line of the next cell, from 1.
  private(set) var line = 1
  /// The bytes of a quoted cell that has quotes in it.
  private var unquoted: [UInt8] = []

  /// The end of a cell: another cell follows, or the line ends.
  enum End {
    case cell, line
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>, separator: UInt8) {
    (self.bytes, self.separator) = (bytes, separator)
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { index = 3 }
  }

  private static let quote = UInt8(ascii: "\"")
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Skips empty lines; returns whether there is another one.
  mutating func findLine() -> Bool {
    while index < bytes.count, isLineEnd(bytes[index]) { skipLineEnd() }
    return index < bytes.count
  }

  /// Reads the next cell, gives its bytes to the body, and returns what follows it.
  mutating func cell(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws -> End {
    if index < bytes.count, bytes[index] == Self.quote {
      try quotedCell(body)
    } else {
      let start = index
      while index < bytes.count, bytes[index] != separator, !isLineEnd(bytes[index]) { index += 1 }
      try body(UnsafeBufferPointer(rebasing: bytes[start..<index]))
    }
    guard index < bytes.count else { return .line }
    if bytes[index] == separator {
      index += 1
      return .cell
    }
    guard isLineEnd(bytes[index]) else { throw CSVError.textAfterQuotes(line: line) }
    skipLineEnd()
    return .line
  }

  private mutating func quotedCell(_ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    let startLine = line
    unquoted.removeAll(keepingCapacity: true)
    index += 1
    var start = index
    while true {
      guard index < bytes.count else { throw CSVError.openQuotes(line: startLine) }
      let byte = bytes[index]
      index += 1
      if byte == Self.newline { line += 1 }
      guard byte == Self.quote else { continue }
      let part = bytes[start..<(index - 1)]
      if index < bytes.count, bytes[index] == Self.quote {
        unquoted += part
        unquoted.append(Self.quote)
        index += 1
        start = index
      } else if unquoted.isEmpty {
        return try body(UnsafeBufferPointer(rebasing: part))
      } else {
        unquoted += part
        return try unquoted.withUnsafeBufferPointer(body)
      }
    }
  }

  private func isLineEnd(_ byte: UInt8) -> Bool {
    byte == Self.newline || byte == Self.carriageReturn
  }

  private mutating func skipLineEnd() {
    let isPair =
      bytes[index] == Self.carriageReturn && index + 1 < bytes.count
      && bytes[index + 1] == Self.newline
    index += isPair ? 2 : 1
    line += 1
  }
}

/// Why a text can't be read as comma-separated values.
struct CSVError: ScriptableError, Equatable {
  let code = "bad_csv"
  let message: String
  /// The line, from 1.
  let line: Int

  private init(_ line: Int, _ problem: String) {
    (self.line, message) = (line, "not CSV (line \(line)): \(problem)")
  }

  static func openQuotes(line: Int) -> Self {
    Self(line, "the quotes that open here aren't closed")
  }

  static func textAfterQuotes(line: Int) -> Self {
    Self(line, "a separator or a new line must follow the closing quotes of a cell")
  }

  static func tooManyCells(line: Int, columnCount: Int) -> Self {
    Self(line, "it has more cells than the header, which has \(columnCount)")
  }

  static func repeatedColumn(_ name: String, line: Int) -> Self {
    Self(line, "two columns are called \(name.shortenedForMessage.luaLiteral)")
  }

  var luaFields: [String: any LuaPushable] { ["line": line] }
}
