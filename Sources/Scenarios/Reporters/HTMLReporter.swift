import PrimereplWeb
import StateStore

/// A report as a page for a browser, in one file that needs no other.
///
/// The page's parts are in the folder HTML: the page itself, its style, and a script that shows the results. They are in
/// the page as one block of JSON, in the form of ``JSONReporter``.
final class HTMLReporter: Reporter {
  private let stream: ReportStream
  private var commands = ScenarioCommands(RunPlan(program: "", scenarios: []))

  init(_ stream: ReportStream) {
    self.stream = stream
  }

  func runBegins(_ plan: RunPlan) throws(ReportError) {
    commands = ScenarioCommands(plan)
    try stream.write(Page.beginning)
    try stream.write("[\n" + plan.reportValue.reportJSON)
  }

  func scenarioEnded(_ result: ScenarioResult) throws(ReportError) {
    try stream.write(",\n" + result.reportValue(commands).reportJSON)
  }

  func runEnds(_ summary: RunSummary) throws(ReportError) {
    for problem in summary.problems { try stream.write(",\n" + problem.reportValue.reportJSON) }
    try stream.write(",\n" + summary.reportValue.reportJSON + "\n]")
    try stream.write(Page.end)
    try stream.finish()
  }
}

/// The page without its data.
private enum Page {
  static let beginning = parts.beginning
  static let end = parts.end

  private static let parts: (beginning: String, end: String) = {
    let page = text(PackageResources.report_html)
      .replacing("/* report.css */", with: text(WebFiles.look) + text(PackageResources.report_css))
      .replacing("/* report.js */", with: text(PackageResources.report_js))
      .replacing("/* elements.js */", with: elements)
    let parts = page.split(separator: "<!-- data -->", maxSplits: 1).map(String.init)
    return (parts.first ?? "", parts.count > 1 ? parts[1] : "")
  }()

  /// The shared code, of which a page without other files imports nothing.
  private static var elements: String {
    text(WebFiles.elements).replacing("\nexport ", with: "\n")
  }

  private static func text(_ bytes: [UInt8]) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
