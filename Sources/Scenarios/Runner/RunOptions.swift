package struct RunOptions: Sendable {
  /// The files and folders; a file can be followed by `:` and the line of a scenario.
  package var paths: [String] = ["."]
  package var selection = Selection()
  /// The number of worker processes.
  package var jobs = 1
  package var failsFast = false
  /// The number of runs of each scenario, which passes if all of them do.
  package var repetitions = 1
  /// The number of further runs of a failed scenario, which is flaky if one of them passes.
  package var retries = 0
  /// The time limit of scenarios without one of their own, in seconds of real time.
  package var timeLimit = 60.0
  /// Whether scenarios may use the network.
  package var isLive = false
  /// Whether snapshots that are missing or differ are written.
  package var updatesSnapshots = false
  /// Whether snapshots that are missing or obsolete are failures.
  package var isContinuousIntegration = false
  /// Whether a scenario marked with `only` is an error.
  package var forbidsOnly = false
  /// Whether the properties run that hold for every app, instead of files.
  package var runsDefaultProperties = false
  /// Whether the run lists the parts of the app that no scenario touched.
  package var reportsCoverage = false
  /// The percentage of the app's parts that scenarios must touch; nil for any.
  package var leastCoverage: Double?

  package init() {}

  package struct Selection: Equatable, Sendable {
    /// Texts of which a scenario's full name contains one, or exactly is one; empty for all.
    package var filters: [String] = []
    /// Tags of which a scenario has one; empty for all.
    ///
    /// One after a `-` excludes.
    package var tags: [String] = []
    /// Whether only those run that failed the last time.
    package var isLastFailed = false
    /// The seed of a random order; nil for the order of the files.
    package var shuffleSeed: UInt64?

    package init() {}
  }
}

/// A report on the command line: its format, and its file after an equals sign.
package struct ReportRequest: Sendable, CustomStringConvertible {
  package let format: ReportFormat
  package let output: ReportOutput

  package init(format: ReportFormat, output: ReportOutput) {
    self.format = format
    self.output = output
  }

  package init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let format = ReportFormat(rawValue: String(parts[0])), parts.last != "" else {
      return nil
    }
    self.format = format
    output = parts.count == 2 ? .file(String(parts[1])) : .standardOutput
  }

  package var description: String {
    if case .file(let path) = output { "\(format.rawValue)=\(path)" } else { format.rawValue }
  }

  /// Makes its reporter; a file gets neither colors nor a progress line.
  func makeReporter(_ options: ReportOptions) throws(ReportError) -> any Reporter {
    var options = options
    if case .file = output { (options.isColored, options.progressWidth) = (false, nil) }
    return try format.makeReporter(to: output, options: options)
  }
}
