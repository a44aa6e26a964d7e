import GRDB

/// The tables with the states as they are now, which the views for people read.
///
/// All of it is called within a transaction.
struct StateTables {
  /// The tables aren't as the journal left them: somebody else wrote to them.
  struct Mismatch: Error {}

  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  /// Follows changes of the state.
  ///
  /// - Throws: `Mismatch`, or a `DatabaseError`.
  /// - Complexity: O(edits), and O(records) for each in the middle of a list.
  func apply(_ changes: [FieldChange]) throws {
    for change in changes {
      switch change.change {
      case .value(let new, _):
        try set(new, at: change.path)
      case .list(.edits(let edits)):
        var list = try ListTable(change.path, in: database)
        for edit in edits { try list.apply(edit) }
        try list.saveCount()
      case .list(.replaced(_, let elements)):
        try replace(change.path, by: elements)
      }
    }
  }

  /// Whether they have what there is in the states of a schema, and not in those of another one only.
  func have(_ schema: Schema) throws -> Bool {
    let paths = try String.fetchSet(
      database, sql: "SELECT path FROM fields UNION SELECT path FROM lists")
    return schema.fields.allSatisfy { paths.contains($0.path) }
  }

  /// Replaces all that is in them.
  ///
  /// - Complexity: O(size of the states).
  func replace(by states: States, _ schema: Schema) throws {
    for table in ["fields", "lists", "records"] {
      try database.execute(sql: "DELETE FROM \(table)")
    }
    for field in schema.fields {
      switch field.content {
      case .value(let access):
        try set(access.read(states), at: field.path)
      case .list(let list):
        try replace(field.path, by: list.values(states))
      }
    }
  }

  private func set(_ value: StateValue, at path: String) throws {
    let statement = try database.cachedStatement(
      sql: "INSERT OR REPLACE INTO fields (path, value) VALUES (?, ?)")
    try statement.execute(arguments: [path, value.json])
  }

  private func replace(
    _ path: String, by elements: ListElements<StateValue>
  ) throws {
    var list = try ListTable(path, in: database)
    try list.removeAll()
    for element in elements { try list.append(element) }
    try list.saveCount()
  }
}
