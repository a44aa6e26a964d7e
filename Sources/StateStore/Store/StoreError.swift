/// Why the store can't be used as asked.
public enum StoreError: CodedError, Equatable {
  /// Nothing is at the path, and nothing can be.
  case unknownPath(String, known: [String])
  /// There aren't so many actions to undo.
  case nothingToUndo(Int, available: Int)
  /// There aren't so many actions to redo.
  case nothingToRedo(Int, available: Int)
  /// Observers send actions faster than their reports can be delivered.
  case tooManyReports(observer: String?, count: Int)
  /// The app isn't remembered anywhere.
  case noStateFile
  /// Another process has acted since, and what it did isn't taken back from here.
  case actedElsewhere(number: Int)
  /// The history has no action of that number.
  case outOfHistory(Int, reachable: ClosedRange<Int>)

  /// The stable word for the kind of error.
  public var code: String {
    switch self {
    case .unknownPath: "unknown_path"
    case .nothingToUndo: "nothing_to_undo"
    case .nothingToRedo: "nothing_to_redo"
    case .tooManyReports: "too_many_reports"
    case .noStateFile: "no_state_file"
    case .actedElsewhere: "acted_elsewhere"
    case .outOfHistory: "out_of_history"
    }
  }

  /// What was wrong and what to do.
  public var message: String {
    switch self {
    case .unknownPath(let path, let known):
      "Nothing of the state is at \"\(ExternalText.quoted(path))\": observe one of "
        + "\(known.joined(separator: ", ")), or a part of one."
    case .nothingToUndo(let count, let available):
      Self.message("undo", count, available: available)
    case .nothingToRedo(let count, let available):
      Self.message("redo", count, available: available)
    case .tooManyReports(let observer, let count):
      "The subscriber of \(observer.map { "\"\(ExternalText.quoted($0))\"" } ?? "actions") sends an "
        + "action for every report, and \(count) reports are queued: send one only when something must change."
    case .noStateFile:
      "This app is in memory only: start the program with --state FILE to save the session's."
    case .actedElsewhere(let number):
      "Another process has acted since: action \(number) is its own, and can't be undone from here."
    case .outOfHistory(let number, let reachable):
      "The history has no action \(number): it goes from \(reachable.lowerBound) to "
        + "\(reachable.upperBound)."
    }
  }

  private static func message(_ verb: String, _ count: Int, available: Int) -> String {
    switch (count, available) {
    case (..<0, _): "Can't \(verb) \(count) actions: give 0 or more."
    case (_, 0): "There is nothing to \(verb)."
    case (_, 1): "Can't \(verb) \(count) actions: there is only 1."
    default: "Can't \(verb) \(count) actions: there are only \(available)."
    }
  }
}
