internal import Foundation

/// Prints rows as they are measured, and keeps which ones are over their limits or couldn't be measured.
@MainActor
final class Results {
  private var rowsOver: [String] = []
  private var rowsFailed: [String] = []

  /// Whether every row that was measured is within its limit, and none failed.
  var areGood: Bool { rowsOver.isEmpty && rowsFailed.isEmpty }

  /// Prints a line at once, also to a pipe.
  func show(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Measures a row and prints it.
  ///
  /// If that fails, it prints why: the other rows are measured all the same.
  func add(_ name: String, _ measure: () async throws -> ResultRow) async {
    do {
      let row = try await measure()
      show(row.line)
      if row.isOver { rowsOver.append(name) }
    } catch BenchmarkError.skipped(let reason) {
      show(ResultRow(name).line + "  skipped: \(reason)")
    } catch {
      show(ResultRow(name).line + "  FAILED: \(error)")
      rowsFailed.append(name)
    }
  }

  /// Prints again which rows are over their limits, and which failed: they are lost among the others.
  func showSummary() {
    show(title: "Over their limits:", rowsOver)
    show(title: "Failed:", rowsFailed)
  }

  private func show(title: String, _ names: [String]) {
    guard !names.isEmpty else { return }
    show("\n" + ([title] + names).joined(separator: "\n  "))
  }
}
