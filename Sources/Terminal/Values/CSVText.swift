package import Lua
package import Scripting
package import StateStore

/// Rows as comma-separated values (RFC 4180, with a newline after each line).
///
/// Records have a column for each name, with a header. Lists are rows without a header, and other values are a column named
/// "value".
package struct CSVText {
  package let text: String

  package init(_ rows: [StateValue]) {
    var columns: [String] = []
    var known: Set<String> = []
    for case .record(let members) in rows {
      for member in members where known.insert(member.name).inserted {
        columns.append(member.name)
      }
    }
    let hasLists = rows.contains { if case .list = $0 { true } else { false } }
    if columns.isEmpty, !hasLists { columns = ["value"] }
    var lines = columns.isEmpty ? [] : [columns.map(Self.escaped)]
    for row in rows {
      switch row {
      case .record: lines.append(columns.map { Self.cell(row[$0] ?? .none) })
      case .list(let elements, _): lines.append(elements.map(Self.cell))
      default: lines.append([Self.cell(row)])
      }
    }
    text = lines.map { $0.joined(separator: ",") + "\n" }.joined()
  }

  private static func cell(_ value: StateValue) -> String {
    switch value {
    case .none: ""
    case .text(let text): escaped(text)
    // Lists and records as JSON, which spreadsheets show as text.
    default: escaped(value.json)
    }
  }

  private static func escaped(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { Array(",\"\r\n".utf8).contains($0) }
    return needsQuotes ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
  }
}

extension ValueFormatter {
  /// The elements of a list, with the fields of records in the order in which they are shown; nil for another value.
  package func rows(of value: LuaValue, in app: ScriptedApp) throws -> [StateValue]? {
    guard let list = try reader(.whole).sequence(of: value), list.count > 0 else { return nil }
    return try (1...list.count).map { position in
      let element = try list.element(position).value
      if case .userdata(let object) = element,
        let record = try object.hostObject() as? RecordObject
      {
        return .record(
          try record.contents().fields.map { .init(name: $0.name, value: $0.value) })
      }
      return try app.jsonValue(of: element)
    }
  }
}
