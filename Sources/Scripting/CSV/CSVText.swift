package import StateStore

/// Rows as comma-separated values (RFC 4180, with a newline after each line).
///
/// Records have a column for each name, with a header. Lists are rows without a header, and other values are a column named
/// "value".
package struct CSVText {
  package let text: String

  /// Writes rows.
  ///
  /// - Parameters:
  ///   - rows: The rows.
  ///   - columns: The names of the columns of records; nil for all, in the order in which they first occur.
  ///   - separator: The text between two cells.
  ///   - hasHeader: Whether the first line has the names of the columns.
  package init(
    _ rows: [StateValue], columns: [String]? = nil, separator: String = ",",
    hasHeader: Bool = true
  ) {
    let names = columns
    var columns = names ?? []
    if names == nil {
      var known: Set<String> = []
      for case .record(let members) in rows {
        for member in members where known.insert(member.name).inserted {
          columns.append(member.name)
        }
      }
    }
    let hasLists = rows.contains { if case .list = $0 { true } else { false } }
    if columns.isEmpty, !hasLists { columns = ["value"] }
    func cell(_ value: StateValue) -> String { Self.cell(value, separator) }
    var text = ""
    func add(_ cells: [String]) { text += cells.joined(separator: separator) + "\n" }
    if hasHeader, !columns.isEmpty { add(columns.map { cell(.text($0)) }) }
    for row in rows {
      switch row {
      case .record: add(columns.map { cell(row[$0] ?? .none) })
      case .list(let elements, _): add(elements.map(cell))
      default: add([cell(row)])
      }
    }
    self.text = text
  }

  private static func cell(_ value: StateValue, _ separator: String) -> String {
    switch value {
    case .none, .secret: ""
    case .text(let text): escaped(text, separator)
    // Lists and records as JSON, which spreadsheets show as text.
    default: escaped(value.json, separator)
    }
  }

  private static func escaped(_ text: String, _ separator: String) -> String {
    let special = Array("\"\r\n\(separator)".utf8)
    let needsQuotes = text.utf8.contains { special.contains($0) }
    return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }
}

extension StateValue {
  /// The rows of a list; of a group, its members with their keys.
  var csvRows: [StateValue]? {
    switch self {
    case .list(let rows, _): rows
    case .record(let groups):
      groups.map { group in
        guard case .record(let members) = group.value else {
          return .record([
            .init(name: "key", value: .text(group.name)), .init(name: "value", value: group.value),
          ])
        }
        return .record([.init(name: "key", value: .text(group.name))] + members)
      }
    default: nil
    }
  }
}
