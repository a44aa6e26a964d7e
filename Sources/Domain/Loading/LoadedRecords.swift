import StateStore
/// A JSON array of records, which says of the first bad one which it is.
struct LoadedRecords<Record: Decodable>: Decodable {
  /// A record that can't be decoded.
  struct Failure: Error {
    /// The record's place, from 0.
    let index: Int

    /// What its decoding threw.
    let error: any Error

    /// What stands where the error is; nil where even that can't be told.
    let found: JSONKind?

    /// Where the error doesn't say which field it is about: those whose numbers no `Int` holds.
    let otherNumbers: [String]

    /// Looks at the bad record; what can't be found out is left unsaid, for its error is what counts.
    fileprivate init(_ error: any Error, at index: Int, in decoder: (any Decoder)?) {
      self.index = index
      self.error = error
      switch error {
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
        let path = context.codingPath.dropFirst()
        found = decoder.flatMap { try? JSONKind(at: path, of: $0) }
        otherNumbers = []
      case is DecodingError, is JSONProblem, is any CodedError:
        found = nil
        otherNumbers = []
      default:
        found = nil
        otherNumbers = decoder.flatMap { try? JSONKind.membersWithOtherNumbers(of: $0) } ?? []
      }
    }
  }

  let records: [Record]

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    var records: [Record] = []
    while !container.isAtEnd {
      guard !Task.isCancelled else { throw CancellationError() }
      do {
        records.append(try container.decode(Record.self))
      } catch {
        // The container stays at the record that failed.
        throw Failure(error, at: container.currentIndex, in: try? container.superDecoder())
      }
    }
    self.records = records
  }
}
