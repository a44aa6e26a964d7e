import PrimereplPlatform

/// Lays out text in lines of a width.
///
/// The lines are printable: an app's descriptions may contain anything.
struct TextLayout {
  /// In characters.
  let width: Int

  private static let minimumWidth = 20

  init(width: Int) { self.width = max(width, Self.minimumWidth) }

  /// The lines of a text, broken at spaces.
  ///
  /// A word that is longer than a line has a line of its own.
  func lines(_ text: String, indentation: Int = 0) -> [String] {
    let space = String(repeating: " ", count: indentation)
    var lines: [String] = []
    var line = ""
    for word in text.printableLines.split(separator: " ") {
      if !line.isEmpty, indentation + line.count + 1 + word.count > width {
        lines.append(space + line)
        line = ""
      }
      line += line.isEmpty ? word : " " + word
    }
    return line.isEmpty ? lines : lines + [space + line]
  }

  /// Names in one column, indented, and a text for each in a second.
  ///
  /// The text of a name that would take more than half of the width begins on the line below it.
  func columns(_ rows: [(name: String, text: String)]) -> [String] {
    let rows = rows.map { (name: $0.name.printable, text: $0.text) }
    let indentation = 2
    let limit = width / 2 - indentation
    let column = rows.map(\.name.count).filter { $0 <= limit }.max() ?? indentation
    let start = indentation + column + 2
    return rows.flatMap { row in
      let texts = lines(row.text, indentation: start)
      guard row.name.count <= column, let first = texts.first else {
        return lines(row.name, indentation: indentation) + texts
      }
      let name = String(repeating: " ", count: indentation) + row.name
      let padding = String(repeating: " ", count: start - name.count)
      return [name + padding + first.dropFirst(start)] + texts.dropFirst()
    }
  }
}
