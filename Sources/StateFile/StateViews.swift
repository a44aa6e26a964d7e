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
      let columns = view.columns().map {
        "  \(Self.expression(of: $0.value)) AS \(Self.quoted($0.name))"
      }
      let source = view.listPath.map { "\nFROM records WHERE list = '\($0)' ORDER BY ordinal" }
      return View(
        name: view.name,
        sql: "CREATE VIEW \(Self.quoted(view.name)) AS SELECT\n"
          + columns.joined(separator: ",\n") + (source ?? ""))
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

  private static func expression(of value: SQLView.Value) -> String {
    switch value {
    case .position: return "row_number() OVER (ORDER BY ordinal)"
    case .id: return "id"
    case .element: return "json_extract(value, '$')"
    case .part(let name, _): return "json_extract(value, '$.\(name)')"
    case .field(let field):
      let member = field.viewMember.map { ".\($0)" } ?? ""
      return "(SELECT json_extract(value, '$\(member)') FROM fields WHERE path = '\(field.path)')"
    }
  }

  /// A name in quotes, because it may be a keyword of SQL.
  private static func quoted(_ name: String) -> String { "\"\(name)\"" }
}
