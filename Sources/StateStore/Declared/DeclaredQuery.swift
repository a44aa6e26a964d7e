/// A query over a list of a declared feature.
///
/// It is a class of its own, as only this module has the code of a ``ListQuery`` that is compiled for these records: code for
/// records of any type takes several times as long.
package final class DeclaredQuery: Sendable {
  package let list: DeclaredList
  private let query: ListQuery<DeclaredRecord>

  package init(_ kind: QueryKind, over list: DeclaredList) {
    (self.list, query) = (list, ListQuery(kind))
  }

  package var kind: QueryKind { query.kind }

  /// Whether the result for the list in a state of its feature is known.
  package func isCurrent(in box: AnyFeatureState) -> Bool {
    query.isCurrent(for: records(in: box))
  }

  /// The number of records by which the list in a state of its feature is longer than the last one: all of them at first.
  package func unseenCount(in box: AnyFeatureState) -> Int {
    records(in: box).count - query.seenCount
  }

  /// See ``ListQuery/result(of:_:)``.
  package func result(
    in box: AnyFeatureState, _ value: (DeclaredRecord, _ function: Int) throws -> StateValue
  ) throws -> QueryResult {
    try query.result(of: records(in: box), value)
  }

  /// See ``QueryResult/stateValue(_:)``.
  package func value(
    of result: QueryResult, in box: AnyFeatureState
  ) throws(QueryError) -> StateValue {
    let records = records(in: box)
    return try result.stateValue { records[id: $0]?.stateValue }
  }

  private func records(in box: AnyFeatureState) -> RecordList<DeclaredRecord> {
    list[box]
  }
}
