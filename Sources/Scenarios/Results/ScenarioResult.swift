struct ScenarioResult {
  enum Outcome: String, CaseIterable {
    case passed
    case failed
    /// It failed, and passed when it was run again.
    case flaky
    case skipped
    /// It is marked with `todo`, whether or not it failed.
    case todo
  }

  let scenario: ScenarioDescription
  var outcome: Outcome
  /// The real time of the last attempt, in seconds.
  var seconds: Double
  /// The number of times that it was run: 0 for a skipped one.
  var attempts: Int
  /// Why it failed; for a flaky one, why earlier attempts did.
  var failures: [ScenarioFailure]
  /// The last actions of the app, in order; empty unless the scenario failed or a report asks for it.
  var timeline: [TimelineEntry]
  /// The number of actions before those.
  var earlierActions: Int
  /// The scenario's standard output and error; bytes that aren't UTF-8 are written as `\xff`.
  var output: String
  /// The command line that runs only this scenario.
  var command = ""

  init(
    _ scenario: ScenarioDescription, _ outcome: Outcome, seconds: Double = 0, attempts: Int = 1,
    failures: [ScenarioFailure] = [], timeline: [TimelineEntry] = [],
    earlierActions: Int = 0, output: String = ""
  ) {
    self.scenario = scenario
    self.outcome = outcome
    self.seconds = seconds
    self.attempts = attempts
    self.failures = failures
    self.timeline = timeline
    self.earlierActions = earlierActions
    self.output = output
  }
}

/// One reason why a scenario failed.
struct ScenarioFailure: Codable, Equatable, Sendable {
  enum Kind: String, Codable {
    case expectation
    /// An error was raised and not caught.
    case error
    case invariant
    /// The scenario ended before its tasks did.
    case unfinished
    case timeout
    /// Its process ended: a crash, or a call of `os.exit`.
    case crash
  }

  let kind: Kind
  /// It may have several lines.
  let message: String
  /// The place of the expectation, or where the error was raised; nil if unknown.
  let location: SourceLocation?
  /// The calls in scenario files and their modules that led there, innermost first, without `location` itself.
  let callers: [SourceLocation]
  let differences: [ValueDifference]

  init(
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
package struct SourceLocation: Codable, Equatable, Sendable {
  package var file: String
  /// The line, counted from 1.
  package var line: Int
  /// The text of the line without the white space around it; nil if it can't be read.
  var text: String?
  /// The line with those around it, for the place of a failure; nil for other places.
  var excerpt: SourceLines?
}

/// Some lines of a source, without their common indentation.
struct SourceLines: Codable, Equatable, Sendable {
  /// The number of the first line, counted from 1.
  var first: Int
  var lines: [String]
}

/// A part of a value or of the state that isn't as expected.
struct ValueDifference: Codable, Equatable, Sendable {
  /// The path of the part: `counter.count`, or `[2].name` within a value; empty for the whole value.
  var path: String
  /// The expected value as Lua text; nil if nothing was expected there.
  var expected: String?
  /// The actual value as Lua text; nil if nothing is there.
  var actual: String?
}

/// An action of the app during a scenario, or a step through the history.
struct TimelineEntry: Codable, Equatable, Sendable {
  struct Change: Codable, Equatable, Sendable {
    /// The path: `counter.count`, `favorites[1]`, or `favorites.removed` for the records that a list lost.
    var path: String
    /// The earlier value as Lua text; nil if there was none.
    var old: String?
    /// The new value as Lua text; nil if there is none.
    var new: String?
  }

  /// The action as Lua text, such as `counter.increment()`; or `store.jump(3)` for a step through the history.
  var text: String
  /// The time on the scenario's clock, in seconds since its start.
  var time: Double
  /// The line of the scenario file that led to it; nil if unknown.
  var location: SourceLocation?
  var changes: [Change]
}
