/// What a query makes of the records of a list.
package indirect enum QueryKind: Equatable, Sendable {
  /// The sum of a function's values.
  case sum
  /// The number of the records for which a function is true, or of all.
  case count
  /// The lowest or highest value of a function.
  case minimum, maximum
  /// The records for which a function is true, in the order of the list.
  case selection
  /// All records in the order of a function's values.
  case order
  /// The groups of records for which a function has the same value, with an aggregate of each group by each other function.
  case groups([Member])

  /// A named aggregate of each group: ``sum``, ``count``, ``minimum`` or ``maximum``.
  package struct Member: Equatable, Sendable {
    package let name: String
    package let kind: QueryKind

    package init(_ name: String, _ kind: QueryKind) { (self.name, self.kind) = (name, kind) }
  }
}

extension QueryKind {
  /// Whether the result is records or groups, and no single value.
  package var hasObject: Bool {
    switch self {
    case .sum, .count, .minimum, .maximum: false
    case .selection, .order, .groups: true
    }
  }

  /// The result of a query over records that isn't followed.
  ///
  /// - Throws: ``QueryError`` for values of which the query has no result, or what the function throws.
  package func result(
    of ids: ListElements<Int>, _ value: (_ id: Int, _ function: Int) throws -> StateValue
  ) throws -> QueryResult {
    var aggregate = makeAggregate()
    for rank in 0..<ids.count {
      let id = ids[rank]
      let share = try RecordShare(self, ofRecord: id) { try value(id, $0) }
      aggregate.add(share, id: id, rank: rank)
    }
    return try aggregate.result(self)
  }
}

package enum QueryResult: Sendable {
  case value(StateValue)
  /// The ids of the records.
  case records(ListElements<Int>)
  case groups(QueryGroups)
}

extension QueryResult {
  /// The result as a value: records as they are, and groups under their keys.
  ///
  /// - Throws: ``QueryError`` if an aggregate of a group has no value.
  package func stateValue(
    _ record: (_ id: Int) -> StateValue?
  ) throws(QueryError) -> StateValue {
    switch self {
    case .value(let value): value
    case .groups(let groups): try groups.stateValue
    case .records(let ids): .list(ids.compactMap(record))
    }
  }
}

/// Groups of records in the order of their keys.
package struct QueryGroups: Sendable {
  let groups: SortedTree<SortKey, RecordGroup>
  let members: [QueryKind.Member]

  package var keys: ListElements<StateValue> {
    ListElements(count: groups.count) { [groups] in groups[position: $0].key.stateValue }
  }

  package func ids(ofKey key: StateValue) -> ListElements<Int>? {
    SortKey(key).flatMap { groups[$0] }?.elements
  }

  /// The aggregates of the group with a key; nil if there is none.
  package func members(ofKey key: StateValue) throws(QueryError) -> StateValue? {
    guard let key = SortKey(key), let group = groups[key] else { return nil }
    return try group.values(members)
  }

  /// The groups as a value, each under its key as a text.
  package var stateValue: StateValue {
    get throws(QueryError) {
      var values: [StateValue.Member] = []
      for position in 0..<groups.count {
        let entry = groups[position: position]
        values.append(
          StateValue.Member(
            name: entry.key.stateValue.asName, value: try entry.value.values(members)))
      }
      return .record(values)
    }
  }
}

extension StateValue {
  fileprivate var asName: String { if case .text(let text) = self { text } else { json } }
}

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
      "its function gives \(other.stateValue.kindForMessage) for the record with the id \(id), "
        + "and \(key.stateValue.kindForMessage) for others")
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
