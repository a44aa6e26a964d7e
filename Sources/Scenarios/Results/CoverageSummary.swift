/// The parts of an app that a run's scenarios touched.
struct CoverageSummary: Equatable, Sendable {
  /// The parts of one kind of a feature.
  struct Part: Equatable, Sendable {
    /// The kind in the plural: "actions", "errors" or "fields".
    let kind: String
    /// The number of all parts.
    let count: Int
    /// The names of those that no scenario touched.
    let missing: [String]

    var touchedCount: Int { count - missing.count }
  }

  /// A feature and its parts, of each kind.
  struct Feature: Equatable, Sendable {
    let name: String
    let parts: [Part]
  }

  let features: [Feature]

  /// The percentage of the parts that were touched.
  var percentage: Double {
    let parts = features.flatMap(\.parts)
    let count = parts.reduce(0) { $0 + $1.count }
    return count == 0 ? 100 : 100 * Double(parts.reduce(0) { $0 + $1.touchedCount }) / Double(count)
  }
}
