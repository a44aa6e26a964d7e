public import Foundation

/// A store that is remembered in a journal, together with what other processes do there.
///
/// What is done is kept until `save`, or until there is so much of it that it is saved in the background. A process whose
/// journal has gone on reloads with what the others did, and does its own again on top; the reducers are deterministic, so all
/// come to the same state.
///
/// A session belongs to one actor, as its store does.
public final class JournaledSession {
  /// The store.
  public let store: Store

  /// What was done here and, done again after what others did, couldn't be done any more.
  public struct Rejection {
    /// What was done.
    public let event: JournalEntry.Event
    /// Why it can't be done any more.
    public let reason: any Error
  }

  /// Hears of entries of other processes that were loaded, and of own ones that could no longer be done.
  public var onRemoteEntries: ([JournalEntry], [Rejection]) -> Void = { _, _ in }

  /// Hears of why what was done couldn't be saved in the background; it is kept, to be saved later.
  public var onSaveFailure: (any Error) -> Void = { _ in }

  private let journal: any Journal
  /// What was done since the last save.
  private let recorder = JournalRecorder()

  /// The number of the journal's last entry that the store has loaded.
  public private(set) var head: Int
  /// The store as it was after that entry.
  private var saved: StoreSnapshot
  /// How much there is in the journal since its checkpoint, which has to be done again when it is opened.
  private var costSinceCheckpoint: Int

  /// A checkpoint is worth its time when there is so much since the last: some 0.1 s of opening.
  private static let checkpointInterval = 10_000

  /// Opens a session.
  ///
  /// - Parameters:
  ///   - schema: The features.
  ///   - journal: Where it is remembered.
  ///   - now: Tells the time for what is done; unless given, it is the real time to some milliseconds.
  /// - Throws: `JournalError`.
  public init(_ schema: Schema, in journal: any Journal, now: (() -> Date)? = nil) throws {
    self.journal = journal
    let contents = try journal.load()
    store = try Store(schema, contents, now: now)
    head = contents.head
    costSinceCheckpoint = Self.cost(of: contents.entries)
    saved = store.point
    store.recorder = recorder
    recorder.onDue = { [unowned self] in autosave() }
    try recoverRequests()
  }

  /// Ends the requests of processes that ended before the answer came, which nobody else will answer.
  private func recoverRequests() throws {
    let actions = store.schema.recoveries(of: store.states)
    guard !actions.isEmpty, !journal.isOpenElsewhere else { return }
    for action in actions { try store.send(action) }
  }

  /// Whether something was done that isn't saved yet.
  public var hasUnsavedEntries: Bool { !recorder.isEmpty }

  /// Saves what was done, after reloading what others did.
  ///
  /// When it returns, all of it is saved.
  ///
  /// - Throws: `JournalError`; what was done is kept, and the next save has it.
  public func save() throws {
    guard !recorder.isEmpty else { return }
    // Others who write all the time would else be before this again, once what they did is loaded.
    try journal.inTurn {
      while try !append() { try reload() }
    }
  }

  /// Ends the observation of the store, since whoever observes it has come to an end, perhaps in the middle of a report.
  public func endObservation() {
    store.removeObservers()
  }

  /// Saves what was done, for a process that ends in the middle of its code: nobody hears of anything any more.
  ///
  /// - Throws: `JournalError`.
  public func saveForLastTime() throws {
    endObservation()
    onRemoteEntries = { _, _ in }
    try save()
  }

  /// Appends what was done.
  ///
  /// - Returns: Whether nothing is left to append; else others have written meanwhile.
  private func append() throws -> Bool {
    guard !recorder.isEmpty else { return true }
    let batch = JournalBatch(entries: recorder.entries, changes: changes)
    do {
      head = try journal.append(batch, expecting: head)
    } catch let error as JournalError where error.kind == .conflict {
      return false
    }
    costSinceCheckpoint += Self.cost(of: batch.entries)
    saved = store.point
    recorder.removeAll()
    return true
  }

