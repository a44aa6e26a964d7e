import PrimereplFoundation

/// A report in the XML that continuous integration servers read, after Jenkins' schema (junit-10.xsd).
///
/// Each file is a test suite. A suite is written when the last of its scenarios has ended, since it begins with their
/// numbers; that keeps no more than one file's results, unless the scenarios are shuffled.
final class JUnitReporter: Reporter {
  private let stream: ReportStream
  private let timestamp: String
  private let failureText = FailureText(style: ReportStyle(isColored: false), actionCount: 10)
  private var commands = ScenarioCommands(RunPlan(program: "", scenarios: []))
  private var program = ""
  /// The number of scenarios of each file that haven't ended.
  private var remaining: [String: Int] = [:]
  private var suites: [String: Suite] = [:]
  /// The files with suites that aren't written, in the order in which they began.
  private var files: [String] = []
  private var endedCount = 0
  private var total = 0

  init(_ stream: ReportStream, date: Date = .now) {
    self.stream = stream
    // Ant's schema, which others are made from, has no time zone.
    timestamp = String(date.ISO8601Format().prefix { $0 != "Z" })
  }

  func runBegins(_ plan: RunPlan) throws(ReportError) {
    program = plan.program
    total = plan.scenarios.count
    commands = ScenarioCommands(plan)
    for scenario in plan.scenarios { remaining[scenario.id.file, default: 0] += 1 }
    let name = XMLText.attribute(program + " test")
    try stream.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"\(name)\">\n")
  }

  func scenarioEnded(_ result: ScenarioResult) throws(ReportError) {
    endedCount += 1
    let file = result.scenario.id.file
    if suites[file] == nil { files.append(file) }
    suites[file, default: Suite()].add(
      testcase(result), outcome: Verdict(result), seconds: result.seconds)
    let count = (remaining[file] ?? 0) - 1
    remaining[file] = count
    if count == 0 { try writeSuite(file) }
  }

  func runEnds(_ summary: RunSummary) throws(ReportError) {
    for file in files { try writeSuite(file) }
    for problem in summary.problems { add(problem) }
    if summary.isInterrupted {
      let message = "Interrupted after \(endedCount) of \(total) scenarios."
      add(FileProblem(file: program + " test", message: message))
    }
    for file in files { try writeSuite(file) }
    try stream.write("</testsuites>\n")
    try stream.finish()
  }

  private func writeSuite(_ file: String) throws(ReportError) {
    guard let suite = suites.removeValue(forKey: file) else { return }
    files.removeAll { $0 == file }
    let name = XMLText.attribute(file)
    let time = suite.seconds.formatted("%.3f")
    try stream.write(
      """
      <testsuite name="\(name)" tests="\(suite.testCount)" failures="\(suite.failureCount)" \
      errors="\(suite.errorCount)" skipped="\(suite.skippedCount)" time="\(time)" \
      timestamp="\(timestamp)">
      \(suite.content)</testsuite>

      """)
  }

  // MARK: - Test cases

  private func testcase(_ result: ScenarioResult) -> String {
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
      // The output is an element of its own.
      var silent = result
      silent.output = ""
      let text = XMLText.content(
        (failureText.lines(silent) + ["", commands.command(running: result.scenario)])
          .joined(separator: "\n"))
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
    if suites[problem.file] == nil { files.append(problem.file) }
    let name = problem.location.map { "line \($0.line)" } ?? "the file"
    let message = XMLText.attribute(firstLine(problem.message))
    let source = problem.location?.text.map { "\n" + ReportText.line($0) } ?? ""
    let text = XMLText.content(ReportText.lines(problem.message) + source)
    suites[problem.file, default: Suite()].add(
      """
      <testcase classname="\(className(problem.file))" name="\(name)" time="0.000">
      <error type="problem" message="\(message)">\(text)</error>
      </testcase>

      """, outcome: .error, seconds: 0)
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

private struct Suite {
  private(set) var content = ""
  private(set) var testCount = 0
  private(set) var failureCount = 0
  private(set) var errorCount = 0
  private(set) var skippedCount = 0
  private(set) var seconds = 0.0

  mutating func add(_ testcase: String, outcome: Verdict, seconds: Double) {
    content += testcase
    testCount += 1
    self.seconds += seconds
    switch outcome {
    case .passed: break
    case .failed: failureCount += 1
    case .error: errorCount += 1
    case .skipped: skippedCount += 1
    }
  }
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
