import Foundation
import Platform
import StateStore

/// Reads a session whose actions this version of its program can't repeat, from the tables of its current state.
struct SessionMigration {
  let path: String
  let format: StateFileFormat

  /// Replaces a session by its last states, which the app's declarations convert, and keeps the file beside it.
  ///
  /// - Parameter database: The open file.
  /// - Returns: A message for the user; nil if the declarations say nothing of the version that wrote the session.
  /// - Throws: Why the states can't be converted, or the new file can't be written; then the file is unchanged.
  func migrate(_ database: StateDatabase) throws -> String? {
    let rows = JournalRows(format)
    let found = try database.read { database in
      (
        values: try values(database), versions: try versions(database),
        head: try rows.head(database), identity: try rows.identity(database),
        identifiers: try rows.identifiers(database)
      )
    }
    guard let states = try format.schema.migratedStates(found.values, from: found.versions) else {
      return nil
    }
    let history = HistorySnapshot(state: states, offset: 0, actions: [], position: 0)
    let session = SavedSession(
      contents: JournalContents(
        checkpoint: JournalCheckpoint(head: found.head, history: history), entries: []),
      identity: found.identity, identifiers: found.identifiers)
    let copy = FileRecovery.unusedPath(beside: path, for: "earlier")
    do throws(SystemCallError) {
      try FileSystem.link(path, to: copy)
    } catch {
      throw JournalError.unwritable(path, reason: "it can't be kept as \(copy): \(error.reason)")
    }
    try session.write(to: path, isReplacing: true, format)
    return
      "\(path): the session was migrated to the app's new version. Its history begins anew; the earlier file is kept as \(copy)."
  }

  /// The current values by the paths of their fields.
  private func values(_ database: Database) throws -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for row in try database.rows("SELECT path, value FROM fields") {
      guard let path = row[0].text, let text = row[1].text else {
        throw Damage("its table fields isn't as it was written")
      }
      values[path] = try json(text)
    }
    for path in try database.rows("SELECT path FROM lists").compactMap(\.[0].text) {
      let elements = try database.rows(
        "SELECT value FROM records WHERE list = ? ORDER BY ordinal", .text(path))
      values[path] = .list(try elements.compactMap(\.[0].text).map(json))
    }
    return values
  }

  /// The versions of the declarations that wrote the session.
  private func versions(_ database: Database) throws -> [String: Int] {
    var versions: [String: Int] = [:]
    for table in ["checkpoint", "entries"] {
      for content in try database.rows("SELECT content FROM \(table)").compactMap(\.[0].text)
      where content.contains("\"#version\"") {
        versions.merge(try json(content).declaredVersions) { max($0, $1) }
      }
    }
    return versions
  }

  private func json(_ text: String) throws -> JSONValue {
    try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
  }
}
