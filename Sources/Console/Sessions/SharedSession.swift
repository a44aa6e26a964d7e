import Foundation
import StateStore
import Synchronization

/// A session on a server, which processes on several machines share.
///
/// Its journal is used by a thread of its own: the main thread makes exchanges, and applies their outcomes. Only
/// `store.save()` and the end of the process wait for them.
@MainActor
final class SharedSession: SessionStorage {
  let location: String
  var store: Store { session.store }
  var notify: (String) -> Void = Diagnostics.note
  var texts = ActionTexts() {
    didSet { store.describe = { [texts] in texts.savedText(of: $0) } }
  }
  var checkStop: () throws -> Void = {}
  var whileReloading: ((() -> Void) -> Void)? {
    didSet { identifiers.prepareForPrompt(recordKinds) }
  }
  private(set) var remoteActions = RemoteActions()

  private let server: any SessionServer
  private var journal: any SharedJournal
  // Safe: they are used on the main actor; `saveAtExit` uses them elsewhere while the main thread is held.
  private nonisolated(unsafe) let session: JournaledSession
  private nonisolated(unsafe) var worker: JournalWorker
  private let identifiers: SharedIdentifiers

  private nonisolated let isSaving = Atomic<Bool>(false)
  nonisolated var isSavingNow: Bool { isSaving.load(ordering: .relaxed) }

  private var isExchanging = false
  /// Whether others may have appended entries since the last exchange began.
  private var isBehind = false
  /// The reason why the server refuses what is unsaved; nil if it doesn't.
  private var refusal: (any Error)?
  private var refusalTime = ContinuousClock.now
  /// The messages of problems that were reported.
  private var reported: Set<String> = []
  /// Whether the user has given up waiting for the last save.
  private var hasGivenUp = false

  private static let autosaveInterval = Duration.milliseconds(50)
  /// The time before what was refused is tried again.
  private static let retryInterval = Duration.seconds(5)
  /// The time after which a wait is explained.
  private static let quietTime = Duration.seconds(1)
  /// The time between checks whether the user has stopped a wait.
  private static let checkInterval = Duration.milliseconds(50)
  /// The longest wait for a save, which is shorter if a signal ends the process.
  private var patience: Duration { TerminationHandler.isEnding ? .seconds(5) : .seconds(30) }

  /// Opens the session that an address names, or creates it.
  ///
  /// - Throws: `JournalError`.
  init(on server: any SessionServer, of console: Console) throws {
    self.server = server
    let schema = try console.schema.get()
    let journal = try server.journal(of: schema)
    self.journal = journal
    location = journal.address
    session = try JournaledSession(schema, in: journal)
    let process =
      journal.isReadOnly
      ? 1 : try journal.reserveIdentifiers(1, of: SharedIdentifiers.process).lowerBound
    let relay = EventRelay()
    worker = try JournalWorker(journal) { relay.notify() }
    identifiers = SharedIdentifiers(worker, process: process)
    session.store.identifiers = identifiers
    // Without asking the server, which would delay an action.
    session.store.canBeAnsweredElsewhere = { true }
    session.onAutosaveDue = { [unowned self] in MainActor.assumeIsolated { save() } }
    session.onReload = { [unowned self] reload in
      MainActor.assumeIsolated {
        if reload.isRemote { remoteActions = RemoteActions(of: reload) }
        report(reload)
      }
    }
    relay.session = self
    reportNotices()
    report(gone: session.gone)
    if journal.isReadOnly {
      notify(
        "\(location): read-only: this role may not write, so your changes stay in this process")
    }
  }

  private var recordKinds: [IdentifierKind] { store.schema.recordKinds }

  // MARK: - Exchanging

  /// Begins an exchange if there is something to exchange, and none is in progress.
  private func exchange() {
    guard !isExchanging, session.canApplyOutcomes else { return }
    let canSave =
      session.hasUnsavedEntries && !journal.isReadOnly
      && (refusal == nil || .now - refusalTime >= Self.retryInterval)
    guard canSave || isBehind else { return }
    do {
      let exchange = try session.nextExchange(saving: canSave)
      isExchanging = true
      isBehind = false
      worker.perform(exchange)
    } catch {
      (refusal, refusalTime) = (error, .now)
      reportOnce(error)
    }
  }

  /// Applies what the worker has for the session, without waiting.
  fileprivate func handleEvents() {
    // During a trial or a group nothing can be applied: `autosave` or the next input calls this again.
    guard session.canApplyOutcomes else { return }
    for event in worker.takeEvents() { handle(event) }
    exchange()
  }

  private func handle(_ event: JournalWorker.Event) {
    switch event {
    case .exchanged(let result):
      isExchanging = false
      apply(result)
    case .news: isBehind = true
    case .lost(let error):
      isBehind = true
      notify(error.userMessage)
      notify("the session continues in memory, and is saved once the server is back")
    case .found: notify("\(location): connected again")
    }
  }

