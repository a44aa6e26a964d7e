import GRDB

/// The state as it is now, in the tables that the views for people read.
///
/// All of it is called within a transaction.
struct ShownState {
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
        var list = try ShownList(change.path, in: database)
        for edit in edits { try list.apply(edit) }
        try list.saveCount()
      case .list(.replaced(_, let elements)):
        try replace(change.path, by: elements)
      }
    }
  }

  /// Shows another state.
  ///
  /// - Complexity: O(size of the state).
  func replace(by state: App.State) throws {
    for table in ["fields", "lists", "records"] {
      try database.execute(sql: "DELETE FROM \(table)")
    }
    for field in App.fields {
      switch field.content {
      case .scalar(let read):
        try set(read(state), at: field.path)
      case .list(let access):
        try replace(field.path, by: access.values(state))
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
    var list = try ShownList(path, in: database)
    try list.removeAll()
    for element in elements { try list.append(element) }
    try list.saveCount()
  }
}
