public import PrimereplFoundation

/// A store whose state and history are saved in a journal, to which other processes can write as well.
///
/// What was done is kept in memory until `save`, or until there is enough of it to be saved in the background. If other
/// processes have written to the journal, the session makes the changes of their actions, and rebases its own actions on
/// top.
///
/// A session belongs to one actor, as its store does.
public final class JournaledSession {
  /// The store.
  public let store: Store

  /// An unsaved event of this session that can't be applied after the actions of other processes.
  public struct Rejection {
    /// The event.
    public let event: StoreEvent
    /// Why it can't be applied.
    public let reason: any Error
  }

  /// What a session has reloaded.
  public struct Reload {
    /// The actions of other processes; empty if they have only undone or redone some.
    public let entries: [SavedEntry]
    /// Their numbers; nil if others have undone or redone actions, too.
    public let numbers: ClosedRange<Int>?
    /// Whether others have done anything.
    public let isRemote: Bool
    /// Whether the journal had an earlier copy of the session, such as a backup.
    public let isRestored: Bool
    /// The own events that could no longer be applied.
    public fileprivate(set) var rejections: [Rejection]
  }

  /// Called with reloaded actions of other processes, and with own events that could no longer be applied.
  public var onReload: (Reload) -> Void = { _ in }

  /// Called when own actions have got other numbers, because those of others were saved first: with the contents before,
  /// and the positions in the history after it, by those before.
  package var onRebase: (_ earlier: StoreContents, _ positions: [Int: Int]) -> Void = { _, _ in }

  /// Called with the reason when an autosave fails; what wasn't saved is kept, to be saved later.
  public var onSaveFailure: (any Error) -> Void = { _ in }

  /// Called when saving in the background is due; unless it is replaced, this thread saves.
  package var onAutosaveDue: () -> Void = {}

  private let journal: any Journal
  private var coding: SessionCoding
  private let recorder = JournalRecorder()
  private var encoded = EncodedActions()

  /// A write on its way to the journal, with what it writes.
  private var pending: Pending?

  private struct Pending {
    let write: SessionWrite
    let events: [JournalRecorder.Entry]
    let contents: StoreContents
    let omission: Omission
  }

  /// The last write that the store has loaded.
  public private(set) var point: JournalPoint
  /// The store after that write.
  private var saved: StoreContents
  /// What the journal lacks of the state at that write.
  private var omission: Omission
  /// The paths of what the session has and the app doesn't any more, if that is new.
  package private(set) var gone: [String] = []
  /// Whether the news can only be reloaded with the whole session.
  package private(set) var needsSession = false

  /// What a journal lacks of a state.
  fileprivate struct Omission {
    /// The paths of values that are as initially.
    var paths: Set<String> = []
    /// Whether it has a state of earlier versions, which was converted.
    var isEverything = false
    /// Whether it is saved at once: such a state, or other types of what is saved.
    var isUrgent = false

    static let none = Omission()
  }

  /// Opens a session, where the time for new entries is by default the real one, to some milliseconds.
  public init(_ schema: StoreSchema, in journal: any Journal, now: (() -> Date)? = nil) throws {
    self.journal = journal
    coding = SessionCoding(schema)
    store = Store(schema, now: now)
    let session = try journal.load()
    let loaded = try Self.loaded(session, coding, in: journal, replacing: store)
    journal.show(schema)
    (point, saved) = (session.point, loaded.contents)
    (omission, gone) = (Omission(of: loaded.states), loaded.states.gone)
    store.restore(saved)
    store.history.author = journal.author
    store.recordMigration(of: loaded.states.migrations)
    store.recorder = recorder
    store.identifiers = JournalIdentifiers(journal)
    store.canBeAnsweredElsewhere = { [weak self] in self?.journal.isOpenElsewhere ?? false }
    // The store may outlive the session.
    onAutosaveDue = { [weak self] in self?.autosave() }
    recorder.onDue = { [weak self] in self?.onAutosaveDue() }
    try recoverRequests()
  }

  /// Ends requests whose process ended before their answers arrived, unless another process may still answer them.
  private func recoverRequests() throws {
    let actions = store.schema.recoveries(of: store.states, because: RequestFailure.processEnded)
    guard !actions.isEmpty, !journal.isOpenElsewhere else { return }
    for action in actions { try store.send(action) }
  }

  /// Whether there is something to save that can be saved now: during a trial or group of the store, nothing can.
  public var hasUnsavedEntries: Bool {
    !(pending == nil && recorder.isEmpty && !omission.isUrgent) && !store.isTentative
  }

