import StateStore

/// The tables with the current state, which the views for people read.
///
/// All functions must be called within a transaction.
struct StateTables {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Applies changes of the state.
  ///
  /// - Throws: `CorruptionError` if another program has removed a record, or a `DatabaseError`.
  /// - Complexity: O(edits), and O(records) for each edit in the middle of a list.
  func apply(_ changes: [FieldChange]) throws {
    for change in changes {
      switch change.change {
      case .value(let new, _):
        try database.run(
          "INSERT OR REPLACE INTO fields (path, value) VALUES (?, ?)", .text(change.path),
          .text(new.savedJSON))
      case .list(.edits(let edits)):
        var list = try ListTable(change.path, in: database)
        for edit in edits { try list.apply(edit) }
        try list.saveCount()
      case .list(.replaced(_, let elements)):
        var list = try ListTable(change.path, in: database)
        try list.replaceAll(with: elements)
        try list.saveCount()
      }
    }
  }

  func state() throws -> SavedState {
    var state = SavedState()
    try database.forEachRow(of: "SELECT path, value FROM fields", []) { row in
      guard let path = row[0].text, let value = row[1].text else {
        throw CorruptionError("its table fields isn't as it was written")
      }
      state.values[path] = value
    }
    for path in try database.rows("SELECT path FROM lists").compactMap(\.[0].text) {
      var elements: [String] = []
      try database.forEachRow(
        of: "SELECT value FROM records WHERE list = ? ORDER BY ordinal", [.text(path)]
      ) { row in
        guard let value = row[0].text else {
          throw CorruptionError("its table records isn't as it was written")
        }
        elements.append(value)
      }
      state.lists[path] = elements
    }
    return state
  }

  func clear() throws {
    for table in ["fields", "lists", "records"] { try database.run("DELETE FROM \(table)") }
  }
}

/// A list of the current state, with one row for each record.
///
/// Rows are sorted by their ordinals. A new row at an end gets an ordinal one more or less than the outermost, and in
/// the middle one between those of its neighbors. So no other row changes.
struct ListTable {
  private let path: String
  private let database: Database
  private var count: Int
  /// The last record whose ordinal was looked up or written: the edits of a write are mostly in the order of the records.
  private var known: (position: Int, ordinal: Double)?

  init(_ path: String, in database: Database) throws {
    self.path = path
    self.database = database
    guard
      let value = try database.value("SELECT count FROM lists WHERE path = ?", .text(path))
    else {
      count = 0
      return
    }
    guard let count = value.integer, (0...(1 << 53)).contains(count) else {
      throw CorruptionError.otherRecords
    }
    self.count = count
  }

  /// Saves the number of records, after all changes.
  func saveCount() throws {
    try database.run(
      "INSERT OR REPLACE INTO lists (path, count) VALUES (?, ?)", .text(path), .integer(count))
  }

  mutating func apply(_ edit: ListEdit<StateValue>) throws {
    switch edit {
    case .inserted(let position, let element):
      guard (0...count).contains(position) else { throw CorruptionError.otherRecords }
      let ordinal = try ordinal(forNewAt: position)
      guard try insert(element, ordinal: ordinal) else { throw CorruptionError.otherRecords }
      count += 1
      known = (position, ordinal)
    case .removed(let position, let element):
      guard count > 0, try remove(element) else { throw CorruptionError.otherRecords }
      count -= 1
      if let known, known.position >= position {
        self.known = known.position > position ? (known.position - 1, known.ordinal) : nil
      }
    case .changed(_, let old, let new):
      let updated = try database.run(
        "UPDATE OR IGNORE records SET id = ?, value = ? WHERE list = ? AND id = ?",
        .integer(new.identifier), .text(new.savedJSON), .text(path), .integer(old.identifier))
      guard updated == 1 else { throw CorruptionError.otherRecords }
    }
  }

