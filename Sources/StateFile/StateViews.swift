import StateStore

/// The views that show people the current states: one for each list, and one for the other fields of a feature.
struct StateViews {
  private struct View {
    let name: String
    let sql: String
  }

  private let views: [View]

  /// The file's other names, which a view can't have.
  private static let tables = Set(StateFileFormat.tableNames + ["records_in_order"])

  init(_ schema: StoreSchema) {
    views = schema.views(besides: Self.tables).map { view in
      switch view.content {
      case .list(let field): Self.list(view.name, field)
      case .values(let fields, let feature): Self.values(view.name, of: feature, fields)
      }
    }
  }

  /// Creates the views in a file that lacks some in their current form; if it can't be written now, another time.
  ///
  /// - Throws: An error of a damaged file.
  func makeIfNeeded(in database: StateDatabase) throws {
    guard try !database.read(areIn) else { return }
    do {
      try database.write(make)
    } catch let error as DatabaseError where CorruptionError(error) == nil {
      // They are made when the file is next opened.
    }
  }

  private func areIn(_ database: Database) throws -> Bool {
    let found = try database.rows("SELECT name, sql FROM sqlite_schema WHERE type = 'view'")
    let sql = Dictionary(
      found.compactMap { row -> (String, String)? in
        guard let name = row[0].text, let sql = row[1].text else { return nil }
        return (name, sql)
      }, uniquingKeysWith: { $1 })
    return views.allSatisfy { sql[$0.name] == $0.sql }
  }

  /// Creates the views, and replaces others of the same names.
  func make(in database: Database) throws {
    for view in views {
      try database.run("DROP VIEW IF EXISTS \(Self.quoted(view.name))")
      try database.run(view.sql)
    }
  }

  private static func list(_ name: String, _ field: AnyField) -> View {
    let names = field.recordNames
    var columnNames = SQLNames(besides: ["position", "id"], suffix: "_value")
    let columns = names.filter { $0 != "id" }.prefix(SQLView.maximumColumnCount).map { name in
      "  json_extract(value, '$.\(name)') AS \(quoted(columnNames.name(name)))"
    }
    let id =
      names.isEmpty ? "json_extract(value, '$') AS \(quoted(field.viewMember ?? "value"))" : "id"
    return view(
      name, ["  row_number() OVER (ORDER BY ordinal) AS position", "  \(id)"] + columns,
      "\nFROM records WHERE list = '\(field.path)' ORDER BY ordinal")
  }

  private static func values(
    _ name: String, of feature: String, _ fields: [AnyField]
  ) -> View {
    let columns = fields.prefix(SQLView.maximumColumnCount).map { field in
      let name = String(field.path.dropFirst(feature.count + 1))
      let member = field.viewMember.map { ".\($0)" } ?? ""
      return "  (SELECT json_extract(value, '$\(member)') FROM fields WHERE path = '\(field.path)')"
        + " AS \(quoted(name))"
    }
    return view(name, columns, "")
  }

  private static func view(_ name: String, _ columns: [String], _ source: String) -> View {
    View(
      name: name,
      sql: "CREATE VIEW \(quoted(name)) AS SELECT\n\(columns.joined(separator: ",\n"))\(source)")
  }

  /// A name in quotes, because it may be a keyword of SQL.
  private static func quoted(_ name: String) -> String { "\"\(name)\"" }
}
