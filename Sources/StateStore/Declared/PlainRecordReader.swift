/// Reads a list of declared records from JSON text if all their parts are plain: numbers, truths and texts.
///
/// A decoder takes several times as long, which people notice at each opening of a large list. It reads the lists that this
/// doesn't, and says what is wrong in a text.
struct PlainRecordReader {
  private var scanner: JSONScanner
  private let type: RecordType

  /// The records in a text; nil if a decoder has to read it.
  static func records(in text: String, of type: RecordType) -> [DeclaredRecord]? {
    do throws(JSONMistake) {
      var reader = PlainRecordReader(scanner: try JSONScanner(Array(text.utf8)), type: type)
      return try reader.readRecords()
    } catch {
      return nil
    }
  }

  private mutating func readRecords() throws(JSONMistake) -> [DeclaredRecord]? {
    guard try scanner.next() == .beginArray else { return nil }
    var records: [DeclaredRecord] = []
    while let token = try scanner.next(), token != .endArray {
      guard token == .beginObject, let record = try readRecord() else { return nil }
      records.append(record)
    }
    return try scanner.next() == nil ? records : nil
  }

  /// Reads a record after its opening bracket; members that the type doesn't have are left out.
  private mutating func readRecord() throws(JSONMistake) -> DeclaredRecord? {
    var id: Int?
    var values = type.initialValues
    // The parts that were read, as bits by their indexes. A member that is there twice isn't plain.
    var known: UInt64 = 0
    while let token = try scanner.next(), token != .endObject {
      let name = scanner.text
      guard let token = try scanner.next() else { return nil }
      if let index = type.index(of: name) {
        let bit: UInt64 = 1 << index
        guard bit != 0, known & bit == 0, let value = value(of: type.parts[index].type, token)
        else { return nil }
        known |= bit
        values[index] = value
      } else if name == "id" {
        guard id == nil, case .integer(let integer) = token else { return nil }
        id = Int(integer)
      } else {
        _ = try scanner.value(beginningWith: token)
      }
    }
    return id.map { DeclaredRecord(id: $0, values, of: type) }
  }

  private func value(of type: ValueType, _ token: JSONScanner.Token) -> StateValue? {
    switch (type, token) {
    case (.optional, .null): StateValue.none
    case (.optional(let wrapped), _): value(of: wrapped, token)
    case (.range(let range), _): value(of: range.base, token)
    case (.boolean, .boolean(let boolean)): .boolean(boolean)
    case (.integer, .integer(let integer)), (.reference, .integer(let integer)):
      .integer(Int(integer))
    case (.number, .number(let number)), (.decimal, .number(let number)): .number(number)
    case (.number, .integer(let integer)), (.decimal, .integer(let integer)):
      .number(Double(integer))
    case (.string, .string), (.text, .string): .text(scanner.text)
    case (.oneOf(let names), .string):
      names.first(where: scanner.text.isExactly).map { .text($0) }
    case (.date, .string): CalendarDate(scanner.text)?.stateValue
    case (.time, .string): TimeStamp(scanner.text)?.stateValue
    default: nil
    }
  }
}
