/// Writes lines above a progress line, which stays at the bottom of a terminal.
final class TerminalPrinter {
  private let stream: ReportStream
  private let style: ReportStyle
  /// The columns of the progress line; nil if there is none.
  private let width: Int?
  private let clock = ContinuousClock()
  private var lastDrawn: ContinuousClock.Instant?
  private var progressLine = ""

  /// The time between two progress lines: more would only slow a run down.
  private static let interval = Duration.milliseconds(50)

  /// Moves the cursor to the beginning of its line, and clears the line.
  private static let erasure = "\r\u{1B}[K"

  init(_ stream: ReportStream, style: ReportStyle, width: Int?) {
    self.stream = stream
    self.style = style
    self.width = width
  }

  /// Writes text that ends with a line end, or is a part of a line if there is no progress line.
  func write(_ text: String) throws(ReportError) {
    guard !progressLine.isEmpty else { return try stream.write(text) }
    // In one piece, so that nothing flickers.
    try stream.write(Self.erasure + text + progressLine)
  }

  func write(_ lines: [String]) throws(ReportError) {
    guard !lines.isEmpty else { return }
    try write(lines.joined(separator: "\n") + "\n")
  }

  /// Shows how far a run has come, unless it has just been shown.
  func show(_ progress: RunProgress) throws(ReportError) {
    guard let width else { return }
    let now = clock.now
    if let lastDrawn, now - lastDrawn < Self.interval, progress.ended < progress.total { return }
    lastDrawn = now
    let failed = progress.failed > 0 ? ", \(progress.failed) failed" : ""
    let running = progress.running.map { "  " + ReportText.line($0) } ?? ""
    let text = "\(progress.ended)/\(progress.total)\(failed)\(running)"
    // Without the last column, after which some terminals begin a new line.
    progressLine = style.minor(ReportText.cut(text, toColumns: width - 1))
    try stream.write(Self.erasure + progressLine)
  }

  /// Erases the progress line, so that nothing of it remains.
  func eraseProgress() throws(ReportError) {
    guard !progressLine.isEmpty else { return }
    progressLine = ""
    try stream.write(Self.erasure)
  }

  func finish() throws(ReportError) {
    try eraseProgress()
    try stream.finish()
  }
}
