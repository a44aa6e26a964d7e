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
    let (entries, changes) = rows
    if entries.count == 1, changes.count == 1 {
      let parameters = begin(after: sequence, id) + [entries[0], changes[0]]
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
    let (entries, changes) = rows
    return try run(entries, changes, after: sequence, id)
  }

  private var rows: (entries: [String], changes: [String]) {
    (
      RowArray.arrays(of: write.entries.map(\.row)),
      RowArray.arrays(of: write.changes.flatMap(\.rows))
    )
  }

  private func run(
    _ entries: [String], _ changes: [String], after sequence: Int, _ id: UUID?
  ) throws -> Result {
    let rows = try database.run(
      "SELECT journal_begin($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", begin(after: sequence, id))
    guard rows.first?.integer(0) == 0 else { return result(of: rows, after: sequence) }
    for part in entries {
      try database.run(
        "SELECT journal_append($1, $2, $3)", "\(session)", "\(sequence + 1)", part)
    }
    for part in changes {
      try database.run("SELECT journal_apply($1, $2)", "\(session)", part)
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

// MARK: - Rows

/// Rows as JSON arrays, each a parameter of a statement.
///
/// PostgreSQL takes arrays of up to 256 MB, and doesn't answer while it works on one.
private enum RowArray {
  private static let maximumCount = 10_000
  /// The number of bytes after which an array ends.
  private static let maximumSize = 8 << 20

  /// Rows in arrays of bounded size, in order; at least one array.
  static func arrays(of rows: [String]) -> [String] {
    var arrays: [String] = []
    var (start, size) = (0, 0)
    for (index, row) in rows.enumerated() {
      size += row.utf8.count
      guard size >= maximumSize || index - start + 1 == maximumCount || index == rows.count - 1
      else { continue }
      arrays.append(array(of: rows[start...index]))
      (start, size) = (index + 1, 0)
    }
    return arrays.isEmpty ? [array(of: [])] : arrays
  }

  private static func array(of rows: ArraySlice<String>) -> String {
    "[\(rows.joined(separator: ","))]"
  }
}

// Values are in the rows as texts of JSON: jsonb would change their numbers, and can't have the character U+0000.

extension SavedEntry {
  /// The entry in the form that the database's function `journal_append` takes.
  fileprivate var row: String {
    let row: StateValue = [
      "number": .integer(number), "time": .number(time.timeIntervalSince1970),
      "author": .optional(author), "text": .text(text), "action": .text(action),
      "changes": .text(changes),
    ]
    return row.savedJSON
  }
}

extension FieldChange {
  /// The change, in parts if it is large, in the form that the database's function `journal_apply` takes.
  fileprivate var rows: [String] {
    let path = StateValue.text(path).savedJSON
    func row(_ kind: String, _ value: String) -> String {
      "{\"path\":\(path),\"\(kind)\":\(value)}"
    }
    switch change {
    case .value(let new, _): return [row("value", StateValue.text(new.savedJSON).savedJSON)]
    case .list(.edits(let edits)):
      return RowArray.arrays(of: edits.map(\.row)).map { row("edits", $0) }
    case .list(.replaced(_, let new)):
      // The beginning of the new list, and the rest as insertions at its end.
      let rows = new.enumerated().map { ListEdit.inserted(position: $0, $1).row }
      return RowArray.arrays(of: rows).enumerated().map { row($0 == 0 ? "elements" : "edits", $1) }
    }
  }
}

extension ListEdit<StateValue> {
  fileprivate var row: String {
    let row: StateValue =
      switch self {
      case .inserted(let position, let element):
        [
          "kind": .text("inserted"), "id": .integer(element.identifier),
          "position": .integer(position), "value": .text(element.savedJSON),
        ]
      case .removed(_, let element):
        ["kind": .text("removed"), "id": .integer(element.identifier)]
      case .changed(_, let old, let new):
        [
          "kind": .text("changed"), "id": .integer(new.identifier),
          "old": .integer(old.identifier), "value": .text(new.savedJSON),
        ]
      }
    return row.savedJSON
  }
}
