public import Foundation

/// A store whose events are saved in a journal, to which other processes can write as well.
///
/// Events are kept in memory until `save`, or until there are enough of them to be saved in the background. If other
/// processes have written to the journal, the session reloads their entries and rebases its own on top. The reducers
/// are deterministic, so all processes reach the same state.
///
/// A session belongs to one actor, as its store does.
public final class JournaledSession {
  /// The store.
  public let store: Store

  /// An unsaved event of this session that can't be applied after the entries of other processes.
  public struct Rejection {
    /// The event.
    public let event: JournalEntry.Event
    /// Why it can't be applied.
    public let reason: any Error
  }

  /// Called with reloaded entries of other processes, and with own events that could no longer be applied.
  public var onRemoteEntries: ([JournalEntry], [Rejection]) -> Void = { _, _ in }

  /// Called with the reason when an autosave fails; the entries are kept, to be saved later.
  public var onSaveFailure: (any Error) -> Void = { _ in }

  /// Called when saving in the background is due; unless it is replaced, this thread saves.
  package var onAutosaveDue: () -> Void = {}

  private var journal: any Journal
  /// The entries since the last save.
  private let recorder = JournalRecorder()

  /// Entries on their way to the journal, and the store after them.
  private var pending: (batch: JournalBatch, point: StoreSnapshot)?

  /// The number of the last action in effect after the last journal entry that the store has loaded.
  package var savedPosition: Int { saved.history.position }

  /// The number of the last journal entry that the store has loaded.
  public private(set) var head: Int
  /// The store after that entry.
  private var saved: StoreSnapshot
  /// Whether the entries of other processes can only be reloaded with the whole journal.
  package private(set) var needsContents = false
  /// The cost of the journal's entries since its checkpoint, which are replayed when it is opened.
  private var costSinceCheckpoint: Int

  /// The cost from which a checkpoint is worth its time: some 0.1 s of opening.
  private static let checkpointInterval = 10_000

  /// Opens a session.
  ///
  /// - Parameters:
  ///   - schema: The features.
  ///   - journal: Where the session is saved.
  ///   - now: The time for new entries; unless given, the real time, to some milliseconds.
  /// - Throws: `JournalError`.
  public init(_ schema: StoreSchema, in journal: any Journal, now: (() -> Date)? = nil) throws {
    self.journal = journal
    let contents: JournalContents
    (store, contents) = try Self.load(schema, journal, now)
    store.author = journal.author
    recorder.author = journal.author
    head = contents.head
    costSinceCheckpoint = Self.cost(of: contents.entries)
    saved = store.point
    store.recorder = recorder
    store.identifiers = JournalIdentifiers(journal)
    store.canBeAnsweredElsewhere = { [weak self] in self?.journal.isOpenElsewhere ?? false }
    onAutosaveDue = { [unowned self] in autosave() }
    recorder.onDue = { [unowned self] in onAutosaveDue() }
    try recoverRequests()
  }

  /// Loads a session, also one that earlier versions of the app's declarations wrote, if they can convert it.
  private static func load(
    _ schema: StoreSchema, _ journal: any Journal, _ now: (() -> Date)?
  ) throws -> (Store, JournalContents) {
    func load() throws -> (Store, JournalContents) {
      let contents = try journal.load()
      return (try Store(schema, contents, of: journal.programName, now: now), contents)
    }
    do {
      return try load()
    } catch let error as JournalError where error.kind == .otherVersion {
      try journal.migrate()
      return try load()
    }
  }

  /// Ends requests whose process ended before their answers arrived, unless another process may still answer them.
  private func recoverRequests() throws {
    let actions = store.schema.recoveries(of: store.states, because: RequestFailure.processEnded)
    guard !actions.isEmpty, !journal.isOpenElsewhere else { return }
    for action in actions { try store.send(action) }
  }

  /// Whether there are unsaved entries that can be saved now: during a trial or group of the store, none can.
  public var hasUnsavedEntries: Bool {
    !(pending == nil && recorder.isEmpty) && !store.isTentative
  }

  /// Reloads the entries of other processes, then saves the unsaved ones.
  ///
  /// When it returns, all of them are saved.
  ///
  /// - Throws: `JournalError`, or `StoreError` during a trial or group of the store; the entries are kept for the next
  ///   save.
  public func save() throws {
    try checkSaving()
    while hasUnsavedEntries { try perform(nextExchange()) }
  }

  /// - Throws: `StoreError` during a trial or group of the store.
  package func checkSaving() throws(StoreError) {
    try store.checkGroup()
    guard !store.isInTrial else { throw .trialInProgress }
  }

  /// Ends the observation of the store, because its observers have ended, perhaps in the middle of a report.
  public func endObservation() {
    store.removeObservers()
  }

  /// Saves the unsaved entries of a process that ends in the middle of its code, without calling any observer.
  ///
  /// A trial of the store is dropped.
  ///
  /// - Throws: `JournalError`.
  public func saveForLastTime() throws {
    endObservation()
    onRemoteEntries = { _, _ in }
    try store.dropTrial()
    try save()
  }

