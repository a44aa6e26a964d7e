package import StateStore

/// Rows as comma-separated values (RFC 4180, with a newline after each line).
///
/// Records have a column for each name, with a header. Lists are rows, with a header if their columns have names, and other
/// values are a column named "value".
package struct CSVText {
  package let text: String

  /// Writes rows; `columns` are those of records, by default all in the order in which they first occur.
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
    if names == nil, columns.isEmpty, !hasLists, !rows.isEmpty { columns = ["value"] }
    let special = Array("\"\r\n\(separator)".utf8)
    func cell(_ value: StateValue) -> String { Self.cell(value, quotedWith: special) }
    var text = ""
    func add(_ cells: [String]) {
      let line = cells.joined(separator: separator)
      // Readers skip empty lines.
      text += (line.isEmpty ? "\"\"" : line) + "\n"
    }
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

  private static func cell(_ value: StateValue, quotedWith special: [UInt8]) -> String {
    switch value {
    case .none, .secret: ""
    case .text(let text): escaped(text, special)
    // Lists and records as JSON, which spreadsheets show as text.
    default: escaped(value.json, special)
    }
  }

  private static func escaped(_ text: String, _ special: [UInt8]) -> String {
    let needsQuotes = text.utf8.contains { special.contains($0) }
    guard needsQuotes else { return text }
    // Byte by byte: a quote and an accent after it are one character.
    let quote = UInt8(ascii: "\"")
    let doubled = text.utf8.flatMap { $0 == quote ? [quote, quote] : [$0] }
    return "\"\(String(decoding: doubled, as: UTF8.self))\""
  }
}

extension StateValue {
  /// The rows of a list; of a group, its members with their keys.
  ///
  /// Nil for another value, and for rows of several kinds.
  var csvRows: [StateValue]? {
    switch self {
    case .list(let rows, _):
      Set(rows.map(\.csvKind)).count > 1 ? nil : rows
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

  private var csvKind: Int {
    switch self {
    case .record: 0
    case .list: 1
    default: 2
    }
  }
}
