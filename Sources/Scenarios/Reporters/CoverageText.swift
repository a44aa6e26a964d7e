import PrimereplFoundation
import PrimereplPlatform

/// A table of the parts of an app that scenarios touched, and the names of the others.
struct CoverageText {
  private let coverage: CoverageSummary
  private let width: Int

  /// - Parameters:
  ///   - coverage: The parts.
  ///   - width: The columns of the screen.
  init(_ coverage: CoverageSummary, width: Int) {
    (self.coverage, self.width) = (coverage, width)
  }

  /// The table, and below it the names, wrapped.
  var lines: [String] {
    table + [coverage.percentage.formatted("in all: %.1f %%")]
      + (missing.isEmpty ? [] : ["", "Not touched:"] + missing)
  }

  private var table: [String] {
    let kinds = coverage.features.first?.parts.map(\.kind) ?? []
    let rows = coverage.features.map { feature in
      [feature.name] + feature.parts.map { $0.count == 0 ? "-" : "\($0.touchedCount)/\($0.count)" }
    }
    return Self.columns([["coverage"] + kinds] + rows)
  }

  /// Pads the first cell of each row on the right, and the others on the left.
  private static func columns(_ rows: [[String]]) -> [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { ReportText.width($0[column]) }.max() ?? 0
    }
    return rows.map { row in
      zip(row, widths).enumerated().map { column, cell in
        let padding = String(repeating: " ", count: cell.1 - ReportText.width(cell.0))
        return column == 0 ? cell.0 + padding : "  " + padding + cell.0
      }.joined()
    }
  }

  /// The names that no scenario touched, by kind, without the feature's name before them.
  private var missing: [String] {
    coverage.features.flatMap { feature in
      feature.parts.filter { !$0.missing.isEmpty }.flatMap { part in
        let names = part.missing.map { name in
          let isOfFeature = name.hasPrefix(feature.name + ".")
          return (isOfFeature ? String(name.dropFirst(feature.name.count + 1)) : name).printable
        }
        return wrapped(names, after: "  \(feature.name) \(part.kind): ")
      }
    }
  }

  /// Names separated by commas, with the lines after the first indented.
  private func wrapped(_ names: [String], after title: String) -> [String] {
    var lines: [String] = []
    var line = title
    for (index, name) in names.enumerated() {
      let word = index < names.count - 1 ? name + "," : name
      let isFirst = line == title || line.allSatisfy { $0 == " " }
      if !isFirst, ReportText.width(line) + 1 + ReportText.width(word) > width {
        lines.append(line)
        line = "    " + word
      } else {
        line += (isFirst ? "" : " ") + word
      }
    }
    return lines + [line]
  }
}
