import PrimereplFoundation

/// The scenarios of a run, before it begins.
package struct RunPlan {
  /// The name of the program, for the command lines in reports.
  var program: String
  /// The program's options for the app whose scenarios run, for the command lines in reports.
  var appArguments: [String] = []
  /// The program's version, for reports; nil if it has none.
  var programVersion: String?
  /// When the run began; nil if that doesn't matter.
  var date: Date?
  /// The scenarios in the order in which they are reported, skipped ones included.
  package var scenarios: [ScenarioDescription]
  /// The files that couldn't be loaded.
  package var problems: [FileProblem] = []
  /// The number that determines the order of `--shuffle`; nil for the order of the files.
  var shuffleSeed: UInt64?
}

/// Why a scenario file can't be loaded, or a problem of the file as a whole.
package struct FileProblem: Codable, Equatable, Sendable {
  /// The file's path.
  package var file: String
  /// The problem and its remedy.
  package var message: String
  /// The place in the file; nil if it is about the whole file.
  package var location: SourceLocation?
}

/// The result of a run.
struct RunSummary {
  /// The number of scenarios for each outcome that occurred.
  var counts: [ScenarioResult.Outcome: Int]
  /// The files that couldn't be loaded, and problems found at the end, such as obsolete snapshots.
  var problems: [FileProblem] = []
  /// The real time of the whole run, in seconds.
  var seconds: Double
  /// Whether the run was interrupted before all scenarios ran.
  var isInterrupted = false
  /// The parts of the app that the scenarios touched; nil if that wasn't asked for.
  var coverage: CoverageSummary?
  /// Further remarks, a line each, such as "2 snapshots written".
  var notes: [String] = []

  /// Whether everything that ran passed, and all of it ran.
  var hasPassed: Bool {
    counts[.failed, default: 0] == 0 && problems.isEmpty && !isInterrupted
  }
}
