import PrimereplWeb

/// A report as a page for a browser, in one file that needs no other, without its data.
///
/// The page's parts are in the folder HTML: the page itself, its style, and a script that shows the data. These are one block
/// of JSON, which ``JSONReporter`` writes.
enum ReportPage {
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