  /// Whether actions of this process aren't known to be saved.
  package var hasUnsavedActions: Bool { !recorder.isEmpty || pending?.events.isEmpty == false }

  /// What the journal lacks of the state until a write is known to be there.
  private var lacking: Omission { pending?.omission ?? omission }

  /// Reloads what other processes have done, then saves what wasn't saved.
  ///
  /// When it returns, everything is saved.
  ///
  /// - Throws: `JournalError`, or `StoreError` during a trial or group of the store; the next save includes everything.
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
    store.observers.removeAll()
  }

  /// Saves what a process hasn't saved that ends in the middle of its code, without calling any observer.
  ///
  /// A group and a trial of the store are dropped.
  public func saveForLastTime() throws {
    endObservation()
    onReload = { _ in }
    try store.abandonGroup(isKept: false)
    try store.dropTrial()
    try save()
  }

  /// Reloads what other processes have done, and rebases own actions that aren't saved.
  ///
  /// A session that was lost is written again first. During a trial or group of the store, it does nothing.
  ///
  /// - Throws: `JournalError`; then nothing has changed.
  public func reload() throws {
    guard !store.isTentative else { return }
    repeat { try perform(exchange(of: pending?.write)) } while needsSession
  }

  private func autosave() {
    do {
      try save()
    } catch {
      recorder.postpone()
      onSaveFailure(error)
    }
  }

  /// Continues with other declarations of the features.
  package func adopt(_ app: ReloadedApp) {
    store.adopt(app)
    journal.show(app.schema)
    coding = app.coding
    saved = app.contents
    omission = Omission(of: app.loaded)
  }
}

// MARK: - Loading

extension JournaledSession {
  private static func loaded(
    _ session: SavedSession, _ coding: SessionCoding, in journal: any Journal,
    replacing store: Store
  ) throws -> (contents: StoreContents, states: StoreSchema.LoadedStates) {
    let loaded: StoreSchema.LoadedStates
    do {
      loaded = try coding.schema.loadedStates(from: session.state)
    } catch let error as StoredFormError {
      throw JournalError.otherVersion(reason: error.message)
    }
    let history = UndoHistory(
      session, coding, limit: Store.defaultHistoryLimit,
      edition: store.history.edition + 1
    ) { numbers in try journal.entries(numbers, at: session.point) }
    return (StoreContents(states: loaded.states, history: history), loaded)
  }

  /// Makes the changes of others, or finds that this needs the whole session.
  private func reload(_ news: SessionNews) {
    let before = store.contents
    let isMigrated = lacking.isEverything || news.extent.migration != saved.history.barrier
    store.restore(saved)
    do {
      guard !isMigrated else { throw StoreError.reloadNeeded }
      try apply(news)
    } catch {
      // The whole session says what is wrong, if anything is.
      store.restore(before)
      needsSession = true
      return
    }
    let (position, first) = (saved.history.position, news.entries.first?.number)
    let isSuccessor = first.map { $0 == position + 1 } ?? false
    rebase(
      from: before, at: news.point, omission: lacking,
      Reload(
        entries: news.entries,
        numbers: isSuccessor && news.extent.position == news.entries.last?.number
          ? position + 1...news.extent.position : nil,
        isRemote: first != nil || news.extent.position != position, isRestored: false,
        rejections: []))
  }

  private func apply(_ news: SessionNews) throws {
    let last = store.history.last
    let common = news.entries.first.map { $0.number - 1 } ?? last
    // Without an earlier action, nobody knows whether those here were replaced before all that is remembered.
    let isComplete =
      news.entries.first.map { $0.number > news.extent.first || $0.number == 1 } ?? true
    guard common <= last, isComplete else { throw StoreError.reloadNeeded }
    try store.move(to: min(store.position, common))
    // Redone actions come before those of others.
    if !news.entries.isEmpty { try store.move(to: common) }
    store.history.keep(from: news.extent.first, to: common)
    let page = SavedPage(coding) { news.entries }
    for entry in news.entries {
      try store.append(SavedStep(page: page, number: entry.number))
    }
    try store.move(to: news.extent.position)
  }

  private func reload(_ session: SavedSession, isRestored: Bool) throws {
    let loaded = try Self.loaded(session, coding, in: journal, replacing: store)
    needsSession = false
    let before = store.contents
    let known = isRestored ? 0 : saved.history.last
    store.restore(loaded.contents)
    store.history.markRemote(after: known)
    rebase(
      from: before, at: session.point, omission: Omission(of: loaded.states),
      Reload(
        entries: session.entries.filter { $0.number > known }, numbers: nil, isRemote: true,
        isRestored: isRestored, rejections: []), loaded.states.migrations)
  }

