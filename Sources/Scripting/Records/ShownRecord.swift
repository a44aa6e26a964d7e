package import StateStore

/// A live record of any kind, for tools that show it without running scripts' code.
package protocol ShownRecord: AnyObject {
  /// The type's name in scripts: "person".
  var typeName: String { get }

  /// The id; nil for the only record of its kind.
  var recordID: Int? { get }

  /// The current contents of the record.
  ///
  /// - Throws: The feature's error if it was removed.
  func recordContents() throws -> RecordContents
}

/// The contents of a record at one time.
package struct RecordContents {
  /// A field of a record.
  package struct Field {
    package let name: String
    package let value: StateValue
    /// Whether scripts can assign it.
    package let isAssignable: Bool
  }

  /// See ``ScriptableRecord/summary``.
  package let summary: String?
  /// The fields in display order; secrets are among them.
  package let fields: [Field]
}

extension LiveRecord: ShownRecord {
  package var typeName: String { Record.luaTypeName }

  package var recordID: Int? { Record.self is any Identifiable.Type ? id : nil }

  package func recordContents() throws -> RecordContents {
    let record = try get()
    let fields = Record.fields.enumerated().map { index, field in
      RecordContents.Field(
        name: field.name, value: field.value(in: record), isAssignable: isAssignable(at: index))
    }
    return RecordContents(summary: record.summary, fields: fields)
  }
}
