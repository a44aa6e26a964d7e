import PrimereplFoundation

extension CoverageSummary {
  /// Summarizes which of an app's items were touched.
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
