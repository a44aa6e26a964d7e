import GRDB

/// The views in which people find the states as they are now: one for each list, and one for the other fields of a feature.
struct StateViews {
  private struct View {
    let name: String
    let sql: String
  }

  private let views: [View]

  /// What the file has besides.
  private static let tables: Set<String> = [
    "entries", "checkpoint", "identifiers", "fields", "lists", "records", "records_in_order",
  ]

  init(_ schema: Schema) {
    let lists = schema.fields.compactMap(Self.list)
    let names = Set(lists.map(\.name))
    let others = schema.features.compactMap { feature in
      names.contains(feature.name)
        ? nil
        : Self.values(
          of: feature.name,
          schema.fields.filter { $0.path.hasPrefix(feature.name + ".") && !$0.isList })
    }
    views = lists + others
  }

  /// Whether a file has all of them as they are to be.
  func areIn(_ database: Database) throws -> Bool {
    let found = try Row.fetchAll(
      database, sql: "SELECT name, sql FROM sqlite_schema WHERE type = 'view'")
    let sql = Dictionary(
      found.compactMap { row -> (String, String)? in
        guard let name = String.fromDatabaseValue(row[0]),
          let sql = String.fromDatabaseValue(row[1])
        else { return nil }
        return (name, sql)
      }, uniquingKeysWith: { $1 })
    return views.allSatisfy { sql[$0.name] == $0.sql }
  }

  /// Makes them, in place of others of their names.
  func make(in database: Database) throws {
    for view in views {
      try database.execute(sql: "DROP VIEW IF EXISTS \(Self.quoted(view.name))")
      try database.execute(sql: view.sql)
    }
  }

  private static func list(_ field: StateField) -> View? {
    guard case .list(let list) = field.content else { return nil }
    let columns = list.names.filter { $0 != "id" }.map { name in
      "  json_extract(value, '$.\(name)') AS \(quoted(name))"
    }
    let id = list.names.isEmpty ? "id AS \(quoted(field.view.member ?? "value"))" : "id"
    return view(
      field.view.name ?? field.path.replacing(".", with: "_"),
      ["  row_number() OVER (ORDER BY ordinal) AS position", "  \(id)"] + columns,
      "\nFROM records WHERE list = '\(field.path)' ORDER BY ordinal")
  }

  private static func values(of feature: String, _ fields: [StateField]) -> View? {
    guard !fields.isEmpty else { return nil }
    let columns = fields.map { field in
      let name = String(field.path.dropFirst(feature.count + 1))
      let member = field.view.member.map { ".\($0)" } ?? ""
      return "  (SELECT json_extract(value, '$\(member)') FROM fields WHERE path = '\(field.path)')"
        + " AS \(quoted(name))"
    }
    return view(feature, columns, "")
  }

  private static func view(_ name: String, _ columns: [String], _ source: String) -> View {
    let name = tables.contains(name) ? name + "_view" : name
    return View(
      name: name,
      sql: "CREATE VIEW \(quoted(name)) AS SELECT\n\(columns.joined(separator: ",\n"))\(source)")
  }

  /// A name as SQL has it, where it may be a keyword.
  private static func quoted(_ name: String) -> String { "\"\(name)\"" }
}
