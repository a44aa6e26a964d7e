package enum ReportFormat: String, CaseIterable, Sendable {
  /// For people: each scenario with its mark, and failures in full.
  case pretty
  /// The Test Anything Protocol, version 14.
  case tap
  /// The XML that continuous integration servers read.
  case junit
  /// A JSON object on each line.
  case json
  /// A page for a browser.
  case html

  /// Whether reports include the timelines of scenarios that passed.
  package var showsAllTimelines: Bool { self == .html || self == .json }

  /// Whether only a complete file of this form is useful.
  var isDocument: Bool { self == .junit || self == .html }

  /// Makes a reporter for one run.
  ///
  /// The output is opened at once, so that a run isn't made in vain for a report that can't be written.
  func makeReporter(
    to output: ReportOutput, options: ReportOptions = ReportOptions()
  ) throws(ReportError) -> any Reporter {
    let stream = try ReportStream(output, isReplacedAtEnd: isDocument)
    return switch self {
    case .pretty: PrettyReporter(stream, options: options)
    case .tap: TAPReporter(stream)
    case .junit: JUnitReporter(stream)
    case .json: JSONReporter(stream, isPage: false)
    case .html: JSONReporter(stream, isPage: true)
    }
  }
}

/// The options of reports for people.
package struct ReportOptions: Equatable, Sendable {
  package var isColored: Bool
  /// The width of the terminal that a progress line is shown on; nil for no such line.
  package var progressWidth: Int?
  /// Whether the output of scenarios that passed is shown, too.
  package var isVerbose: Bool
  /// The number of the slowest scenarios to list at the end.
  package var slowestCount: Int

  package init(
    isColored: Bool = false, progressWidth: Int? = nil, isVerbose: Bool = false,
    slowestCount: Int = 0
  ) {
    self.isColored = isColored
    self.progressWidth = progressWidth
    self.isVerbose = isVerbose
    self.slowestCount = slowestCount
  }
}