  /// Compacts the journal if its length makes it slow to open.
  ///
  /// The journal then begins with the current history.
  ///
  /// - Throws: `JournalError`; then the journal is unchanged.
  /// - Complexity: O(size of the history and its state), if it compacts.
  public func compact() throws {
    try takeCompaction()?.run()
  }

  /// The compaction that is due; nil if none is, or not everything is saved.
  package func takeCompaction() -> JournalCompaction? {
    guard costSinceCheckpoint >= Self.checkpointInterval, pending == nil, recorder.isEmpty,
      !store.isTentative
    else { return nil }
    costSinceCheckpoint = 0
    return JournalCompaction(journal: journal, head: head, saved: saved)
  }

  /// The cost of replaying entries; a repetition costs a hundredth of an entry.
  private static func cost(of entries: [JournalEntry]) -> Int {
    entries.count + entries.reduce(0) { $0 + $1.count - 1 } / 100
  }

  /// Reloads the entries of other processes and rebases the unsaved ones on top.
  ///
  /// A journal that was lost or replaced is written again first. During a trial or group of the store, it does
  /// nothing.
  ///
  /// - Throws: `JournalError`; then nothing has changed.
  public func reload() throws {
    guard !store.isTentative else { return }
    repeat { try perform(exchange(of: pending?.batch)) } while needsContents
  }

  /// Continues with a repeated history, in a journal that stores the features of its schema; everything must be saved.
  ///
  /// - Parameters:
  ///   - history: The history.
  ///   - journal: A journal of the same session.
  /// - Throws: `JournalError`; then the session continues as it was.
  package func use(_ history: ReloadedHistory, in journal: any Journal) throws {
    try journal.rewrite(JournalCheckpoint(head: head, history: history.snapshot))
    self.journal = journal
    store.use(history)
    saved = store.point
    recorder.removeAll()
    costSinceCheckpoint = 0
  }

  /// Reloads entries of other processes, or finds that this needs the whole journal.
  private func reload(_ remote: [JournalEntry]) {
    guard !remote.isEmpty else { return }
    let before = store.point
    store.restore(saved)
    do {
      try store.replay(remote, after: head, of: journal.programName, isRemote: true)
    } catch {
      store.restore(before)
      needsContents = true
      return
    }
    costSinceCheckpoint += Self.cost(of: remote)
    rebase(from: before.states, at: head + remote.count, remote)
  }

  /// Loads a journal in which another process has replaced entries by a checkpoint.
  private func reload(_ contents: JournalContents) throws {
    let loaded = try Store(store.schema, contents, of: journal.programName)
    needsContents = false
    costSinceCheckpoint = Self.cost(of: contents.entries)
    reload(loaded.point, at: contents.head)
  }

  /// Reloads a history as a whole.
  private func reload(_ loaded: StoreSnapshot, at head: Int) {
    let before = store.states
    let continuation = loaded.history.continuation(of: saved.history)
    let isComplete =
      continuation.common == saved.history.last
      && loaded.hasSameStates(as: saved, after: continuation.common)
    if !isComplete || !replay(continuation, remembering: loaded.history.remembered) {
      var loaded = loaded
      loaded.history.markRemote(beyond: saved.history)
      store.restore(loaded)
    }
    // A checkpoint doesn't say which process wrote its entries.
    let writer = UUID()
    let remote = continuation.events.map {
      JournalEntry($0.event, time: $0.time, writer: writer, author: $0.author)
    }
    rebase(from: before, at: head, remote.isEmpty ? nil : remote)
  }

  /// Replays the events of other processes on the saved state, which keeps the secrets and the writers of actions.
  ///
  /// Returns false if that isn't possible, or if the store doesn't remember the same actions as the journal then: no
  /// process may go back farther than another.
  private func replay(
    _ continuation: UndoHistory.Continuation, remembering remembered: ClosedRange<Int>
  ) -> Bool {
    store.restore(saved)
    do {
      for (event, time, author) in continuation.events {
        try store.replay(event, at: time, isRemote: true, author: author ?? "")
      }
      return store.point.history.remembered == remembered
    } catch {
      // Not all events in between are remembered.
      return false
    }
  }

  /// Rebases the unsaved entries on top of the journal's, and reports both.
  ///
  /// - Parameters:
  ///   - before: The state that observers know.
  ///   - head: The journal's head, which the store's current state matches.
  ///   - remote: The entries of other processes; nil if there are none.
  private func rebase(from before: States, at head: Int, _ remote: [JournalEntry]?) {
    let own = (pending?.batch.entries ?? []) + recorder.entries
    pending = nil
    var renumbering = Renumbering(
      from: saved.history.position, to: store.position, canGoBack: remote == nil)
    self.head = head
    saved = store.point
    recorder.removeAll()
    let rejections = own.flatMap { redo($0, &renumbering) }
    store.reportDifference(from: before)
    if remote != nil || !rejections.isEmpty { onRemoteEntries(remote ?? [], rejections) }
  }

