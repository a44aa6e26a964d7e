public import StateStore

/// Why a report can't be made.
public typealias ReportError = PlainError<RunSummary>

extension ReportError {
  /// The report's file can't be written.
  static func unwritable(_ file: String, reason: String) -> Self {
    Self("report_unwritable", "The report can't be written to \(file): \(reason).")
  }
}
