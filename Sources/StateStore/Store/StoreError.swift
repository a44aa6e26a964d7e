/// Why the store can't be used as asked.
public typealias StoreError = PlainError<Store>

extension StoreError {
  static func unknownPath(_ path: String, known: [String]) -> Self {
    Self(
      "unknown_path",
      "The state has nothing at \"\(path.shortenedForMessage)\": observe one of "
        + "\(known.joined(separator: ", ")), or part of one.")
  }

  /// Fewer actions can be undone; `limit` is the maximum number if the history has lost actions, else nil.
  ///
  /// Those before the migration with a number can't be.
  static func nothingToUndo(
    _ count: Int, available: Int, limit: Int? = nil, migration: Int? = nil
  ) -> Self {
    let message = message("undo", count, available: available)
    if let migration {
      return Self(
        "nothing_to_undo", message + " Action \(migration) migrated the app's state.")
    }
    let reason = limit.map { " The history keeps the last \($0) actions." } ?? ""
    return Self("nothing_to_undo", message + reason)
  }

  static func nothingToRedo(_ count: Int, available: Int) -> Self {
    Self("nothing_to_redo", message("redo", count, available: available))
  }

  private static func message(_ verb: String, _ count: Int, available: Int) -> String {
    switch (count, available) {
    case (..<0, _): "Can't \(verb) \(count) actions: pass 0 or more."
    case (_, 0): "There is nothing to \(verb)."
    case (_, 1): "Can't \(verb) \(count) actions: there is only 1."
    default: "Can't \(verb) \(count) actions: there are only \(available)."
    }
  }

  static func tooManyReports(observer: String?, count: Int) -> Self {
    let subscriber = observer.map { "\"\($0.shortenedForMessage)\"" } ?? "actions"
    return Self(
      "too_many_reports",
      "The subscriber of \(subscriber) sends an action for every report, and \(count) reports are "
        + "queued: send one only when something must change.")
  }

  package static var noStateFile: Self {
    Self(
      "no_state_file",
      "This app is in memory only: start the program with --state FILE to save its session.")
  }

  static var trialInProgress: Self {
    Self("trial_in_progress", "A trial is in progress: keep or drop it first.")
  }

  static var groupInProgress: Self {
    Self(
      "group_in_progress",
      "A group of actions is in progress: it can't be undone, redone, tried or saved before its end. For a function of an app "
        + "in Lua, write group = false."
    )
  }

  /// Another process has acted before an undo was saved, which would take that back as well.
  static var actedElsewhere: Self {
    Self(
      "acted_elsewhere",
      "Another process has acted meanwhile: undo again to take that back as well.")
  }

  static func outOfHistory(_ number: Int, reachable: ClosedRange<Int>) -> Self {
    Self(
      "out_of_history",
      "The history has no action \(number): it goes from \(reachable.lowerBound) to "
        + "\(reachable.upperBound).")
  }
}
