/// What is wrong with a document of a state, and where.
struct StateDocumentProblem: Error {
  /// Where it is, such as `persons[3]`, and what is wrong there.
  let message: String

  init(_ path: String, _ reason: String) {
    message = path.isEmpty ? reason : "\(path): \(reason)"
  }

  /// - Parameters:
  ///   - path: Where it is, as decoders have it: with positions from 0.
  ///   - reason: What is wrong there.
  init(_ path: [any CodingKey], _ reason: String) {
    self.init(JSONProblem.text(of: path), reason)
  }

  /// Checks every record of a list.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - path: The path of the list.
  ///   - check: Throws what is wrong with a record.
  /// - Throws: The problem of the first bad record.
  static func check<Record>(
    _ records: [Record], at path: String, _ check: (Record) throws -> Void
  ) throws(StateDocumentProblem) {
    for (index, record) in records.enumerated() {
      do {
        try check(record)
      } catch {
        throw StateDocumentProblem("\(path)[\(index + 1)]", "\(error)")
      }
    }
  }

  /// Makes a list of records.
  ///
  /// - Throws: The problem where two have the same id.
  static func list<Record>(
    _ records: [Record], at path: String, order: RecordList<Record>.Order = .oldestFirst
  ) throws(StateDocumentProblem) -> RecordList<Record> {
    do {
      return try RecordList(order: order, records: records)
    } catch {
      throw StateDocumentProblem(path, "\(error)")
    }
  }
}
