import PrimereplFoundation
import StateStore

/// Saves a write: by one statement, or a large one by several in one transaction.
struct SessionSave {
  enum Result {
    case saved(sequence: Int)
    /// Others have written.
    case conflict
    /// The session is gone.
    case lost
  }

  let database: SessionDatabase
  let session: Int
  let write: SessionWrite
  let author: String?

  /// Saves the write after another one, unless the session already has it.
  ///
  /// Without the id of that one, a lost session is written again.
  func run(after sequence: Int, _ id: UUID?) throws -> Result {
    let (entries, changes) = try rows()
    if entries.count == 1, changes.count == 1 {
      let parameters = begin(after: sequence, id) + [entries[0], changes[0]]
      return result(
        of: try database.run(
          "CALL journal_save($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, NULL)", parameters),
        after: sequence)
    }
    let result = try database.transaction {
      try run(entries, changes, after: sequence, id)
    }
    try database.run("SELECT pg_notify(journal_channel($1), '')", "\(session)")
    return result
  }

  /// As `run`, in a transaction of the caller's, and without a notification of others.
  func runInTransaction(after sequence: Int, _ id: UUID?) throws -> Result {
    let (entries, changes) = try rows()
    return try run(entries, changes, after: sequence, id)
  }

  private func rows() throws -> (entries: [String], changes: [String]) {
    (
      try RowArray.arrays(of: write.entries.map(EntryRow.init), size: \.size),
      try RowArray.arrays(of: write.changes.flatMap(FieldChangeRow.rows), size: \.size)
    )
  }

  private func run(
    _ entries: [String], _ changes: [String], after sequence: Int, _ id: UUID?
  ) throws -> Result {
    let rows = try database.run(
      "SELECT journal_begin($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)", begin(after: sequence, id))
    guard rows.first?.integer(0) == 0 else { return result(of: rows, after: sequence) }
    for part in entries {
      try database.run(
        "SELECT journal_append($1, $2, $3)", "\(session)", "\(sequence + 1)", part)
    }
    for part in changes {
      try database.run("SELECT journal_apply($1, $2)", "\(session)", part)
    }
    return .saved(sequence: sequence + 1)
  }

  private func begin(after sequence: Int, _ id: UUID?) -> [String?] {
    [
      "\(session)", "\(sequence)", id?.uuidString, write.id.uuidString, author, "\(write.common)",
      "\(write.extent.first)", "\(write.extent.position)", "\(write.extent.migration)",
      "\(write.replacesState)",
    ]
  }

  private func result(of rows: [[String?]], after sequence: Int) -> Result {
    switch rows.first?.integer(0) {
    case nil: .lost
    case 0: .saved(sequence: sequence + 1)
    case let known? where known > 0: .saved(sequence: known)
    default: .conflict
    }
  }
}

// MARK: - Rows

/// Rows as JSON arrays, each a parameter of a statement.
///
/// PostgreSQL takes arrays of up to 256 MB, and doesn't answer while it works on one.
enum RowArray {
  private static let maximumCount = 10_000
  /// The number of bytes after which an array ends.
  private static let maximumSize = 8 << 20

  /// Rows in arrays of bounded size, in order; at least one array.
  static func arrays<Row: Encodable>(of rows: [Row], size: (Row) -> Int) throws -> [String] {
    let slices = rows.isEmpty ? [[]] : Self.slices(of: rows, size: size)
    let encoder = JSONEncoder()
    return try slices.map { String(decoding: try encoder.encode(Array($0)), as: UTF8.self) }
  }

  fileprivate static func slices<Element>(
    of elements: [Element], size: (Element) -> Int
  ) -> [ArraySlice<Element>] {
    var slices: [ArraySlice<Element>] = []
    var (start, total) = (0, 0)
    for (index, element) in elements.enumerated() {
      total += size(element)
      guard total >= maximumSize || index - start + 1 == maximumCount || index == elements.count - 1
      else { continue }
      slices.append(elements[start...index])
      (start, total) = (index + 1, 0)
    }
    return slices
  }
}

/// An entry in the form that the database's function `journal_append` takes.
struct EntryRow: Encodable {
  private let number: Int
  private let time: Double
  private let author: String?
  private let text: String
  private let action: String
  private let changes: String

  init(_ entry: SavedEntry) {
    (number, time) = (entry.number, entry.time.timeIntervalSince1970)
    (author, text) = (entry.author, entry.text)
    (action, changes) = (entry.action, entry.changes)
  }

  /// About its size in bytes.
  var size: Int { 200 + text.utf8.count + action.utf8.count + changes.utf8.count }
}

/// A change of a field, or a part of a large one, in the form that the database's function `journal_apply` takes.
struct FieldChangeRow: Encodable {
  private struct Element: Encodable {
    let id: Int
    let value: String

    init(_ element: StateValue) {
      (id, value) = (element.identifier, element.savedJSON)
    }

    var size: Int { 50 + value.utf8.count }
  }

  private struct Edit: Encodable {
    let kind: String
    let id: Int
    var position: Int?
    var old: Int?
    var value: String?

    init(_ edit: ListEdit<StateValue>) {
      switch edit {
      case .inserted(let position, let element):
        (kind, id, self.position) = ("inserted", element.identifier, position)
        value = element.savedJSON
      case .removed(_, let element):
        (kind, id) = ("removed", element.identifier)
      case .changed(_, let old, let new):
        (kind, id, self.old) = ("changed", new.identifier, old.identifier)
        value = new.savedJSON
      }
    }

    init(inserting element: Element, at position: Int) {
      (kind, id, self.position, value) = ("inserted", element.id, position, element.value)
    }

    var size: Int { 100 + (value?.utf8.count ?? 0) }
  }

  private let path: String
  private var value: String?
  private var elements: [Element]?
  private var edits: [Edit]?

  static func rows(of change: FieldChange) -> [FieldChangeRow] {
    switch change.change {
    case .value(let new, _): [FieldChangeRow(path: change.path, value: new.savedJSON)]
    case .list(.edits(let edits)): rows(editing: change.path, edits.map(Edit.init))
    case .list(.replaced(_, let new)): rows(replacing: change.path, new.map(Element.init))
    }
  }

  private static func rows(editing path: String, _ edits: [Edit]) -> [FieldChangeRow] {
    RowArray.slices(of: edits, size: \.size).map { FieldChangeRow(path: path, edits: Array($0)) }
  }

  /// The beginning of the new list, and the rest as insertions at its end.
  private static func rows(replacing path: String, _ elements: [Element]) -> [FieldChangeRow] {
    let first = RowArray.slices(of: elements, size: \.size).first ?? []
    let rest = elements.enumerated().dropFirst(first.count)
      .map { Edit(inserting: $0.element, at: $0.offset) }
    return [FieldChangeRow(path: path, elements: Array(first))] + rows(editing: path, rest)
  }

  /// About its size in bytes.
  var size: Int {
    let elementSizes = elements?.map(\.size) ?? []
    let editSizes = edits?.map(\.size) ?? []
    return (elementSizes + editSizes).reduce(100 + (value?.utf8.count ?? 0), +)
  }
}
