public import Foundation

/// A store that is remembered in a journal, together with what other processes do there.
///
/// What is done is kept until `save`, or until there is so much of it that it is saved by the way. A process whose
/// journal has gone on takes in what the others did, and does its own again on top; the reducers are deterministic, so all
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

  /// Hears of entries of other processes that were taken in, and of own ones that could no longer be done.
  ///
  /// There are neither where others did so much that it is in a checkpoint already.
  public var onForeignEntries: ([JournalEntry], [Rejection]) -> Void = { _, _ in }

  /// Hears of why what was done couldn't be saved by the way; it is kept, to be saved later.
  public var onSaveFailure: (any Error) -> Void = { _ in }

  private let journal: any Journal
  /// What was done since the last save.
  private let recorder = JournalRecorder()

  /// The number of the journal's last entry that the store has taken in.
  public private(set) var head: Int
  /// The store as it was after that entry.
  private var saved: StoreSnapshot
  /// What was changed since in lists.
  private var listChanges: [FieldChange] = []
  private var subscriptions: [Subscription] = []

  /// How much there is in the journal since its checkpoint, which has to be done again when it is opened.
  private var costSinceCheckpoint: Int

  /// A checkpoint is worth its time when there is so much since the last: some 0.1 s of opening.
  private static let checkpointInterval = 10_000

  /// Opens a session.
  ///
  /// - Parameters:
  ///   - journal: Where it is remembered.
  ///   - now: Tells the time for what is done; unless given, it is the real time to some milliseconds.
  /// - Throws: `JournalError`.
  public init(_ journal: any Journal, now: (() -> Date)? = nil) throws {
    self.journal = journal
    let contents = try journal.load()
    store = try Store(contents, now: now)
    head = contents.head
    costSinceCheckpoint = Self.cost(of: contents.entries)
    saved = store.snapshot
    store.recorder = recorder
    recorder.onDue = { [unowned self] in saveByTheWay() }
    for field in App.fields {
      guard case .list = field.content else { continue }
      subscriptions.append(
        try store.observe(field.path) { [unowned self] in listChanges += $0.fields })
    }
    try giveUpRequests()
  }

  /// Ends the requests of processes that ended before the answer came, which nobody else will answer.
  private func giveUpRequests() throws {
    let actions = App.givingUpRequests(of: store.state)
    guard !actions.isEmpty, !journal.isOpenElsewhere else { return }
    for action in actions { try store.send(action) }
  }

  /// Whether something was done that isn't saved yet.
  public var hasUnsavedEntries: Bool { !recorder.isEmpty }

  /// Saves what was done, after taking in what others did.
  ///
  /// When it returns, all of it is saved.
  ///
  /// - Throws: `JournalError`; what was done is kept, and the next save has it.
  public func save() throws {
    while !recorder.isEmpty {
      let batch = JournalBatch(entries: recorder.entries, changes: scalarChanges + listChanges)
      do {
        head = try journal.append(batch, expecting: head)
      } catch JournalError.conflict {
        try takeIn()
        continue
      }
      costSinceCheckpoint += Self.cost(of: batch.entries)
      saved = store.snapshot
      recorder.removeAll()
      listChanges = []
    }
  }

  /// Has the journal begin with what there is now, where it has become so long that opening it takes much longer.
  ///
  /// - Throws: `JournalError`; then the journal stays as it is.
  /// - Complexity: O(size of the history and its state), where it is done.
  public func shortenJournal() throws {
    guard costSinceCheckpoint >= Self.checkpointInterval, recorder.isEmpty else { return }
    do {
      try journal.checkpoint(JournalCheckpoint(head: head, history: store.historySnapshot))
    } catch JournalError.conflict {
      // Another process has made one of more.
    }
    costSinceCheckpoint = 0
  }

  /// What it costs to do entries again; what is done once more costs a hundredth of another.
  private static func cost(of entries: [JournalEntry]) -> Int {
    entries.count + entries.reduce(0) { $0 + $1.count - 1 } / 100
  }

  /// Takes in what others did, and does again on top of it what was done here since the last save.
  ///
  /// - Throws: `JournalError`; then nothing has changed.
  public func takeIn() throws {
    let foreign: [JournalEntry]
    do {
      foreign = try journal.changes(since: head)
    } catch JournalError.gone {
      return try takeInWhole()
    }
    guard !foreign.isEmpty else { return }
    let before = store.snapshot
    store.restore(saved)
    do {
      try store.replay(foreign, after: head, isForeign: true)
    } catch {
      store.restore(before)
      throw error
    }
    costSinceCheckpoint += Self.cost(of: foreign)
    let shift = store.position - saved.history.position
    goOn(at: head + foreign.count, before: before.state, foreign, shift: shift)
  }

  /// Takes in a journal that doesn't go on from what is known here.
  ///
  /// Others made a checkpoint of more than that, or it was removed, or repaired and lost some. What was lost counts as not
  /// saved, and is done again.
  private func takeInWhole() throws {
    let contents = try journal.load()
    var loaded = try Store(contents).snapshot
    let before = store.state
    costSinceCheckpoint = Self.cost(of: contents.entries)
    if let lost = saved.history.remainder(after: loaded.history) {
      listChanges = App.listReplacements(of: loaded.state, by: before)
      recorder.prepend(lost.events)
      store.restore(loaded)
      goOn(at: contents.head, before: before, nil, shift: lost.shift)
    } else {
      loaded.history.markForeign(beyond: saved.history)
      let shift = loaded.history.position - saved.history.position
      store.restore(loaded)
      goOn(at: contents.head, before: before, contents.entries, shift: shift)
    }
  }

  /// Does on top of what others did what was done here since the last save, and tells of both.
  ///
  /// - Parameters:
  ///   - head: The journal's head, after which the store is as it is now.
  ///   - before: The state that observers know.
  ///   - foreign: What others did; nil where they did nothing.
  ///   - shift: By how much the numbers of own actions are greater now.
  private func goOn(at head: Int, before: App.State, _ foreign: [JournalEntry]?, shift: Int) {
    let own = recorder.entries
    self.head = head
    saved = store.snapshot
    recorder.removeAll()
    // What others did isn't taken back.
    let earliest = foreign == nil ? Int.min : saved.history.position
    let rejections = own.flatMap { redo($0, shiftedBy: shift, earliest: earliest) }
    store.reportDifference(from: before)
    if foreign != nil || !rejections.isEmpty { onForeignEntries(foreign ?? [], rejections) }
  }

  /// Does an own entry again, as often as it can be done.
  private func redo(
    _ entry: JournalEntry, shiftedBy shift: Int, earliest: Int
  ) -> [Rejection] {
    var rejections: [Rejection] = []
    for _ in 0..<entry.count {
      do {
        let event = try shifted(entry.event, by: shift, earliest: earliest)
        try store.replay(event, at: entry.time, isForeign: false)
        recorder.note(event, at: entry.time)
      } catch {
        rejections.append(Rejection(event: entry.event, reason: error))
      }
    }
    return rejections
  }

  /// What others did stands before what was done here, whose actions have other numbers now.
  private func shifted(
    _ event: JournalEntry.Event, by shift: Int, earliest: Int
  ) throws -> JournalEntry.Event {
    guard case .travel(let target) = event else { return event }
    guard target + shift >= earliest else { throw StoreError.actedElsewhere(number: earliest) }
    return .travel(to: target + shift)
  }

  private func saveByTheWay() {
    do {
      try save()
      try shortenJournal()
    } catch {
      recorder.postpone()
      onSaveFailure(error)
    }
  }

  /// How the fields of one value differ from what was saved.
  private var scalarChanges: [FieldChange] {
    App.fields.compactMap { field in
      guard case .scalar(let read) = field.content else { return nil }
      let (new, old) = (read(store.state), read(saved.state))
      return new == old ? nil : FieldChange(path: field.path, change: .value(new: new, old: old))
    }
  }
}