  /// Replays an own entry as many times as it happened; repetitions that fail are rejections.
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

  /// The field changes since the last save.
  private var changes: [FieldChange] {
    let features = store.states.features(differingFrom: saved.states)
    return store.schema.fields.compactMap { field in
      guard field.isSaved, field.depends(on: features) else { return nil }
      return field.change(from: saved.states, to: store.states)
    }
  }
}

// MARK: - Exchanges

extension JournaledSession {
  /// The next exchange with the journal: it appends the unsaved entries or, without any, reloads those of others.
  ///
  /// Apply its outcome before making another one.
  ///
  /// - Parameter isAppending: Whether unsaved entries are appended; those of a batch that may already be there always are.
  /// - Returns: The exchange.
  package func nextExchange(appending isAppending: Bool = true) -> JournalExchange {
    if pending == nil, isAppending, hasUnsavedEntries {
      pending = (JournalBatch(entries: recorder.entries, changes: changes), store.point)
      recorder.removeAll()
    }
    return exchange(of: pending?.batch)
  }

  private func exchange(of batch: JournalBatch?) -> JournalExchange {
    JournalExchange(
      journal: journal, batch: batch, head: head, saved: saved, needsContents: needsContents)
  }

  /// Whether outcomes can be applied: not during a trial or group of the store.
  package var canApplyOutcomes: Bool { !store.isTentative }

  /// Applies the outcome of an exchange.
  ///
  /// - Throws: `JournalError` if the entries of others can't be applied; then nothing has changed.
  package func apply(_ outcome: JournalExchange.Outcome) throws {
    switch outcome {
    case .appended(let head):
      guard let pending else { return }
      costSinceCheckpoint += Self.cost(of: pending.batch.entries)
      (self.head, saved, self.pending) = (head, pending.point, nil)
    case .changes(let entries): reload(entries)
    case .contents(let contents): try reload(contents)
    }
  }

  /// Notes that an exchange has failed.
  ///
  /// Its batch is appended again as it is if it may already be in the journal; else with what comes after it.
  package func noteFailure(_ error: any Error) {
    // `busy` doesn't say what became of an earlier attempt, which may still be running.
    let mayBeAppended = [.unreachable, .busy].contains((error as? JournalError)?.kind)
    guard let pending, !mayBeAppended else { return }
    recorder.putBack(pending.batch.entries)
    self.pending = nil
  }

  private func perform(_ exchange: JournalExchange) throws {
    let outcome: JournalExchange.Outcome
    do {
      outcome = try exchange.run()
    } catch {
      noteFailure(error)
      throw error
    }
    try apply(outcome)
  }
}

/// The replacement of a journal's entries by the resulting history; it can run on another thread, as an exchange.
package struct JournalCompaction: Sendable {
  let journal: any Journal
  let head: Int
  let saved: StoreSnapshot

  /// - Throws: `JournalError`; then the journal is unchanged.
  package func run() throws {
    do {
      try journal.checkpoint(JournalCheckpoint(head: head, history: saved.historySnapshot))
    } catch let error as JournalError where [.conflict, .replaced].contains(error.kind) {
      // Another process has made a checkpoint of more entries; or the next exchange writes the session again.
    }
  }
}

/// Maps the positions of own actions to their positions after a rebase.
///
/// The actions of other processes come before them, and own actions that can't be applied have no new numbers.
struct Renumbering {
  /// The position in the history before the rebase.
  private var position: Int
  /// The positions after the rebase, by those before it.
  private var positions: [Int: Int]
  /// Whether events may go back to earlier actions, whose numbers are the same.
  private let canGoBack: Bool

  /// Begins where own actions begin.
  ///
  /// - Parameters:
  ///   - old: The position before the own actions, in the history before the rebase.
  ///   - new: The same position after the rebase.
  ///   - canGoBack: Whether events may go back to earlier actions: not if other processes have acted since.
  init(from old: Int, to new: Int, canGoBack: Bool) {
    position = old
    positions = [old: new]
    self.canGoBack = canGoBack
  }

  /// The event with positions after the rebase.
  ///
  /// - Throws: `StoreError.actedElsewhere` if it would undo actions that its process didn't know.
  func renumbered(_ event: JournalEntry.Event, at position: Int) throws -> JournalEntry.Event {
    switch event {
    case .action(let action): return .action(action.renumbered { positions[$0] ?? $0 })
    case .travel(let target):
      if let new = positions[target] { return .travel(to: new) }
      guard canGoBack else { throw StoreError.actedElsewhere }
      return event
    }
  }

  /// Notes the new position after an event, whether or not it could be applied.
  mutating func note(_ event: JournalEntry.Event, at new: Int) {
    switch event {
    case .action: position += 1
    case .travel(let target): position = target
    }
    positions[position] = new
  }
}