  mutating func replaceAll(with elements: ListElements<StateValue>) throws {
    try database.run("DELETE FROM records WHERE list = ?", .text(path))
    (count, known) = (0, nil)
    for element in elements {
      guard try insert(element, ordinal: Double(count)) else { throw CorruptionError.otherRecords }
      count += 1
    }
  }

  /// The number of texts whose numbers, which are made of their bytes, can be the same.
  private static let sameNumbers = 16

  /// Inserts an element, and returns whether its number was free.
  private func insert(_ element: StateValue, ordinal: Double) throws -> Bool {
    let numbers = element.hasIdentifier ? 1 : Self.sameNumbers
    for number in 0..<numbers {
      let inserted = try database.run(
        "INSERT OR IGNORE INTO records (list, id, ordinal, value) VALUES (?, ?, ?, ?)",
        .text(path), .integer(element.identifier &+ number), .real(ordinal),
        .text(element.savedJSON))
      if inserted == 1 { return true }
    }
    return false
  }

  private func remove(_ element: StateValue) throws -> Bool {
    let id = DatabaseValue.integer(element.identifier)
    guard !element.hasIdentifier else {
      return try database.run("DELETE FROM records WHERE list = ? AND id = ?", .text(path), id) == 1
    }
    return try database.run(
      "DELETE FROM records WHERE list = ?1 AND id >= ?2 AND id < ?2 + ?3 AND value = ?4",
      .text(path), id, .integer(Self.sameNumbers), .text(element.savedJSON)) == 1
  }
}

// MARK: - Ordinals

extension ListTable {
  /// Greater numbers have no fractions between them, and eventually adding 1 doesn't change them.
  private static let maximumOrdinal = 1e15

  private mutating func ordinal(forNewAt position: Int) throws -> Double {
    if let ordinal = try freeOrdinal(forNewAt: position) { return ordinal }
    try renumber()
    guard let ordinal = try freeOrdinal(forNewAt: position) else {
      throw CorruptionError.otherRecords
    }
    return ordinal
  }

  /// An ordinal for a new record; nil if there is no number between those of its neighbors.
  private mutating func freeOrdinal(forNewAt position: Int) throws -> Double? {
    guard count > 0 else { return 0 }
    let before = position > 0 ? try ordinal(at: position - 1) : nil
    let after = position < count ? try ordinal(at: position) : nil
    switch (before, after) {
    case (let before?, nil): return before < Self.maximumOrdinal ? before + 1 : nil
    case (nil, let after?): return after > -Self.maximumOrdinal ? after - 1 : nil
    case (let before?, let after?):
      let middle = before + (after - before) / 2
      return before < middle && middle < after ? middle : nil
    case (nil, nil): throw CorruptionError.otherRecords
    }
  }

  /// The ordinal of a record, found by counting from the nearest one that is known, or from an end.
  private mutating func ordinal(at position: Int) throws -> Double {
    var start: (position: Int, ordinal: Double) =
      position < count / 2 ? (-1, -.infinity) : (count, .infinity)
    if let known, abs(known.position - position) < abs(start.position - position) { start = known }
    guard start.position != position else { return start.ordinal }
    let (comparison, order) = start.position < position ? (">", "ASC") : ("<", "DESC")
    let ordinal = try database.value(
      """
      SELECT ordinal FROM records WHERE list = ? AND ordinal \(comparison) ?
      ORDER BY ordinal \(order) LIMIT 1 OFFSET ?
      """, .text(path), .real(start.ordinal), .integer(abs(start.position - position) - 1)
    )?.real
    guard let ordinal else { throw CorruptionError.otherRecords }
    known = (position, ordinal)
    return ordinal
  }

  private mutating func renumber() throws {
    known = nil
    try database.run(
      """
      WITH numbered AS (
        SELECT id, row_number() OVER (ORDER BY ordinal) AS number FROM records WHERE list = ?1
      )
      UPDATE records SET ordinal = numbered.number FROM numbered
      WHERE records.list = ?1 AND records.id = numbered.id
      """, .text(path))
  }
}
