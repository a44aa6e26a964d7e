import PrimereplFoundation
import PrimereplPlatform

/// A table of the parts of an app that scenarios touched, and the names of the others.
struct CoverageText {
  private let coverage: CoverageSummary
  private let width: Int

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
    return ([["coverage"] + kinds] + rows).inColumns(isRightAligned: true)
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
      if !isFirst, line.columns + 1 + word.columns > width {
        lines.append(line)
        line = "    " + word
      } else {
        line += (isFirst ? "" : " ") + word
      }
    }
    return lines + [line]
  }
}
