import PrimereplFoundation

/// The parts of an app that a run's scenarios touched.
struct CoverageSummary: Equatable, Sendable {
  /// The parts of one kind of a feature.
  struct Part: Equatable, Sendable {
    /// The kind in the plural: "actions", "errors" or "fields".
    let kind: String
    let count: Int
    let missing: [String]

    var touchedCount: Int { count - missing.count }
  }

  struct Feature: Equatable, Sendable {
    let name: String
    let parts: [Part]
  }

  let features: [Feature]

  var percentage: Double {
    let parts = features.flatMap(\.parts)
    let count = parts.reduce(0) { $0 + $1.count }
    return count == 0 ? 100 : 100 * Double(parts.reduce(0) { $0 + $1.touchedCount }) / Double(count)
  }
}

extension CoverageSummary {
  init(all: [CoverageItem], touched: Set<CoverageItem>) {
    var names: [String] = []
    for item in all where !names.contains(item.feature) { names.append(item.feature) }
    features = names.map { name in
      Feature(
        name: name,
        parts: CoverageItem.Kind.allCases.map { kind in
          let items = all.filter { $0.feature == name && $0.kind == kind }
          return Part(
            kind: "\(kind.rawValue)s", count: items.count,
            missing: items.filter { !touched.contains($0) }.map(\.name))
        })
    }
  }

  /// The problem if fewer parts than a percentage were touched.
  func shortfall(from least: Double) -> String {
    percentage.formatted("scenarios touch %.1f %% of the app, less than ")
      + least.formatted("%.1f %%")
  }
}
