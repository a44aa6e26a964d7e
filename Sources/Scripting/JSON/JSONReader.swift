import Lua
import StateStore

extension JSONMarks {
  /// Reads a value from JSON text, and builds it in Lua while reading.
  ///
  /// Arrays have a metatable by which an empty one is written as an array again.
  ///
  /// - Throws: ``JSONError`` with the place of the first mistake; what ``LuaStack/checkStop()`` does.
  func value(ofJSON text: [UInt8], named subject: String? = nil) throws -> LuaValue {
    do {
      return try openState().makeValue { builder in
        var scanner = try JSONScanner(text)
        while let token = try scanner.next() { try builder.add(token, of: scanner, self) }
      }
    } catch let mistake as JSONMistake {
      let (line, column) = mistake.position(in: text)
      throw JSONError(
        place: .position(line: line, column: column), problem: mistake.problem, subject: subject)
    }
  }
}

extension LuaValueBuilder {
  fileprivate mutating func add(
    _ token: JSONScanner.Token, of scanner: JSONScanner, _ marks: JSONMarks
  ) throws(LuaError) {
    switch token {
    case .null: try add(LuaNull.null)
    case .boolean(let value): try add(value)
    case .integer(let value): try add(value)
    case .number(let value): try add(value)
    case .string:
      try scanner.withText { text throws(LuaError) in try add(text) }
    case .name:
      try scanner.withText { text throws(LuaError) in try setName(text) }
    case .beginArray: try beginTable(isSequence: true, metatable: marks.array)
    case .beginObject: try beginTable(isSequence: false)
    case .endArray, .endObject: try endTable()
    }
  }
}
