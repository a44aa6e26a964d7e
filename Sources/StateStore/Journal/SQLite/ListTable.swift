import GRDB

/// A list of the state as it is now, one row for each record.
///
/// Rows have ordinals, by which they are sorted: those of new ones at an end are one more or less than the outermost, and in
/// the middle they are between the neighbors'. So no other row changes.
struct ListTable {
  private let path: String
  private let database: Database
  private var count: Int

  /// Begins to change a list.
  init(_ path: String, in database: Database) throws {
    self.path = path
    self.database = database
    let value = try DatabaseValue.fetchOne(
      database.cachedStatement(sql: "SELECT count FROM lists WHERE path = ?"), arguments: [path])
    guard let value else {
      count = 0
      return
    }
    guard let count = Int.fromDatabaseValue(value), (0...(1 << 53)).contains(count) else {
      throw StateTables.Mismatch()
    }
    self.count = count
  }

  /// Ends the changes.
  func saveCount() throws {
    try database.cachedStatement(sql: "INSERT OR REPLACE INTO lists (path, count) VALUES (?, ?)")
      .execute(arguments: [path, count])
  }

  mutating func apply(_ edit: ListEdit<StateValue>) throws {
    switch edit {
    case .inserted(let position, let element):
      guard (0...count).contains(position) else { throw StateTables.Mismatch() }
      try insert(element, ordinal: ordinal(forNewAt: position))
    case .removed(_, let element):
      let statement = try database.cachedStatement(
        sql: "DELETE FROM records WHERE list = ? AND id = ?")
      try statement.execute(arguments: [path, element.identifier])
      try checkThatOneChanged()
      count -= 1
    case .changed(_, let old, let new):
      let statement = try database.cachedStatement(
        sql: "UPDATE records SET id = ?, value = ? WHERE list = ? AND id = ?")
      try statement.execute(arguments: [new.identifier, new.json, path, old.identifier])
      try checkThatOneChanged()
    }
  }

  mutating func append(_ element: StateValue) throws {
    try insert(element, ordinal: ordinal(forNewAt: count))
  }

  mutating func removeAll() throws {
    try database.execute(sql: "DELETE FROM records WHERE list = ?", arguments: [path])
    count = 0
  }

  private mutating func insert(_ element: StateValue, ordinal: Double) throws {
    let statement = try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO records (list, id, ordinal, value) VALUES (?, ?, ?, ?)")
    try statement.execute(arguments: [path, element.identifier, ordinal, element.json])
    try checkThatOneChanged()
    count += 1
  }

  private func checkThatOneChanged() throws {
    guard database.changesCount == 1 else { throw StateTables.Mismatch() }
  }
}

// MARK: - Ordinals

extension ListTable {
  /// Greater numbers have no fractions between them, and at last none of them is one more than another.
  private static let greatestOrdinal = 1e15

  private func ordinal(forNewAt position: Int) throws -> Double {
    if let ordinal = try freeOrdinal(forNewAt: position) { return ordinal }
    try renumber()
    guard let ordinal = try freeOrdinal(forNewAt: position) else { throw StateTables.Mismatch() }
    return ordinal
  }

  /// An ordinal for a new record, or nil where there is no number between those of its neighbors.
  private func freeOrdinal(forNewAt position: Int) throws -> Double? {
    guard count > 0 else { return 0 }
    let before = position > 0 ? try ordinal(at: position - 1) : nil
    let after = position < count ? try ordinal(at: position) : nil
    switch (before, after) {
    case (let before?, nil): return before < Self.greatestOrdinal ? before + 1 : nil
    case (nil, let after?): return after > -Self.greatestOrdinal ? after - 1 : nil
    case (let before?, let after?):
      let middle = before + (after - before) / 2
      return before < middle && middle < after ? middle : nil
    case (nil, nil): throw StateTables.Mismatch()
    }
  }

  /// The ordinal of a record; positions are counted from the nearer end.
  private func ordinal(at position: Int) throws -> Double {
    let isNearTheEnd = position > count / 2
    let statement = try database.cachedStatement(
      sql: """
        SELECT ordinal FROM records WHERE list = ?
        ORDER BY ordinal \(isNearTheEnd ? "DESC" : "ASC") LIMIT 1 OFFSET ?
        """)
    let offset = isNearTheEnd ? count - 1 - position : position
    guard
      let value = try DatabaseValue.fetchOne(statement, arguments: [path, offset]),
      let ordinal = Double.fromDatabaseValue(value)
    else { throw StateTables.Mismatch() }
    return ordinal
  }

  private func renumber() throws {
    try database.execute(
      sql: """
        WITH numbered AS (
          SELECT id, row_number() OVER (ORDER BY ordinal) AS number FROM records WHERE list = :list
        )
        UPDATE records SET ordinal = numbered.number FROM numbered
        WHERE records.list = :list AND records.id = numbered.id
        """, arguments: ["list": path])
  }
}

extension StateValue {
  /// The id of a record, which is its own where it is just a number.
  fileprivate var identifier: Int {
    switch (self, self["id"]) {
    case (.integer(let number), _), (_, .integer(let number)?): number
    default: preconditionFailure("The records of lists have ids that are numbers.")
    }
  }
}