  /// Rebases the own actions that aren't saved on top of the store's current state, which the journal has.
  ///
  /// `before` is what observers know, and `remote` what others have done, without rejections.
  private func rebase(
    from before: StoreContents, at point: JournalPoint, omission: Omission, _ remote: Reload,
    _ migrations: [String] = []
  ) {
    let own = (pending?.events ?? []) + recorder.entries
    var rebase = Rebase(
      from: saved.history.position, to: store.position, canGoBack: !remote.isRemote)
    pending = nil
    (self.point, self.omission) = (point, omission)
    store.markSaved()
    saved = store.contents
    store.recordMigration(of: migrations)
    recorder.removeAll()
    var reload = remote
    reload.rejections = own.flatMap { redo($0, &rebase) }
    onRebase(before, rebase.positions)
    store.reportDifference(from: before.states)
    if reload.isRemote || !reload.rejections.isEmpty { onReload(reload) }
  }

  /// Does an own event again as many times as it happened; repetitions that fail are rejections.
  private func redo(_ entry: JournalRecorder.Entry, _ rebase: inout Rebase) -> [Rejection] {
    var rejections: [Rejection] = []
    for _ in 0..<entry.count {
      do {
        let event = try rebase.renumbered(entry.event)
        try store.replay(event, at: entry.time)
        recorder.record(event, at: entry.time)
      } catch {
        rejections.append(Rejection(event: entry.event, reason: error))
      }
      rebase.add(entry.event, at: store.position)
    }
    return rejections
  }
}

extension JournaledSession.Omission {
  fileprivate init(of loaded: StoreSchema.LoadedStates) {
    (paths, isEverything) = (loaded.missing, !loaded.migrations.isEmpty)
    isUrgent = isEverything || loaded.hasOtherShape
  }
}

extension StoreError {
  fileprivate static var reloadNeeded: Self {
    Self("reload_needed", "The session must be loaded as a whole.")
  }
}

// MARK: - Exchanges

/// One exchange of a session with its journal: it saves a write, or gets what others have written.
///
/// A session makes it and applies its outcome. In between, it can run on another thread, because a journal on another
/// machine takes as long as the network does.
package struct JournalExchange: Sendable {
  package enum Outcome: Sendable {
    case saved(JournalPoint)
    /// There was nothing to save, and others have written nothing.
    case unchanged
    /// Others have written; the write wasn't saved.
    case news(SessionNews)
    /// The whole session, as the journal doesn't have the last write that this process knows; nothing was saved.
    case session(SavedSession, isRestored: Bool)
  }

  fileprivate let journal: any Journal
  fileprivate let coding: SessionCoding
  /// Nil to get what others have written only.
  fileprivate let write: SessionWrite?
  /// The last write that the session knows.
  fileprivate let point: JournalPoint
  /// The store after that write.
  fileprivate let saved: StoreContents
  /// Whether news couldn't be applied, so that the whole session is needed.
  fileprivate let needsSession: Bool

  /// Exchanges with the journal, where a session that was lost is written again first.
  ///
  /// - Throws: `JournalError`; after `unreachable`, run the same exchange again.
  package func run() throws -> Outcome {
    do {
      return try attempt()
    } catch let error as JournalError where error.kind == .lost {
      try journal.restore(coding.wholeWrite(of: saved), at: point)
      return try attempt()
    }
  }

  private func attempt() throws -> Outcome {
    guard !needsSession else { return .session(try journal.load(), isRestored: false) }
    switch try journal.exchange(write, after: point) {
    case .saved(let point): return write == nil ? .unchanged : .saved(point)
    case .news(let news): return .news(news)
    case .outdated(let isRestored):
      return .session(try journal.load(), isRestored: isRestored)
    }
  }
}

extension JournaledSession {
  /// The next exchange with the journal: it saves what wasn't saved or, without anything, reloads what others have done.
  ///
  /// Apply its outcome before making another one. A write that may already be in the journal is saved in any case.
  ///
  /// - Throws: An error of an action or a value that can't be encoded.
  package func nextExchange(saving isSaving: Bool = true) throws -> JournalExchange {
    if pending == nil, isSaving, hasUnsavedEntries {
      pending = Pending(
        write: try write(), events: recorder.entries, contents: store.contents, omission: omission)
      omission = .none
      store.markSaved()
      recorder.removeAll()
    }
    return exchange(of: pending?.write)
  }

  private func exchange(of write: SessionWrite?) -> JournalExchange {
    JournalExchange(
      journal: journal, coding: coding, write: write, point: point, saved: saved,
      needsSession: needsSession)
  }

