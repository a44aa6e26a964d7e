import Foundation
import StateStore

/// Appends a batch to a session: by one statement, or a large one by several in one transaction.
struct SessionAppend {
  private let database: SessionDatabase
  private let session: String
  private let head: Int
  private let batch: UUID
  private let last: JournalEntry

  /// - Parameters:
  ///   - database: The database.
  ///   - session: The id of the session.
  ///   - head: The number of the last entry that the writer knows.
  ///   - batch: The id of the batch.
  ///   - last: Its last entry, which has its writer.
  init(
    _ database: SessionDatabase, _ session: Int, _ head: Int, _ batch: UUID, _ last: JournalEntry
  ) {
    (self.database, self.session, self.head) = (database, "\(session)", head)
    (self.batch, self.last) = (batch, last)
  }

  /// Appends the batch, unless the session already has it.
  ///
  /// - Returns: A row like that of the database's procedure `journal_append`.
  func run(_ entries: [RowArray], _ changes: [RowArray]) throws -> [[String?]] {
    guard entries.count > 1 || changes.count > 1 else {
      return try database.run(
        "CALL journal_append($1, $2, $3, $4, $5, $6, $7, NULL)", session, "\(head)",
        last.writer.uuidString, batch.uuidString, last.author, entries.first?.json,
        changes.first?.json)
    }
    let row = try database.transaction { try appendParts(entries, changes) }
    try database.run("SELECT pg_notify(journal_channel($1), '')", session)
    return row
  }

  /// Does what `journal_append` does.
  private func appendParts(_ entries: [RowArray], _ changes: [RowArray]) throws -> [[String?]] {
    let found = try database.run(
      "SELECT head FROM sessions WHERE id = $1 FOR NO KEY UPDATE", session)
    guard let current = found.first?.integer(0) else { return found }
    let repeated = try database.run(
      "SELECT head FROM writers WHERE session = $1 AND writer = $2 AND batch = $3", session,
      last.writer.uuidString, batch.uuidString)
    guard repeated.isEmpty else { return repeated }
    guard current == head else { return [["\(-1 - current)"]] }
    var end = head
    for part in entries {
      try insert(part, after: end)
      end += part.count
    }
    try database.run(
      "UPDATE sessions SET head = $2, changed = now(), author = $3 WHERE id = $1", session,
      "\(end)", last.author)
    try database.run(
      """
      INSERT INTO writers (session, writer, batch, head, time) VALUES ($1, $2, $3, $4, now())
      ON CONFLICT (session, writer) DO UPDATE
      SET batch = excluded.batch, head = excluded.head, time = excluded.time
      """, session, last.writer.uuidString, batch.uuidString, "\(end)")
    for part in changes {
      try database.run("SELECT journal_apply($1, $2)", session, part.json)
    }
    return [["\(end)"]]
  }

  private func insert(_ entries: RowArray, after head: Int) throws {
    try database.run(
      """
      INSERT INTO entries (session, number, writer, author, time, count, kind, content)
      SELECT $1::integer, $2::bigint + entry.number, (entry.value ->> 'writer')::uuid,
        entry.value ->> 'author', to_timestamp((entry.value ->> 'time')::double precision),
        (entry.value ->> 'count')::integer, entry.value ->> 'kind', entry.value ->> 'content'
      FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS entry (value, number)
      """, session, "\(head)", entries.json)
  }
}
