import PrimereplFoundation
import StateStore

/// Saves a write: by one statement, or a large one by several in one transaction.
struct SessionSave {
  enum Result {
    case saved(sequence: Int)
    /// Others have written.
    case conflict
    /// The session is gone.
    case lost
  }

  let database: SessionDatabase
  let session: Int
  let write: SessionWrite
  let author: String?

  /// Saves the write after another one, unless the session already has it.
  ///
  /// Without the id of that one, a lost session is written again.
  func run(after sequence: Int, _ id: UUID?) throws -> Result {
    let (entries, changes) = try rows()
    if entries.count == 1, changes.count == 1 {
      let parameters = begin(after: sequence, id) + [entries[0].json, changes[0].json]
      return result(
        of: try database.run(
          "CALL journal_save($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, NULL)", parameters),
        after: sequence)
    }
    let result = try database.transaction {
      try run(entries, changes, after: sequence, id)
    }
    try database.run("SELECT pg_notify(journal_channel($1), '')", "\(session)")
    return result
  }

  /// As `run`, in a transaction of the caller's, and without a notification of others.
  func runInTransaction(after sequence: Int, _ id: UUID?) throws -> Result {
    let (entries, changes) = try rows()
    return try run(entries, changes, after: sequence, id)
  }

  private func rows() throws -> (entries: [RowArray], changes: [RowArray]) {
    (
      try RowArray.arrays(of: write.entries.map(EntryRow.init), size: \.size),
      try RowArray.arrays(of: write.changes.flatMap(FieldChangeRow.rows), size: \.size)
    )
  }

  private func run(
    _ entries: [RowArray], _ changes: [RowArray], after sequence: Int, _ id: UUID?
  ) throws -> Result {
    let rows = try database.run(
      "SELECT journal_begin($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", begin(after: sequence, id))
    guard rows.first?.integer(0) == 0 else { return result(of: rows, after: sequence) }
    for part in entries {
      try database.run(
        "SELECT journal_append($1, $2, $3)", "\(session)", "\(sequence + 1)", part.json)
    }
    for part in changes {
      try database.run("SELECT journal_apply($1, $2)", "\(session)", part.json)
    }
    return .saved(sequence: sequence + 1)
  }

  private func begin(after sequence: Int, _ id: UUID?) -> [String?] {
    [
      "\(session)", "\(sequence)", id?.uuidString, write.id.uuidString, author, "\(write.common)",
      "\(write.extent.first)", "\(write.extent.position)", "\(write.extent.migration)",
      "\(write.replacesState)",
    ]
  }

  private func result(of rows: [[String?]], after sequence: Int) -> Result {
    switch rows.first?.integer(0) {
    case nil: .lost
    case 0: .saved(sequence: sequence + 1)
    case let known? where known > 0: .saved(sequence: known)
    default: .conflict
    }
  }
}