  private func write() throws -> SessionWrite {
    if omission.isEverything {
      return try coding.write(
        of: store.contents, describing: store.describe, encoded,
        changes: store.schema.savedChanges(of: store.states), replacesState: true)
    }
    var changes = try store.schema.savedChanges(from: saved.states, to: store.states)
    if !omission.paths.isEmpty {
      changes.removeAll { omission.paths.contains($0.path) }
      changes += try store.schema.savedChanges(of: store.states)
        .filter { omission.paths.contains($0.path) }
    }
    return try coding.write(
      of: store.contents, describing: store.describe, encoded, changes: changes)
  }

  /// Whether outcomes can be applied: not during a trial or group of the store.
  package var canApplyOutcomes: Bool { !store.isTentative }

  /// Applies the outcome of an exchange.
  ///
  /// - Throws: `JournalError` if what others have done can't be applied; then nothing has changed.
  package func apply(_ outcome: JournalExchange.Outcome) throws {
    switch outcome {
    case .saved(let point):
      self.point = point
      guard let pending else { return }
      (saved, self.pending) = (pending.contents, nil)
      encoded = EncodedActions()
      saved.history.common = saved.history.last
    case .unchanged: break
    case .news(let news): reload(news)
    case .session(let session, let isRestored): try reload(session, isRestored: isRestored)
    }
  }

  /// Continues after an exchange that has failed.
  ///
  /// Its write is saved again as it is if it may already be in the journal; else with what comes after it.
  package func handleFailure(_ error: any Error) {
    // `busy` doesn't say what became of an earlier attempt, which may still be running.
    let mayBeSaved = [.unreachable, .busy].contains((error as? JournalError)?.kind)
    guard let pending, !mayBeSaved else { return }
    recorder.putBack(pending.events)
    store.markSaved(upTo: min(pending.contents.history.common, store.history.common))
    omission = pending.omission
    self.pending = nil
  }

  private func perform(_ exchange: @autoclosure () throws -> JournalExchange) throws {
    let outcome: JournalExchange.Outcome
    do {
      outcome = try exchange().run()
    } catch {
      handleFailure(error)
      throw error
    }
    try apply(outcome)
  }
}

extension SessionCoding {
  fileprivate func write(
    of contents: StoreContents, describing text: (StoreAction) -> String, _ encoded: EncodedActions,
    changes: [FieldChange], replacesState: Bool = false
  ) throws -> SessionWrite {
    let common = min(contents.history.common, contents.history.last)
    let extent = contents.history.extent
    let numbers = max(common, extent.first - 1)..<contents.history.last
    let entries = try numbers.map {
      try entry(
        $0 + 1, of: contents.history, describing: text, adding: contents.states.unused.unknownParts,
        encoded)
    }
    return SessionWrite(
      common: common, entries: entries, extent: extent, changes: changes,
      replacesState: replacesState)
  }

  /// A whole session, all of which its journal has had.
  fileprivate func wholeWrite(of contents: StoreContents) throws -> SessionWrite {
    var contents = contents
    contents.history.common = 0
    return try write(
      of: contents, describing: { _ in "" }, EncodedActions(),
      changes: schema.savedChanges(of: contents.states),
      replacesState: true)
  }
}

/// Maps the numbers of own actions to those after a rebase.
///
/// The actions of other processes come before them, and own actions that can't be applied have no new numbers.
struct Rebase {
  /// The position in the history before the rebase.
  private var position: Int
  /// The positions after the rebase, by those before it.
  private(set) var positions: [Int: Int]
  /// Whether events may go back to earlier actions, whose numbers are the same: not if others have acted since.
  private let canGoBack: Bool

  /// Begins at the position before the own actions: `old` before the rebase, and `new` after it.
  init(from old: Int, to new: Int, canGoBack: Bool) {
    position = old
    positions = [old: new]
    self.canGoBack = canGoBack
  }

  /// The event with positions after the rebase.
  ///
  /// - Throws: `StoreError.actedElsewhere` if it would undo actions that its process didn't know.
  func renumbered(_ event: StoreEvent) throws -> StoreEvent {
    switch event {
    case .action(let action): return .action(action.renumbered { positions[$0] ?? $0 })
    case .travel(let target):
      if let new = positions[target] { return .travel(to: new) }
      guard canGoBack else { throw StoreError.actedElsewhere }
      return event
    }
  }

  /// Adds the new position after an event, whether or not it could be applied.
  mutating func add(_ event: StoreEvent, at new: Int) {
    switch event {
    case .action: position += 1
    case .travel(let target): position = target
    }
    positions[position] = new
  }
}
