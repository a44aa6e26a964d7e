package import StateStore

/// A live record of any kind, for tools that show it without running scripts' code.
package protocol RecordObject: AnyObject {
  /// The type's name in scripts: "person".
  var typeName: String { get }

  /// The id; nil for the only record of its kind.
  var recordID: Int? { get }

  /// What the record is now.
  ///
  /// - Throws: The feature's error if it was removed.
  func recordContents() throws -> RecordContents
}

/// What a record is at a moment.
package struct RecordContents {
  /// See ``ScriptableRecord/summary``.
  package let summary: String?
  /// The fields in display order; secrets are among them.
  package let fields: [(name: String, value: StateValue)]
}

extension LiveRecord: RecordObject {
  package var typeName: String { Record.luaTypeName }

  package var recordID: Int? { Record.self is any Identifiable.Type ? id : nil }

  package func recordContents() throws -> RecordContents {
    let record = try get()
    return RecordContents(
      summary: record.summary, fields: Record.fields.map { ($0.name, $0.value(in: record)) })
  }
}
