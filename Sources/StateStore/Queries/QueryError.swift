/// Why a query has no result.
package typealias QueryError = PlainError<QueryKind>

extension QueryError {
  static var sumTooLarge: Self { bad("the sum is beyond the range of integers of 64 bits") }

  static func notANumber(_ value: StateValue, ofRecord id: Int) -> Self {
    bad(
      "its function gives \(value.kindForMessage) for the record with the id \(id), and a sum needs numbers"
    )
  }

  static func notAKey(_ value: StateValue, ofRecord id: Int) -> Self {
    bad(
      "its function gives \(value.kindForMessage) for the record with the id \(id); "
        + "a number, a string or a boolean has an order")
  }

  static func mixedKinds(_ key: SortKey, _ other: SortKey, ofRecord id: Int) -> Self {
    bad(
      "its function gives \(other.kind) for the record with the id \(id), and \(key.kind) for others"
    )
  }

  private static func bad(_ message: String) -> Self { Self("bad_query", message) }
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
