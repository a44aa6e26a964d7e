import PrimereplFoundation

/// The scenarios of a run, before it begins.
package struct RunPlan {
  var program: String
  /// The program's options for the app whose scenarios run, for the command lines in reports.
  var appArguments: [String] = []
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
  package var file: String
  package var message: String
  /// Nil if it is about the whole file.
  package var location: SourceLocation?
}

struct RunSummary {
  var plan: RunPlan
  var counts: [ScenarioResult.Outcome: Int]
  /// The problems that the plan doesn't have, as they were found at the end, such as obsolete snapshots.
  var lateProblems: [FileProblem] = []
  /// The real time of the whole run, in seconds.
  var seconds: Double
  var isInterrupted = false
  /// Nil if it wasn't asked for.
  var coverage: CoverageSummary?
  /// Further remarks, a line each, such as "2 snapshots written".
  var notes: [String] = []

  var problems: [FileProblem] { plan.problems + lateProblems }

  var endedCount: Int { counts.values.reduce(0, +) }

  /// Whether everything that ran passed, and all of it ran.
  var hasPassed: Bool {
    counts[.failed, default: 0] == 0 && problems.isEmpty && !isInterrupted
  }
}
