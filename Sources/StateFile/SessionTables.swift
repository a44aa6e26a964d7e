import PrimereplFoundation
import StateStore

/// The tables of a session: its last write, its history and its state.
///
/// All functions must be called within a transaction.
struct SessionTables {
  private let database: Database

  init(_ database: Database) { self.database = database }

  /// The number of the last writes that the file has, by which processes are recognized.
  static let rememberedWrites = 1_000

  // MARK: - Reading

  /// The last write.
  func point() throws -> JournalPoint {
    let row = try database.rows(
      """
      SELECT identity, sequence, (SELECT id FROM writes WHERE writes.sequence = session.sequence)
      FROM session
      """
    ).first
    guard let row, let identity = row[0].text.flatMap(UUID.init), let sequence = row[1].integer
    else { throw CorruptionError("its table session isn't as it was written") }
    if sequence == 0 { return .beginning(of: identity) }
    guard let write = row[2].text.flatMap(UUID.init) else {
      throw CorruptionError("its table writes isn't as it was written")
    }
    return JournalPoint(session: identity, sequence: sequence, write: write)
  }

  /// Whether the session has a write; true for its beginning.
  func has(_ point: JournalPoint) throws -> Bool {
    try point.sequence == 0
      || database.value("SELECT id FROM writes WHERE sequence = ?", .integer(point.sequence))
        == .text(point.write.uuidString)
  }

  func sequence(of write: UUID) throws -> Int? {
    try database.value("SELECT sequence FROM writes WHERE id = ?", .text(write.uuidString))?.integer
  }

  func extent() throws -> HistoryExtent {
    let row = try database.rows(
      """
      SELECT position, migration, (SELECT min(number) FROM history), (SELECT max(number) FROM history)
      FROM session
      """
    ).first
    guard let position = row?[0].integer, HistoryExtent.positions.contains(position),
      let migration = row?[1].integer
    else { throw CorruptionError("its table session isn't as it was written") }
    let (first, last) = (row?[2].integer ?? position + 1, row?[3].integer ?? position)
    guard (1...position + 1).contains(first), last >= position,
      // Memory is reserved for all entries, before they are read.
      try last - first < Self.plausibleLength
        || database.value("SELECT count(*) FROM history") == .integer(last - first + 1)
    else { throw CorruptionError("its table session isn't as it was written") }
    return HistoryExtent(first: first, position: position, migration: migration)
  }

  /// The number of entries up to which they aren't counted when a session is opened.
  private static let plausibleLength = 100_000

  /// The last entries, which a prompt shows.
  func lastEntries() throws -> [SavedEntry] {
    let last = try database.value("SELECT max(number) FROM history")?.integer ?? 0
    return try entries(from: last - Self.loadedEntries + 1, upTo: .max)
  }

  private static let loadedEntries = 100

  /// The entries since a write; as the first takes the place of all later ones, all after it are newer.
  func entries(since sequence: Int) throws -> [SavedEntry] {
    let known = try database.value(
      "SELECT number FROM history WHERE sequence <= ? ORDER BY number DESC LIMIT 1",
      .integer(sequence))
    return try entries(from: (known?.integer ?? 0) + 1, upTo: .max)
  }

  /// The entries with some numbers that were written up to a write.
  func entries(
    from first: Int, upTo last: Int, sequence: Int = .max
  ) throws -> [SavedEntry] {
    var entries: [SavedEntry] = []
    try database.forEachRow(
      of: """
        SELECT number, time, text, action, changes, sequence FROM history
        WHERE number BETWEEN ? AND ? AND (sequence <= ? OR typeof(sequence) <> 'integer') ORDER BY number
        """, [.integer(first), .integer(last), .integer(sequence)]
    ) { row in
      guard let number = row[0].integer, let time = row[1].real, let text = row[2].text,
        let action = row[3].text, let changes = row[4].text, row[5].integer != nil,
        entries.last.map({ $0.number + 1 == number }) ?? true
      else { throw CorruptionError("its table history isn't as it was written") }
      entries.append(
        SavedEntry(
          number: number, time: Date(timeIntervalSince1970: time), author: nil, text: text,
          action: action, changes: changes))
    }
    return entries
  }

  // MARK: - Writing

  func make(identity: UUID) throws {
    try database.run(
      "INSERT INTO session (only, identity, sequence, position, migration) VALUES (1, ?, 0, 0, 0)",
      .text(identity.uuidString))
  }

  /// Saves a write, which becomes the last one.
  func save(_ write: SessionWrite, at point: JournalPoint) throws {
    try database.run(
      "DELETE FROM history WHERE number > ? OR number < ?", .integer(write.common),
      .integer(write.extent.first))
    for entry in write.entries {
      try database.run(
        """
        INSERT INTO history (number, sequence, time, text, action, changes)
        VALUES (?, ?, ?, ?, ?, ?)
        """, .integer(entry.number), .integer(point.sequence),
        .real(entry.time.timeIntervalSince1970), .text(entry.text), .text(entry.action),
        .text(entry.changes))
    }
    let state = StateTables(database)
    if write.replacesState { try state.clear() }
    try state.apply(write.changes)
    try database.run(
      "UPDATE session SET identity = ?, sequence = ?, position = ?, migration = ?",
      .text(point.session.uuidString), .integer(point.sequence), .integer(write.extent.position),
      .integer(write.extent.migration))
    if point.sequence > 0 {
      try database.run(
        "INSERT INTO writes (sequence, id) VALUES (?, ?)", .integer(point.sequence),
        .text(point.write.uuidString))
      try database.run(
        "DELETE FROM writes WHERE sequence <= ?", .integer(point.sequence - Self.rememberedWrites))
    }
  }

  // MARK: - Identifiers

  /// Reserves identifiers, and returns the first that is still free.
  func reserveIdentifiers(_ count: Int, of kind: String) throws -> Int {
    let next = try database.value(
      """
      INSERT INTO identifiers (kind, next) VALUES (?, 1 + ?)
      ON CONFLICT (kind) DO UPDATE SET next = excluded.next - 1
        + CASE WHEN typeof(next) = 'integer' AND next BETWEEN 1 AND 1 << 62 THEN next ELSE 1 END
      RETURNING next
      """, .text(kind), .integer(count)
    )?.integer
    guard let next else {
      preconditionFailure("SQLite returns the row that it inserted or updated.")
    }
    return next
  }

  func setIdentifiers(_ identifiers: [String: Int]) throws {
    for (kind, next) in identifiers {
      try database.run(
        "INSERT OR REPLACE INTO identifiers (kind, next) VALUES (?, ?)", .text(kind), .integer(next)
      )
    }
  }
}