  private func apply(_ result: Result<JournalExchange.Outcome, any Error>) {
    do {
      let outcome = try result.get()
      if case .saved = outcome {
        refusal = nil
        reported = []
        try session.apply(outcome)
      } else {
        try reload { try session.apply(outcome) }
        if session.needsSession { isBehind = true }
      }
    } catch {
      session.noteFailure(error)
      (refusal, refusalTime) = (error, .now)
      reportOnce(error)
    }
    reportNotices()
  }

  private func reload(_ apply: () throws -> Void) throws {
    var failure: (any Error)?
    func attempt() {
      do { try apply() } catch { failure = error }
    }
    if let whileReloading { whileReloading(attempt) } else { attempt() }
    if let failure { throw failure }
  }

  private func reportOnce(_ error: any Error, isEnding: Bool = false) {
    guard reported.insert(error.userMessage).inserted else { return }
    notify(error.userMessage)
    if session.hasUnsavedEntries, !isEnding {
      notify("the session continues in memory; the next successful save includes all changes")
    }
  }

  private func reportNotices() {
    for notice in journal.takeNotices() { notify(notice) }
  }

  // MARK: - Saving

  func saveOrThrow() throws {
    try session.checkSaving()
    if journal.isReadOnly { throw JournalError.readOnly(location) }
    refusal = nil
    try whileSaving { try waitUntilSaved() }
  }

  func save() { handleEvents() }

  func autosave() async {
    while true {
      do {
        try await Task.sleep(for: Self.autosaveInterval)
      } catch {
        // Cancelled: the code has ended.
        return
      }
      handleEvents()
    }
  }

  func finish() { _ = isSavedAtEnd() }

  func close() -> Bool {
    whileSaving {
      // The Lua functions of subscribers ended with the Lua state.
      session.endObservation()
      let isSaved = isSavedAtEnd()
      if !isSaved { notify("changes since the last save are lost") }
      worker.end(releasing: identifiers.takeUnused())
      if isSaved { worker.waitForEnd(atMost: Self.quietTime) }
      return isSaved
    }
  }

  nonisolated func saveAtExit() throws {
    // The journal is this thread's once the worker has its answer.
    worker.end()
    try session.saveForLastTime()
  }

  /// Waits for the last save, reports a failure, and returns whether everything is saved.
  private func isSavedAtEnd() -> Bool {
    whileSaving {
      guard session.hasUnsavedEntries, !hasGivenUp else { return !session.hasUnsavedEntries }
      do {
        if journal.isReadOnly { throw JournalError.readOnly(location) }
        refusal = nil
        try waitUntilSaved()
        return true
      } catch {
        hasGivenUp = true
        reportOnce(error, isEnding: true)
        return false
      }
    }
  }

  /// Waits until everything is saved.
  ///
  /// - Throws: Why the server refuses it, why the user has stopped the wait, or that it has taken too long.
  private func waitUntilSaved() throws {
    let start = ContinuousClock.now
    var isExplained = false
    handleEvents()
    while session.hasUnsavedEntries {
      // Another writer holds the session only for a while.
      if let refusal, (refusal as? JournalError)?.kind != .busy { throw refusal }
      try checkStop()
      let time = ContinuousClock.now - start
      if time > patience {
        let seconds = patience.components.seconds
        throw JournalError.unreachable(
          location, reason: "the session couldn't be saved in \(seconds) s")
      }
      if !isExplained, time > Self.quietTime {
        isExplained = true
        notify("waiting for \(location) to save the session; Ctrl-C ends the wait")
      }
      _ = worker.waitForEvents(atMost: Self.checkInterval)
      handleEvents()
    }
  }

  private func whileSaving<Result>(_ body: () throws -> Result) rethrows -> Result {
    isSaving.store(true, ordering: .relaxed)
    defer { isSaving.store(false, ordering: .relaxed) }
    return try body()
  }

  // MARK: - Reloading

  func reload() { handleEvents() }

  func use(_ app: ReloadedApp, of program: Program) throws {
    try saveOrThrow()
    let new = try server.journal(of: app.schema)
    session.use(app, in: new)
    let relay = EventRelay()
    relay.session = self
    let newWorker = try JournalWorker(new) { relay.notify() }
    worker.end()
    (worker, journal, isExchanging) = (newWorker, new, false)
    identifiers.use(newWorker)
    if whileReloading != nil { identifiers.prepareForPrompt(recordKinds) }
    reportNotices()
  }
}

/// Passes the worker's events to the main actor.
private final class EventRelay: Sendable {
  // Safe: it is set before the worker has anything to tell, and used on the main actor.
  nonisolated(unsafe) weak var session: SharedSession?

  func notify() {
    Task { @MainActor in session?.handleEvents() }
  }
}
