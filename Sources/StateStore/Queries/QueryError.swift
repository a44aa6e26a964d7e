/// Why a query has no result.
package struct QueryError: CodedError, Equatable {
  package let code = "bad_query"
  package let message: String

  private init(_ message: String) { self.message = message }

  static let sumTooLarge = QueryError("the sum is beyond the range of integers of 64 bits")

  static func notANumber(_ value: StateValue, ofRecord id: Int) -> QueryError {
    QueryError(
      "its function gives \(value.kindForMessage) for the record with the id \(id), and a sum needs numbers"
    )
  }

  static func notAKey(_ value: StateValue, ofRecord id: Int) -> QueryError {
    QueryError(
      "its function gives \(value.kindForMessage) for the record with the id \(id); "
        + "a number, a string or a boolean has an order")
  }

  static func mixedKinds(_ key: QueryKey, _ other: QueryKey, ofRecord id: Int) -> QueryError {
    QueryError(
      "its function gives \(other.kind) for the record with the id \(id), and \(key.kind) for others"
    )
  }
}

extension StateValue {
  fileprivate var kindForMessage: String {
    switch self {
    case .none: "nil"
    case .boolean: "a boolean"
    case .integer: "a number"
    case .number(let number): number.isNaN ? "nan" : "a number"
    case .text: "a string"
    case .secret: "a secret"
    case .list, .record: "a table"
    }
  }
}
