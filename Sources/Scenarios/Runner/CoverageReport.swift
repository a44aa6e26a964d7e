import Foundation

/// The parts of an app that a run's scenarios touched.
struct CoverageReport {
  private let all: [CoverageItem]
  private let touched: Set<CoverageItem>

  init(all: [CoverageItem], touched: Set<CoverageItem>) {
    self.all = all
    self.touched = touched
  }

  /// The percentage of the parts that were touched.
  var percentage: Double {
    all.isEmpty ? 100 : 100 * Double(all.count { touched.contains($0) }) / Double(all.count)
  }

  /// The problem if fewer parts than a percentage were touched.
  func shortfall(from least: Double) -> String {
    "scenarios touch \(Self.text(percentage)) % of the app, less than \(Self.text(least)) %"
  }

  private static func text(_ percentage: Double) -> String { String(format: "%.1f", percentage) }

  /// A table of the features, and the parts of each that no scenario touched.
  var lines: [String] {
    let features = Self.unique(all.map(\.feature))
    let width = (features.map(\.count) + ["coverage".count]).max() ?? 0
    let header = row("coverage", CoverageItem.Kind.allCases.map { "\($0.rawValue)s" }, width)
    let rows = features.map { feature in
      row(feature, CoverageItem.Kind.allCases.map { cell(feature, $0) }, width)
    }
    let missing = features.flatMap { feature in
      CoverageItem.Kind.allCases.compactMap { kind -> String? in
        let names = all.filter { $0.feature == feature && $0.kind == kind && !touched.contains($0) }
          .map(\.name)
        return names.isEmpty
          ? nil
          : "no scenario touches the \(kind.rawValue)s of \(feature): \(names.joined(separator: ", "))"
      }
    }
    return [header] + rows + ["in all: \(Self.text(percentage)) %"] + missing
  }

  private func cell(_ feature: String, _ kind: CoverageItem.Kind) -> String {
    let items = all.filter { $0.feature == feature && $0.kind == kind }
    return items.isEmpty ? "-" : "\(items.count { touched.contains($0) })/\(items.count)"
  }

  private func row(_ title: String, _ cells: [String], _ width: Int) -> String {
    let title = title.padding(toLength: width, withPad: " ", startingAt: 0)
    return title
      + cells.map { String(repeating: " ", count: max(2, 10 - $0.count)) + $0 }.joined()
  }

  private static func unique(_ names: [String]) -> [String] {
    var known: Set<String> = []
    return names.filter { known.insert($0).inserted }
  }
}
