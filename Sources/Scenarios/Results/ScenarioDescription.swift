/// A scenario as its file declares it.
package struct ScenarioDescription: Codable, Equatable, Sendable, Identifiable {
  /// The place of a scenario among those of its file.
  package struct ID: Codable, Hashable, Sendable {
    /// The path of the file, as it was given or found.
    package var file: String
    /// The number of the declaration in the file, counted from 1.
    var number: Int
  }

  enum Mode: String, Codable, Sendable {
    case run
    case skip
    /// It may fail, since its feature isn't built yet.
    case todo
    /// It can't run, since its declaration is wrong.
    case invalid
  }

  package var id: ID
  /// The names of the groups around it, the outermost first, and its own name.
  var names: [String]
  package var line: Int
  /// Its tags and those of its groups, without duplicates.
  package var tags: [String] = []
  var mode = Mode.run
  /// Why it doesn't run, may fail, or is declared wrongly; nil if it gives no reason.
  var reason: String?
  /// Whether it is marked with `only`.
  var isOnly = false
  /// The maximum real time, in seconds; nil for that of the run.
  var timeLimit: Double?
  /// The key of its case among those of `each`: `i` and an integer, `s` and a text, or empty for a key of another
  /// kind; nil for a scenario that isn't a case.
  var caseKey: String?

  /// The names of its groups and its own, as `--filter` takes them: "signup > leaves topics".
  package var fullName: String { names.joined(separator: " > ") }

  var name: String { names.last ?? "" }
}
