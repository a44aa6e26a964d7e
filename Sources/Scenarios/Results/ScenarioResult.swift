/// What came of a scenario.
public struct ScenarioResult: Codable, Equatable, Sendable {
  /// The ways a scenario can end.
  public enum Outcome: String, Codable, Equatable, Sendable, CaseIterable {
    /// All expectations were met.
    case passed
    /// It failed.
    case failed
    /// It failed, and passed when it was run again.
    case flaky
    /// It wasn't run, as it says.
    case skipped
    /// It is marked with `todo`, whether or not it failed.
    case todo
  }

  /// The scenario.
  public let scenario: ScenarioDescription
  /// How it ended.
  public var outcome: Outcome
  /// The real time that the last attempt took, in seconds.
  public var seconds: Double
  /// The number of times that it was run: 0 for a skipped one.
  public var attempts: Int
  /// Why it failed; those of the earlier attempts for a flaky one.
  public var failures: [ScenarioFailure]
  /// What the app did, in order; empty unless the scenario failed or a report asks for it.
  public var timeline: [TimelineEntry]
  /// What the scenario wrote to its standard output and error; bytes that aren't UTF-8 are written as `\xff`.
  public var output: String

  /// Makes a result.
  public init(
    _ scenario: ScenarioDescription, _ outcome: Outcome, seconds: Double = 0, attempts: Int = 1,
    failures: [ScenarioFailure] = [], timeline: [TimelineEntry] = [], output: String = ""
  ) {
    self.scenario = scenario
    self.outcome = outcome
    self.seconds = seconds
    self.attempts = attempts
    self.failures = failures
    self.timeline = timeline
    self.output = output
  }
}

/// One reason why a scenario failed.
public struct ScenarioFailure: Codable, Equatable, Sendable {
  /// The kinds of failure.
  public enum Kind: String, Codable, Equatable, Sendable {
    /// An expectation wasn't met.
    case expectation
    /// An error was raised and not caught.
    case error
    /// An invariant didn't hold.
    case invariant
    /// The scenario ended before its tasks did.
    case unfinished
    /// It took longer than its time limit.
    case timeout
    /// Its process ended: a crash, or a call of `os.exit`.
    case crash
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// What was wrong, and what to do; it may have several lines.
  public let message: String
  /// The place of the expectation, or where the error was raised; nil if unknown.
  public let location: SourceLocation?
  /// The calls in scenario files and their modules that led there, innermost first, without `location` itself.
  public let callers: [SourceLocation]
  /// How the actual value or state differs from the expected one.
  public let differences: [ValueDifference]

  /// Makes a failure.
  public init(
    _ kind: Kind, _ message: String, at location: SourceLocation? = nil,
    callers: [SourceLocation] = [], differences: [ValueDifference] = []
  ) {
    self.kind = kind
    self.message = message
    self.location = location
    self.callers = callers
    self.differences = differences
  }

  /// The failure with more lines in its message.
  func explained(with text: String) -> Self {
    Self(
      kind, "\(message)\n\(text)", at: location, callers: callers, differences: differences)
  }
}

/// A line of a scenario file, or of a module that it requires.
public struct SourceLocation: Codable, Equatable, Sendable {
  /// The file's path.
  public let file: String
  /// The line, counted from 1.
  public let line: Int
  /// The text of the line without the white space around it; nil if it can't be read.
  public let text: String?

  /// Makes a location.
  public init(file: String, line: Int, text: String? = nil) {
    self.file = file
    self.line = line
    self.text = text
  }
}

/// A part of a value or of the state that isn't as expected.
public struct ValueDifference: Codable, Equatable, Sendable {
  /// The path of the part: `counter.count`, or `[2].name` within a value; empty for the whole value.
  public let path: String
  /// The expected value as Lua text; nil if nothing was expected there.
  public let expected: String?
  /// The actual value as Lua text; nil if nothing is there.
  public let actual: String?

  /// Makes a difference.
  public init(path: String, expected: String?, actual: String?) {
    self.path = path
    self.expected = expected
    self.actual = actual
  }
}

/// Something that the app did during a scenario: an action, or a step through the history.
public struct TimelineEntry: Codable, Equatable, Sendable {
  /// A part of the state that changed.
  public struct Change: Codable, Equatable, Sendable {
    /// The path: `counter.count`, `favorites[1]`, or `favorites.removed` for the records that a list lost.
    public let path: String
    /// The earlier value as Lua text; nil if there was none.
    public let old: String?
    /// The new value as Lua text; nil if there is none.
    public let new: String?

    /// Makes a change.
    public init(path: String, old: String?, new: String?) {
      self.path = path
      self.old = old
      self.new = new
    }
  }

  /// The action as Lua text, such as `counter.increment()`; or `store.jump(3)` for a step through the history.
  public let text: String
  /// The time on the scenario's clock, in seconds since its start.
  public let time: Double
  /// The line of the scenario file that led to it; nil if unknown.
  public let location: SourceLocation?
  /// What it changed.
  public let changes: [Change]

  /// Makes an entry.
  public init(text: String, time: Double, location: SourceLocation?, changes: [Change]) {
    self.text = text
    self.time = time
    self.location = location
    self.changes = changes
  }
}