  /// Has the journal begin with what there is now, where it has become so long that opening it takes much longer.
  ///
  /// - Throws: `JournalError`; then the journal stays as it is.
  /// - Complexity: O(size of the history and its state), where it is done.
  public func compact() throws {
    guard costSinceCheckpoint >= Self.checkpointInterval, recorder.isEmpty else { return }
    do {
      try journal.checkpoint(JournalCheckpoint(head: head, history: store.historySnapshot))
    } catch let error as JournalError where error.kind == .conflict {
      // Another process has made one of more.
    }
    costSinceCheckpoint = 0
  }

  /// What it costs to do entries again; what is done once more costs a hundredth of another.
  private static func cost(of entries: [JournalEntry]) -> Int {
    entries.count + entries.reduce(0) { $0 + $1.count - 1 } / 100
  }

  /// Reloads what others did, and does again on top of it what was done here since the last save.
  ///
  /// - Throws: `JournalError`; then nothing has changed.
  public func reload() throws {
    let remote: [JournalEntry]
    do {
      remote = try journal.changes(since: head)
    } catch let error as JournalError where [.gone, .damaged].contains(error.kind) {
      // Loading it also repairs it.
      return try reloadWhole()
    }
    guard !remote.isEmpty else { return }
    let before = store.point
    store.restore(saved)
    do {
      try store.replay(remote, after: head, isRemote: true)
    } catch {
      store.restore(before)
      return try reloadWhole()
    }
    costSinceCheckpoint += Self.cost(of: remote)
    rebase(from: before.states, at: head + remote.count, remote)
  }

  /// Loads a journal that doesn't go on from what is known here.
  ///
  /// Others made a checkpoint of more than that, or it was removed, or repaired and lost some.
  private func reloadWhole() throws {
    while true {
      let contents = try journal.load()
      let loaded = try Store(store.schema, contents)
      if (contents.checkpoint?.head ?? 0) <= head,
        let lost = saved.history.remainder(after: loaded.point.history)
      {
        guard try saveAgain(lost, in: loaded, at: contents.head) else { continue }
        costSinceCheckpoint = Self.cost(of: contents.entries) + lost.events.count
        let before = store.states
        // Mostly the numbers are the same, and so what is known here is right, and has the secrets.
        if lost.shift != 0 { store.restore(loaded.point) } else { store.restore(saved) }
        return rebase(
          from: before, at: contents.head + lost.events.count, nil, earlierShift: lost.shift)
      }
      costSinceCheckpoint = Self.cost(of: contents.entries)
      return reload(loaded.point, at: contents.head)
    }
  }

  /// Saves what a journal lost, at once: another process that knows it, too, finds it there.
  ///
  /// - Parameters:
  ///   - lost: What was lost.
  ///   - loaded: What the journal has, where it is done again.
  ///   - head: The journal's head.
  /// - Returns: Whether nobody else has written meanwhile.
  /// - Throws: `JournalError`.
  private func saveAgain(
    _ lost: UndoHistory.Remainder, in loaded: Store, at head: Int
  ) throws -> Bool {
    let before = loaded.states
    for (event, time) in lost.events { try loaded.replay(event, at: time, isRemote: false) }
    let entries = lost.events.map { recorder.entry($0.event, at: $0.time) }
    let changes = store.schema.fields.compactMap { $0.change(from: before, to: loaded.states) }
    do {
      _ = try journal.append(JournalBatch(entries: entries, changes: changes), expecting: head)
      return true
    } catch let error as JournalError where error.kind == .conflict {
      return false
    }
  }

  /// Takes over a history as a whole.
  private func reload(_ loaded: StoreSnapshot, at head: Int) {
    let before = store.states
    let continuation = loaded.history.continuation(of: saved.history)
    if !continuation.isComplete
      || !replay(continuation, remembering: loaded.history.remembered)
    {
      var loaded = loaded
      loaded.history.markRemote(beyond: saved.history)
      store.restore(loaded)
    }
    // A checkpoint doesn't say who did it.
    let writer = UUID()
    let remote = continuation.events.map { JournalEntry($0.event, time: $0.time, writer: writer) }
    rebase(from: before, at: head, remote.isEmpty ? nil : remote)
  }

