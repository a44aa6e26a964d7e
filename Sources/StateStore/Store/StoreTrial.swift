import PrimereplFoundation

/// A trial of a store, whose actions can be dropped together.
///
/// The actions of a trial aren't in the journal before it is kept, and a session neither saves nor reloads meanwhile.
struct StoreTrial {
  /// The store when the trial began.
  let contents: StoreContents
  let historyLimit: Int
  /// The recorder of the store outside the trial; nil for a store without a journal.
  let recorder: JournalRecorder?
}

extension Store {
  /// Whether a trial is in progress.
  package var isInTrial: Bool { trial != nil }

  /// Begins a trial: all actions, undos and jumps until its end are kept or dropped together.
  ///
  /// - Throws: `StoreError` if a trial or a group is in progress.
  package func beginTrial() throws(StoreError) {
    guard trial == nil else { throw .trialInProgress }
    try checkGroup()
    trial = StoreTrial(contents: contents, historyLimit: historyLimit, recorder: recorder)
    if recorder != nil { recorder = JournalRecorder() }
  }

  /// Ends a trial, and keeps its actions; without a trial it does nothing.
  package func keepTrial() {
    guard let trial else { return }
    let entries = recorder?.entries ?? []
    self.trial = nil
    guard let recorder = trial.recorder else { return }
    self.recorder = recorder
    for entry in entries {
      for _ in 0..<entry.count { recorder.record(entry.event, at: entry.time) }
    }
    recorder.check()
  }

  /// Ends a trial, and drops its actions; without a trial it does nothing.
  ///
  /// The states and the history are restored, undone actions included, and observers get the changes. A request from
  /// before the trial that was answered in it is ended, because its answer is lost.
  ///
  /// - Throws: `StoreError` if a group is in progress, or if observers have too many reports to process.
  package func dropTrial() throws {
    try checkGroup()
    guard let trial else { return }
    let tried = states
    self.trial = nil
    recorder = trial.recorder
    historyLimit = trial.historyLimit
    restore(trial.contents)
    reportDifference(from: tried)
    let reason = RequestFailure.answerDropped
    let pending = schema.recoveries(of: tried, because: reason)
    for action in schema.recoveries(of: trial.contents.states, because: reason)
    where !pending.contains(action) {
      try send(action)
    }
  }
}
