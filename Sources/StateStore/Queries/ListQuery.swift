import Synchronization

/// A query over a list of records, which follows the list: after a change, it only looks at the records that differ.
///
/// It finds them by comparing the list with the one that it saw last. So it needs no word of a change, and holds for any
/// list: one of the past, in the middle of an action, or of another store. What it compares with shares its parts with the
/// list, so it costs no memory but for what changed since.
final class ListQuery<Record: StateStore.Record>: Sendable {
  let kind: QueryKind

  private struct Memory: Sendable {
    /// The records when the query was last asked.
    var records: SortedTree<Int, Record>
    var aggregate: any RecordAggregate
  }

  /// Nil before the first result, and while a thread computes one.
  private let memory = Mutex<Memory?>(nil)

  init(_ kind: QueryKind) { self.kind = kind }

  /// Whether the result for a list is known.
  func isCurrent(for list: RecordList<Record>) -> Bool {
    memory.withLock { $0?.records.root.isIdentical(to: list.contents.root) ?? false }
  }

  /// The number of records of the last list; 0 before the first.
  var seenCount: Int { memory.withLock { $0?.records.count ?? 0 } }

  /// The result for a list.
  ///
  /// - Throws: ``QueryError`` for values of which the query has no result, or what the function throws.
  /// - Complexity: O(records that differ · log records); O(records · log records) at first.
  func result(
    of list: RecordList<Record>, _ value: (Record, _ function: Int) throws -> StateValue
  ) throws -> QueryResult {
    // Taken out, as a second reference would copy what is changed.
    var known =
      memory.withLock { $0.take() }
      ?? Memory(records: SortedTree(), aggregate: kind.makeAggregate())
    defer { memory.withLock { [known] in $0 = known } }
    try update(&known, to: list, value)
    return try known.aggregate.result(kind)
  }

  private func aggregate(
    of list: RecordList<Record>, _ value: (Record, Int) throws -> StateValue
  ) throws -> any RecordAggregate {
    var aggregate = kind.makeAggregate()
    try list.contents.forEach { number, record in
      let share = try RecordShare(kind, ofRecord: record.id) { try value(record, $0) }
      aggregate.add(share, id: record.id, rank: list.rank(ofNumber: number))
    }
    return aggregate
  }

  private func update(
    _ memory: inout Memory, to list: RecordList<Record>,
    _ value: (Record, Int) throws -> StateValue
  ) throws {
    let records = list.contents
    guard !records.root.isIdentical(to: memory.records.root) else { return }
    // Most records are new. What they add isn't collected first, as a new aggregate is only taken as a whole.
    guard records.count <= 2 * memory.records.count else {
      memory = try Memory(records: records, aggregate: aggregate(of: list, value))
      return
    }
    var differing: [(number: Int, record: Record?)] = []
    records.compare(with: memory.records, areSame: RecordList<Record>.areSame) {
      _, number, difference in
      switch difference {
      case .inserted(let new), .changed(_, let new): differing.append((number, new))
      case .removed: differing.append((number, nil))
      }
    }
    // All functions are called before the aggregate is changed, as one may fail.
    let shares = try differing.map { _, record in
      try record.map { record in
        try RecordShare(kind, ofRecord: record.id) { try value(record, $0) }
      }
    }
    memory.records = records
    for ((number, record), share) in zip(differing, shares) {
      let rank = list.rank(ofNumber: number)
      memory.aggregate.remove(rank: rank)
      if let record, let share { memory.aggregate.add(share, id: record.id, rank: rank) }
    }
  }
}

extension RecordList {
  @usableFromInline var contents: SortedTree<Int, Record> { storage?.records ?? SortedTree() }

  /// Whether the list has the same records as when it had these contents.
  ///
  /// - Complexity: O(records that differ · log `count`).
  @usableFromInline func hasContents(_ earlier: SortedTree<Int, Record>) -> Bool {
    guard !contents.root.isIdentical(to: earlier.root) else { return true }
    guard count == earlier.count else { return false }
    var isSame = true
    contents.compare(with: earlier, areSame: Self.areSame) { _, _, _ in isSame = false }
    return isSame
  }

  /// A number by which records are in display order.
  func rank(ofNumber number: Int) -> Int { order == .oldestFirst ? number : -number }
}