  /// Does on top of what was saved what others did: so secrets stay, and who did what.
  ///
  /// - Parameters:
  ///   - continuation: What others did.
  ///   - remembered: What the journal remembers then: no process may go back farther.
  /// - Returns: Whether it can be done.
  private func replay(
    _ continuation: UndoHistory.Continuation, remembering remembered: ClosedRange<Int>
  ) -> Bool {
    store.restore(saved)
    do {
      for (event, time) in continuation.events {
        try store.replay(event, at: time, isRemote: true)
      }
      return store.point.history.remembered == remembered
    } catch {
      // There was more between than is remembered.
      return false
    }
  }

  /// Does on top of what the journal has what was done here since the last save, and tells of both.
  ///
  /// - Parameters:
  ///   - before: The state that observers know.
  ///   - head: The journal's head, after which the store is as it is now.
  ///   - remote: What others did; nil where they did nothing.
  ///   - earlierShift: By how much the numbers of own actions are greater now that were saved.
  private func rebase(
    from before: States, at head: Int, _ remote: [JournalEntry]?, earlierShift: Int = 0
  ) {
    let own = recorder.entries
    var renumbering = Renumbering(
      from: saved.history.position, to: store.position,
      earlierShift: remote == nil ? earlierShift : nil)
    self.head = head
    saved = store.point
    recorder.removeAll()
    let rejections = own.flatMap { redo($0, &renumbering) }
    store.reportDifference(from: before)
    if remote != nil || !rejections.isEmpty { onRemoteEntries(remote ?? [], rejections) }
  }

  /// Does an own entry again, as often as it can be done.
  private func redo(_ entry: JournalEntry, _ renumbering: inout Renumbering) -> [Rejection] {
    var rejections: [Rejection] = []
    for _ in 0..<entry.count {
      do {
        let event = try renumbering.renumbered(entry.event, at: saved.history.position)
        try store.replay(event, at: entry.time, isRemote: false)
        recorder.note(event, at: entry.time)
      } catch {
        rejections.append(Rejection(event: entry.event, reason: error))
      }
      renumbering.note(entry.event, at: store.position)
    }
    return rejections
  }

  private func autosave() {
    do {
      try save()
      try compact()
    } catch {
      recorder.postpone()
      onSaveFailure(error)
    }
  }

  /// What was changed since the last save.
  private var changes: [FieldChange] {
    store.schema.fields.compactMap { $0.change(from: saved.states, to: store.states) }
  }
}

/// Where own actions are now that are done again on top of what others did.
///
/// Others' actions stand before them, and own ones that can't be done any more have no numbers of their own.
struct Renumbering {
  /// The position in the history as it was.
  private var position: Int
  /// The positions now, by those in the history as it was.
  private var positions: [Int: Int]
  /// By how much the numbers of earlier actions are greater now, or nil where one may not go back to them.
  private let earlierShift: Int?

  /// Begins where own actions begin.
  ///
  /// - Parameters:
  ///   - old: The position before them, as it was.
  ///   - new: The position before them now.
  ///   - earlierShift: By how much the numbers of earlier actions are greater now; nil where others have acted since.
  init(from old: Int, to new: Int, earlierShift: Int?) {
    position = old
    positions = [old: new]
    self.earlierShift = earlierShift
  }

  /// The event with the numbers of now.
  ///
  /// - Throws: `StoreError.actedElsewhere` where it would take back what others did.
  func renumbered(_ event: JournalEntry.Event, at position: Int) throws -> JournalEntry.Event {
    guard case .travel(let target) = event else { return event }
    if let new = positions[target] { return .travel(to: new) }
    guard let earlierShift else { throw StoreError.actedElsewhere(number: position) }
    return .travel(to: target + earlierShift)
  }

  /// Notes where an event has led, which could be done or couldn't.
  mutating func note(_ event: JournalEntry.Event, at new: Int) {
    switch event {
    case .action: position += 1
    case .travel(let target): position = target
    }
    positions[position] = new
  }
}
