import Foundation

/// A trial of a store: what happens in it can be dropped, as if it had never been.
///
/// The actions of a trial aren't in the journal before it is kept, and a session neither saves nor reloads meanwhile.
struct StoreTrial {
  /// The store when the trial began.
  let point: StoreSnapshot
  let historyLimit: Int
  /// The recorder of the store outside the trial; nil for a store without a journal.
  let recorder: JournalRecorder?
}

extension Store {
  /// Whether a trial is in progress.
  package var isInTrial: Bool { trial != nil }

  /// Begins a trial: all actions, undos and jumps until its end are kept or dropped together.
  ///
  /// - Throws: `StoreError` if a trial is in progress.
  package func beginTrial() throws(StoreError) {
    guard trial == nil else { throw .trialInProgress }
    trial = StoreTrial(point: point, historyLimit: historyLimit, recorder: recorder)
    if recorder != nil { recorder = JournalRecorder() }
  }

  /// Ends a trial, and keeps what happened in it; without a trial it does nothing.
  package func keepTrial() {
    guard let trial else { return }
    let entries = recorder?.entries ?? []
    self.trial = nil
    guard let recorder = trial.recorder else { return }
    self.recorder = recorder
    for entry in entries {
      for _ in 0..<entry.count { recorder.note(entry.event, at: entry.time) }
    }
    recorder.check()
  }

  /// Ends a trial, and drops what happened in it; without a trial it does nothing.
  ///
  /// The states and the history, undone actions included, are as before. Observers are told what changes back. A
  /// request from before the trial that was answered in it is ended, as its answer is lost.
  ///
  /// - Throws: The error of an action that ends a request, which a feature's recovery doesn't throw.
  package func dropTrial() throws {
    guard let trial else { return }
    let tried = states
    self.trial = nil
    recorder = trial.recorder
    historyLimit = trial.historyLimit
    restore(trial.point)
    reportDifference(from: tried)
    let pending = schema.recoveries(of: tried)
    for action in schema.recoveries(of: trial.point.states) where !pending.contains(action) {
      try send(action)
    }
  }
}
