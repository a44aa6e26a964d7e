import StateStore

/// The views that show people the current states of all sessions of a program: one for each list, and one for the other
/// fields of a feature.
struct SessionViews {
  private struct View {
    let name: String
    let query: String
  }

  private let program: String
  private let views: [View]

  /// The names of the tables, which a view can't have.
  private static let tables: Set<String> = [
    "sessions", "entries", "checkpoints", "identifiers", "writers", "fields", "lists", "records",
    "journal_format", "records_in_order",
  ]

  /// PostgreSQL cuts longer names.
  private static let nameLength = 63

  init(_ schema: StoreSchema, program: String) {
    self.program = program
    views = schema.views(besides: Self.tables, nameLength: Self.nameLength).map { view in
      switch view.content {
      case .list(let field): Self.list(view.name, field, program)
      case .values(let fields, let feature): Self.values(view.name, of: feature, fields, program)
      }
    }
  }

  /// Makes the views that the database lacks or has in another form.
  func makeIfNeeded(in database: SessionDatabase) throws {
    if try !missing(in: database).isEmpty { try make(in: database) }
  }

  /// Makes the views again, unless the role may not: then its owner makes them.
  func make(in database: SessionDatabase) throws {
    let canCreate = try database.run("SELECT has_schema_privilege(current_schema(), 'CREATE')")
    guard canCreate.first?[0] == "t" else { return }
    let statements = try missing(in: database).map { view, name in
      """
      DROP VIEW IF EXISTS \(name.quoted);
      CREATE VIEW \(name.quoted) AS \(view.query);
      COMMENT ON VIEW \(name.quoted) IS '\(comment(of: view).replacing("'", with: "''"))';
      """
    }
    do {
      try database.run(
        script: SessionDatabase.lockingSchema + statements.joined())
    } catch let error as JournalError where [.busy, .unwritable].contains(error.kind) {
      // Others use the views, or own them, or other views depend on them: they stay as they are.
    }
  }

  /// The views to be made, with their names: a name that another program uses gets this program's as a prefix.
  private func missing(in database: SessionDatabase) throws -> [(View, name: String)] {
    let rows = try database.run(
      """
      SELECT relname, coalesce(obj_description(oid, 'pg_class'), '') FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace
      """)
    let comments = Dictionary(
      rows.map { ($0[0] ?? "", $0[1] ?? "") }, uniquingKeysWith: { first, _ in first })
    return views.compactMap { view in
      let isOurs = comments[view.name]?.hasPrefix("\(program): ") ?? true
      let name =
        isOurs ? view.name : String("\(program)_\(view.name)".prefix(Self.nameLength))
      return comments[name] == comment(of: view) ? nil : (view, name)
    }
  }

  /// Names the program and the form of a view.
  private func comment(of view: View) -> String {
    // FNV-1a by Fowler, Noll and Vo, because it is the same in every process.
    let hash = view.query.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return "\(program): \(String(hash, radix: 16))"
  }

  // MARK: - Queries

  private static func list(_ name: String, _ field: StateField, _ program: String) -> View {
    let names = field.recordNames
    var columnNames = SQLNames(
      besides: ["session", "position", "id"], suffix: "_value", length: nameLength)
    let columns = names.filter { $0 != "id" }.prefix(SQLView.maximumColumnCount).map { name in
      "  journal_json(value) ->> '\(name)' AS \(columnNames.name(name).quoted)"
    }
    let value = field.hasTexts ? "journal_json(value) #>> '{}'" : "records.id"
    let id = names.isEmpty ? "\(value) AS \((field.viewMember ?? "value").quoted)" : "records.id"
    return view(
      name,
      [
        "  row_number() OVER (PARTITION BY sessions.name ORDER BY ordinal) AS position",
        "  \(id)",
      ]
        + columns,
      "\nFROM sessions JOIN records ON records.session = sessions.id AND records.list = '\(field.path)'",
      order: "session, position", program)
  }

  private static func values(
    _ name: String, of feature: String, _ fields: [StateField], _ program: String
  ) -> View {
    var columnNames = SQLNames(besides: ["session"], suffix: "_value", length: nameLength)
    let columns = fields.prefix(SQLView.maximumColumnCount).map { field in
      let name = columnNames.name(String(field.path.dropFirst(feature.count + 1)))
      let member = field.viewMember.map { "->> '\($0)'" } ?? "#>> '{}'"
      return """
          (SELECT journal_json(value) \(member) FROM fields
            WHERE session = sessions.id AND path = '\(field.path)') AS \(name.quoted)
        """
    }
    return view(name, columns, "\nFROM sessions", order: "session", program)
  }

  private static func view(
    _ name: String, _ columns: [String], _ source: String, order: String, _ program: String
  ) -> View {
    View(
      name: name,
      query: "SELECT\n  sessions.name AS session,\n\(columns.joined(separator: ",\n"))\(source)\n"
        + "WHERE sessions.program = '\(program.replacing("'", with: "''"))'\nORDER BY \(order)"
    )
  }
}

extension String {
  /// A name in quotes, because it may be a keyword of SQL.
  fileprivate var quoted: String { "\"\(replacing("\"", with: "\"\""))\"" }
}
