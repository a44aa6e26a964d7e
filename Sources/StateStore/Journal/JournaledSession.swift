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

  private var journal: any Journal
  /// The entries since the last save.
  private let recorder = JournalRecorder()

  /// The number of the last journal entry that the store has loaded.
  public private(set) var head: Int
  /// The store after that entry.
  private var saved: StoreSnapshot
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
    head = contents.head
    costSinceCheckpoint = Self.cost(of: contents.entries)
    saved = store.point
    store.recorder = recorder
    store.identifiers = JournalIdentifiers(journal)
    recorder.onDue = { [unowned self] in autosave() }
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
      guard try journal.migrate() else { throw error }
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
  public var hasUnsavedEntries: Bool { !recorder.isEmpty && !store.isTentative }

  /// Reloads the entries of other processes, then saves the unsaved ones.
  ///
  /// When it returns, all of them are saved.
  ///
  /// - Throws: `JournalError`, or `StoreError` during a trial or group of the store; the entries are kept for the next
  ///   save.
  public func save() throws {
    try store.checkGroup()
    guard !store.isInTrial else { throw StoreError.trialInProgress }
    while try !append() { try reload() }
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

  /// Appends the unsaved entries.
  ///
  /// - Returns: Whether nothing is left to append; false if the session must be reloaded before.
  private func append() throws -> Bool {
    guard !recorder.isEmpty else { return true }
    let batch = JournalBatch(entries: recorder.entries, changes: changes)
    do {
      head = try journal.append(batch, expecting: head)
    } catch let error as JournalError where [.conflict, .replaced].contains(error.kind) {
      return false
    }
    costSinceCheckpoint += Self.cost(of: batch.entries)
    saved = store.point
    recorder.removeAll()
    return true
  }

  /// Compacts the journal if its length makes it slow to open.
  ///
  /// The journal then begins with the current history.
  ///
  /// - Throws: `JournalError`; then the journal is unchanged.
  /// - Complexity: O(size of the history and its state), if it compacts.
  public func compact() throws {
    guard costSinceCheckpoint >= Self.checkpointInterval, recorder.isEmpty, !store.isTentative
    else { return }
    do {
      try journal.checkpoint(JournalCheckpoint(head: head, history: store.historySnapshot))
    } catch let error as JournalError where [.conflict, .replaced].contains(error.kind) {
      // Another process has made a checkpoint of more entries; or the next save writes the session again.
    }
    costSinceCheckpoint = 0
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
    do {
      try reloadChanges()
    } catch let error as JournalError where error.kind == .replaced {
      try journal.restart(from: JournalCheckpoint(head: head, history: saved.historySnapshot))
      costSinceCheckpoint = 0
      try reloadChanges()
    }
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

  private func reloadChanges() throws {
    let remote: [JournalEntry]
    do {
      remote = try journal.changes(since: head)
    } catch let error as JournalError where error.kind == .gone {
      return try reloadWhole()
    }
    guard !remote.isEmpty else { return }
    let before = store.point
    store.restore(saved)
    do {
      try store.replay(remote, after: head, of: journal.programName, isRemote: true)
    } catch {
      store.restore(before)
      return try reloadWhole()
    }
    costSinceCheckpoint += Self.cost(of: remote)
    rebase(from: before.states, at: head + remote.count, remote)
  }

  /// Loads a journal in which another process has replaced entries by a checkpoint.
  private func reloadWhole() throws {
    let contents = try journal.load()
    let loaded = try Store(store.schema, contents, of: journal.programName)
    costSinceCheckpoint = Self.cost(of: contents.entries)
    reload(loaded.point, at: contents.head)
  }

  /// Reloads a history as a whole.
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
    // A checkpoint doesn't say which process wrote its entries.
    let writer = UUID()
    let remote = continuation.events.map { JournalEntry($0.event, time: $0.time, writer: writer) }
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
      for (event, time) in continuation.events {
        try store.replay(event, at: time, isRemote: true)
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
    let own = recorder.entries
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
    store.schema.fields.compactMap { $0.change(from: saved.states, to: store.states) }
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
  /// - Throws: `StoreError.actedElsewhere` if it would undo actions of other processes.
  func renumbered(_ event: JournalEntry.Event, at position: Int) throws -> JournalEntry.Event {
    guard case .travel(let target) = event else { return event }
    if let new = positions[target] { return .travel(to: new) }
    guard canGoBack else { throw StoreError.actedElsewhere(number: position) }
    return event
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
