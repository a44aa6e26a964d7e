import StateStore

/// The views that show people the current states of all sessions of a program: one for each list, and one for the other
/// fields of a feature.
struct SessionViews {
  private struct Column {
    let name: String
    let expression: String

    var sql: String { "  \(expression) AS \(name.quoted)" }
  }

  private struct View {
    /// The names that it may have: another one if others have the first.
    let names: [String]
    let columns: [Column]
    /// The query after its columns.
    let source: String

    /// A query whose columns begin with some in their order, as far as the view has them.
    func query(beginningWith names: [String]) -> String {
      let kept = names.compactMap { name in columns.first { $0.name == name } }
      let added = columns.filter { !names.contains($0.name) }
      return "SELECT\n" + (kept + added).map(\.sql).joined(separator: ",\n") + "\n" + source
    }

    /// Marks of its columns and its source, each of which another form of the view has only if it shows the same there.
    var marks: [String] {
      (columns.map(\.sql) + [source]).map { String($0.utf8.shortStableHash, radix: 16) }
    }
  }

  private let program: String
  private let views: [View]

  /// The names of the tables, which a view can't have.
  private static let tables: Set<String> = [
    "sessions", "writes", "history", "identifiers", "fields", "lists", "records",
    "journal_format", "records_in_order",
  ]

  /// PostgreSQL cuts longer names.
  private static let nameLength = 63

  init(_ schema: StoreSchema, program: String) {
    self.program = program
    let named = schema.views(besides: Self.tables, nameLength: Self.nameLength)
    var otherNames = SQLNames(
      besides: Self.tables.union(named.map { $0.name.lowercased() }), suffix: "_view",
      length: Self.nameLength)
    views = named.map { view in
      let columns = view.columns(besides: ["session"], nameLength: Self.nameLength).map {
        Column(name: $0.name, expression: Self.expression(of: $0.value))
      }
      let records = view.listPath.map {
        " JOIN records ON records.session = sessions.id AND records.list = '\($0)'"
      }
      return View(
        names: [view.name, otherNames.name("\(program)_\(view.name)")],
        columns: [Column(name: "session", expression: "sessions.name")] + columns,
        source: """
          FROM sessions\(records ?? "")
          WHERE sessions.program = '\(program.replacing("'", with: "''"))'
          ORDER BY \(records == nil ? "session" : "session, position")
          """)
    }
  }

  /// Makes the views that the database lacks, or that lack what this program shows.
  ///
  /// If the role may not, the owner of the schema makes them.
  func makeIfNeeded(in database: SessionDatabase) throws {
    let missing = try missing(in: database)
    guard !missing.isEmpty else { return }
    let canCreate = try database.run("SELECT has_schema_privilege(current_schema(), 'CREATE')")
    guard canCreate.first?[0] == "t" else { return }
    for (view, name) in missing {
      do {
        try make(view, as: name, in: database)
      } catch let error as JournalError where [.busy, .unwritable].contains(error.kind) {
        // Others use the view, or own it, or views of theirs need a column that it loses: it stays as it is.
      }
    }
  }

  private func make(_ view: View, as name: String, in database: SessionDatabase) throws {
    let columns = try database.run(
      """
      SELECT attname FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0
      ORDER BY attnum
      """, name.quoted
    ).compactMap { $0[0] }
    let comment = ([program + ":"] + view.marks).joined(separator: " ")
    let creation = """
      CREATE OR REPLACE VIEW \(name.quoted) AS \(view.query(beginningWith: columns));
      COMMENT ON VIEW \(name.quoted) IS '\(comment.replacing("'", with: "''"))';
      """
    do {
      try database.run(script: SessionDatabase.lockingSchema + creation)
    } catch let error as JournalError where error.kind == .unwritable && !columns.isEmpty {
      try replace(name, by: creation, in: database)
    }
  }

  /// Makes a view again that loses a column, for the same owner and with the same grants.
  private func replace(
    _ name: String, by creation: String, in database: SessionDatabase
  ) throws {
    try database.transaction {
      try database.run(script: SessionDatabase.lockingSchema)
      let statements = try database.run(
        """
        SELECT format('ALTER VIEW %I OWNER TO %I', relname, pg_get_userbyid(relowner)), 0 AS part
        FROM pg_class WHERE oid = to_regclass($1)
        UNION ALL
        SELECT format('GRANT %s ON %I TO %s%s', privilege_type, relname,
          CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END,
          CASE WHEN is_grantable THEN ' WITH GRANT OPTION' ELSE '' END), 1
        FROM pg_class, aclexplode(relacl) WHERE oid = to_regclass($1)
        ORDER BY part
        """, name.quoted)
      try database.run("DROP VIEW \(name.quoted)")
      try database.run(script: creation)
      for statement in statements { try database.run(statement[0] ?? "") }
    }
  }

  /// The views to be made, with names that no others have.
  ///
  /// One that shows more, as a newer version of the app has made it, is none of them.
  private func missing(in database: SessionDatabase) throws -> [(View, name: String)] {
    let rows = try database.run(
      """
      SELECT relname, coalesce(obj_description(oid, 'pg_class'), '') FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace
      """)
    let comments = Dictionary(
      rows.map { ($0[0] ?? "", $0[1] ?? "") }, uniquingKeysWith: { first, _ in first })
    let beginning = "\(program): "
    return views.compactMap { view in
      guard
        let name = view.names.first(where: { comments[$0]?.hasPrefix(beginning) ?? true })
      else { return nil }
      let marks = comments[name]?.dropFirst(beginning.count).split(separator: " ") ?? []
      return Set(marks.map(String.init)).isSuperset(of: view.marks) ? nil : (view, name)
    }
  }

  // MARK: - Queries

  private static func expression(of value: SQLView.Value) -> String {
    switch value {
    case .position: return "row_number() OVER (PARTITION BY sessions.name ORDER BY ordinal)"
    case .id: return "records.id"
    case .element(let list): return list.hasTexts ? "journal_json(value) #>> '{}'" : "records.id"
    case .part(let name, let type): return typed("(journal_json(value) -> '\(name)')", type)
    case .field(let field):
      let member = field.viewMember.map { "(journal_json(value) -> '\($0)')" }
      let value = typed(member ?? "journal_json(value)", member == nil ? field.type : nil)
      return """
        (SELECT \(value) FROM fields
            WHERE session = sessions.id AND path = '\(field.path)')
        """
    }
  }

  /// A value of JSON as one of SQL's type; null for one of another type, which the session of another version may have.
  private static func typed(_ json: String, _ type: ValueType?) -> String {
    let text = "(\(json) #>> '{}')"
    return switch type?.required {
    case .boolean?: "CASE WHEN jsonb_typeof(\(json)) = 'boolean' THEN \(text)::boolean END"
    case .integer?:
      """
      CASE WHEN jsonb_typeof(\(json)) = 'number' THEN
          CASE WHEN \(text)::numeric BETWEEN \(Int64.min) AND \(Int64.max)
            THEN \(text)::numeric::bigint END END
      """
    case .number?:
      """
      CASE WHEN jsonb_typeof(\(json)) = 'number' OR \(text) IN ('inf', '-inf', 'nan')
          THEN \(text)::double precision END
      """
    default: text
    }
  }
}

extension String {
  /// A name in quotes, because it may be a keyword of SQL.
  fileprivate var quoted: String { "\"\(replacing("\"", with: "\"\""))\"" }
}
