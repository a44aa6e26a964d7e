import PrimereplFoundation

/// A report in the XML that continuous integration servers read, after Jenkins' schema (junit-10.xsd).
///
/// Each file is a test suite. A suite is written when the last of its scenarios has ended, since it begins with their
/// numbers; that keeps no more than one file's results, unless the scenarios are shuffled.
final class JUnitReporter: Reporter {
  private let stream: ReportStream
  private let timestamp: String
  private let failureText = FailureText(style: ReportStyle(isColored: false), actionCount: 10)
  /// The number of scenarios of each file that haven't ended.
  private var remaining: [String: Int] = [:]
  /// The suites that aren't written, in the order in which they began.
  private var suites: [(file: String, testcases: [Testcase])] = []

  init(_ stream: ReportStream, date: Date = .now) {
    self.stream = stream
    // Ant's schema, which others are made from, has no time zone.
    timestamp = String(date.ISO8601Format().prefix { $0 != "Z" })
  }

  func runBegins(_ plan: RunPlan) throws(ReportError) {
    for scenario in plan.scenarios { remaining[scenario.id.file, default: 0] += 1 }
    let name = XMLText.attribute(plan.program + " test")
    try stream.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"\(name)\">\n")
  }

  func scenarioEnded(_ result: ScenarioResult) throws(ReportError) {
    let file = result.scenario.id.file
    add(
      Testcase(verdict: Verdict(result), seconds: result.seconds, element: element(result)),
      to: file)
    let count = (remaining[file] ?? 0) - 1
    remaining[file] = count
    if count == 0, let index = suites.firstIndex(where: { $0.file == file }) {
      try write(suites.remove(at: index))
    }
  }

  func runEnds(_ summary: RunSummary) throws(ReportError) {
    for suite in suites { try write(suite) }
    suites = []
    for problem in summary.problems { add(problem) }
    if summary.isInterrupted {
      let total = summary.plan.scenarios.count
      let message = "Interrupted after \(summary.endedCount) of \(total) scenarios."
      add(FileProblem(file: summary.plan.program + " test", message: message))
    }
    for suite in suites { try write(suite) }
    try stream.write("</testsuites>\n")
    try stream.finish()
  }

  private func add(_ testcase: Testcase, to file: String) {
    if let index = suites.firstIndex(where: { $0.file == file }) {
      suites[index].testcases.append(testcase)
    } else {
      suites.append((file, [testcase]))
    }
  }

  private func write(_ suite: (file: String, testcases: [Testcase])) throws(ReportError) {
    let testcases = suite.testcases
    func count(_ verdict: Verdict) -> Int { testcases.count { $0.verdict == verdict } }
    let name = XMLText.attribute(suite.file)
    let time = testcases.reduce(0.0) { $0 + $1.seconds }.formatted("%.3f")
    try stream.write(
      """
      <testsuite name="\(name)" tests="\(testcases.count)" failures="\(count(.failed))" \
      errors="\(count(.error))" skipped="\(count(.skipped))" time="\(time)" \
      timestamp="\(timestamp)">
      \(testcases.map(\.element).joined())</testsuite>

      """)
  }

  // MARK: - Test cases

  private func element(_ result: ScenarioResult) -> String {
    var content = ""
    let message = XMLText.attribute(firstLine(result.failures.first?.message ?? ""))
    let kind = result.failures.first?.kind.rawValue ?? "failure"
    let reason = XMLText.attribute(result.scenario.reason ?? "")
    switch Verdict(result) {
    case .passed where result.outcome == .flaky:
      content = result.failures.map(flakyFailure).joined()
    case .passed: break
    case .failed, .error:
      let element = Verdict(result) == .failed ? "failure" : "error"
      let text = XMLText.content(
        (failureText.failuresAndActions(result) + ["", result.command]).joined(separator: "\n"))
      content = "<\(element) type=\"\(kind)\" message=\"\(message)\">\(text)</\(element)>\n"
    case .skipped:
      let text = XMLText.content(failureText.failures(result).joined(separator: "\n"))
      content =
        "<skipped type=\"\(result.outcome.rawValue)\" message=\"\(reason)\">\(text)</skipped>\n"
    }
    if !result.output.isEmpty {
      content += "<system-out>\(XMLText.content(ReportText.lines(result.output)))</system-out>\n"
    }
    let opening =
      "<testcase classname=\"\(className(result.scenario.id.file))\" "
      + "name=\"\(XMLText.attribute(result.scenario.shownName))\" "
      + result.seconds.formatted("time=\"%.3f\"")
    return content.isEmpty ? opening + "/>\n" : opening + ">\n" + content + "</testcase>\n"
  }

  private func flakyFailure(_ failure: ScenarioFailure) -> String {
    let message = XMLText.attribute(firstLine(failure.message))
    return "<flakyFailure type=\"\(failure.kind.rawValue)\" message=\"\(message)\"/>\n"
  }

  private func add(_ problem: FileProblem) {
    let name = problem.location.map { "line \($0.line)" } ?? "the file"
    let message = XMLText.attribute(firstLine(problem.message))
    let source = problem.location?.text.map { "\n" + ReportText.line($0) } ?? ""
    let text = XMLText.content(ReportText.lines(problem.message) + source)
    let element = """
      <testcase classname="\(className(problem.file))" name="\(name)" time="0.000">
      <error type="problem" message="\(message)">\(text)</error>
      </testcase>

      """
    add(Testcase(verdict: .error, seconds: 0, element: element), to: problem.file)
  }

  private func firstLine(_ text: String) -> String {
    let line = text.unicodeScalars.prefix { $0 != "\n" }
    return ReportText.line(String(line))
  }

  /// The file as a class in its packages, which servers show as a tree.
  private func className(_ file: String) -> String {
    let folders = file.split(separator: "/").filter { $0 != "." && $0 != ".." }
    var name = folders.joined(separator: ".")
    for ending in [ScenarioRecording.fileNameEnd, ".lua"] where name.hasSuffix(ending) {
      name.removeLast(ending.count)
      break
    }
    return XMLText.attribute(name)
  }
}

/// The outcome of a test case in this format.
private enum Verdict {
  case passed
  /// An expectation wasn't met.
  case failed
  /// Something else went wrong.
  case error
  case skipped

  init(_ result: ScenarioResult) {
    switch (result.outcome, result.failures.first?.kind) {
    case (.passed, _), (.flaky, _): self = .passed
    case (.skipped, _), (.todo, _): self = .skipped
    case (.failed, .error), (.failed, .timeout), (.failed, .crash): self = .error
    case (.failed, _): self = .failed
    }
  }
}

private struct Testcase {
  let verdict: Verdict
  let seconds: Double
  let element: String
}

/// Text as XML 1.0 can hold it.
private enum XMLText {
  /// The value of an attribute between double quotes.
  static func attribute(_ text: String) -> String {
    ReportText.replacing(["\"": "&quot;"], in: content(ReportText.line(text)))
  }

  /// Text between tags, in which invisible characters are already escaped.
  static func content(_ text: String) -> String {
    // As `>` is replaced, too, there is no `]]>`.
    ReportText.replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;"], in: text)
  }
}
