import Foundation
import StateStore

/// Reads a session whose actions this version of its program can't repeat, from the tables of its current states.
struct SessionMigration {
  private let database: SessionDatabase
  private let session: String

  init(_ database: SessionDatabase, _ session: Int) {
    self.database = database
    self.session = "\(session)"
  }

  /// The current values by the paths of their fields.
  func values() throws -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for row in try database.run("SELECT path, value FROM fields WHERE session = $1", session) {
      values[row[0] ?? ""] = try json(row[1])
    }
    for row in try database.run("SELECT path FROM lists WHERE session = $1", session) {
      let elements = try database.run(
        "SELECT value FROM records WHERE session = $1 AND list = $2 ORDER BY ordinal", session,
        row[0])
      values[row[0] ?? ""] = .list(try elements.map { try json($0[0]) })
    }
    return values
  }

  /// The versions of the declarations that wrote the session.
  func versions() throws -> [String: Int] {
    let contents = try database.run(
      """
      SELECT content FROM checkpoints WHERE session = $1 AND content LIKE '%"#version"%'
      UNION ALL
      SELECT content FROM entries WHERE session = $1 AND content LIKE '%"#version"%'
      """, session)
    return try contents.reduce(into: [:]) { versions, row in
      versions.merge(try json(row[0]).declaredVersions) { max($0, $1) }
    }
  }

  private func json(_ text: String?) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data((text ?? "").utf8))
  }
}
