/// What a run is about to do.
public struct RunPlan: Codable, Equatable, Sendable {
  /// The name of the program, for the command lines in reports.
  public let program: String
  /// The scenarios in the order in which they are reported, those to be skipped included.
  public let scenarios: [ScenarioDescription]
  /// The files that couldn't be loaded.
  public let problems: [FileProblem]
  /// The number that determines the order of `--shuffle`; nil for the order of the files.
  public let shuffleSeed: UInt64?

  /// Makes a plan.
  public init(
    program: String, scenarios: [ScenarioDescription], problems: [FileProblem] = [],
    shuffleSeed: UInt64? = nil
  ) {
    self.program = program
    self.scenarios = scenarios
    self.problems = problems
    self.shuffleSeed = shuffleSeed
  }
}

/// Why a scenario file can't be loaded, or what is wrong with it as a whole.
public struct FileProblem: Codable, Equatable, Sendable {
  /// The file's path.
  public let file: String
  /// What is wrong, and what to do.
  public let message: String
  /// The place in the file; nil if it is about the whole file.
  public let location: SourceLocation?

  /// Makes a problem.
  public init(file: String, message: String, location: SourceLocation? = nil) {
    self.file = file
    self.message = message
    self.location = location
  }
}

/// What came of a run.
public struct RunSummary: Codable, Equatable, Sendable {
  /// The number of scenarios for each outcome that occurred.
  public var counts: [ScenarioResult.Outcome: Int]
  /// The files that couldn't be loaded, and problems found at the end, such as obsolete snapshots.
  public var problems: [FileProblem]
  /// The real time of the whole run, in seconds.
  public var seconds: Double
  /// Whether the run was interrupted before all scenarios ran.
  public var isInterrupted: Bool
  /// What else is worth knowing, a line each, such as "2 snapshots written".
  public var notes: [String]

  /// Makes a summary.
  public init(
    counts: [ScenarioResult.Outcome: Int], problems: [FileProblem] = [], seconds: Double,
    isInterrupted: Bool = false, notes: [String] = []
  ) {
    self.counts = counts
    self.problems = problems
    self.seconds = seconds
    self.isInterrupted = isInterrupted
    self.notes = notes
  }

  /// Whether everything that ran passed, and all of it ran.
  public var hasPassed: Bool {
    counts[.failed, default: 0] == 0 && problems.isEmpty && !isInterrupted
  }
}
