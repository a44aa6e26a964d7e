import PrimereplPlatform
import PrimereplTerminal
import StateStore
import Synchronization

/// The session of the process, which is kept in a file or on a server.
///
/// Its journal is used by a thread of its own: the main thread makes exchanges with the journal, one after the other,
/// and applies their outcomes. What an input did in a file is saved when the next prompt shows. With a server, only
/// `store.save()` and the end of the process wait.
@MainActor
final class Session {
  /// The path of the file or the address, to be shown.
  let location: String

  var isRemote: Bool { journal.isRemote }

  var store: Store { session.store }

  var notify: (String) -> Void = Diagnostics.print

  /// Those of the app once there is one.
  var texts = ActionTexts() {
    didSet { store.describe = { [texts] in texts.savedText(of: $0) } }
  }

  /// Throws if the user has stopped the code that waits for a save.
  var checkStop: () throws -> Void = {}

  /// Called when own actions have got other numbers, as `JournaledSession` says.
  var onRebase: (_ earlier: StoreContents, _ positions: [Int: Int]) -> Void {
    get { session.onRebase }
    set { session.onRebase = newValue }
  }

  /// Runs a closure that may reload actions of others; a prompt shows what they changed, a script doesn't.
  var whileReloading: ((() throws -> Void) throws -> Void)? {
    didSet { sharedIdentifiers?.prepareForPrompt(store.schema.recordKinds) }
  }

  /// The actions of others that were last reloaded.
  private(set) var remoteActions = RemoteActions()

  private let journal: any SharedJournal
  private let thread: JournalThread
  // Safe: it is used on the main actor; `saveAtExit` uses it elsewhere while the main thread is held.
  private nonisolated(unsafe) let session: JournaledSession
  /// Nil for a file, whose identifiers are reserved when they are needed.
  private let sharedIdentifiers: SharedIdentifiers?

  private enum Phase {
    /// Nothing is on its way, and nothing is known of others that isn't loaded.
    case current
    /// Others may have written.
    case stale
    /// An exchange is on its way since a time; others may have written since.
    case exchanging(since: ContinuousClock.Instant, isStale: Bool)
    /// The last save has failed: nobody waits for another one.
    case ended
  }

  private var phase = Phase.current

  /// Why the journal doesn't take what is unsaved; nil if it isn't known to refuse it.
  private var refusal: Refusal?

  private struct Refusal {
    let error: any Error
    /// When it was first refused, and last.
    let start: ContinuousClock.Instant
    let time: ContinuousClock.Instant

    /// Whether others keep this process from saving, which passes.
    var isBusy: Bool { (error as? JournalError)?.kind == .busy }

    var retryTime: ContinuousClock.Instant { time + (isBusy ? .milliseconds(200) : .seconds(5)) }
  }

  /// The problems that were reported since everything was saved.
  private var reported: Set<String> = []
  /// Whether the user was told that changes aren't saved.
  private var hasReportedUnsaved = false

  private nonisolated let isSaving = Atomic<Bool>(false)

  /// Whether the main thread waits for a save, which may take some seconds.
  nonisolated var isSavingNow: Bool { isSaving.load(ordering: .relaxed) }

  private static let autosaveInterval = Duration.milliseconds(100)
  /// The time before a report that others keep this process from saving: many that write together pass.
  private static let busyTime = Duration.seconds(30)
  /// The longest wait of an input for an exchange with a file.
  private static let inputPatience = Duration.seconds(5)
  /// The time after which a wait for a save is explained; processes that start together wait for each other's files.
  private var quietTime: Duration { isRemote ? .seconds(1) : .seconds(10) }
  /// The longest wait for the journal to be closed.
  private static let closingTime = Duration.seconds(1)
  /// The time between checks whether the user has stopped a wait.
  private static let checkInterval = Duration.milliseconds(50)
  /// The longest wait for a save, which is shorter if a signal ends the process.
  private var patience: Duration { TerminationHandler.isEnding ? .seconds(5) : .seconds(30) }

  /// Opens the session at a path or an address, or creates it.
  ///
  /// One that can't be written is reported, and continues in memory.
  ///
  /// - Throws: `CommandError` for an address of an unknown kind; `JournalError` if the session can't be read;
  ///   `SystemThread.Unavailable`.
  init(at place: String, of console: Console) throws {
    let schema = try console.schema.get()
    let journal = try console.journal(at: place, schema)
    (self.journal, location) = (journal, journal.location)
    session = try JournaledSession(schema, in: journal)
    thread = JournalThread(of: journal)
    sharedIdentifiers = try journal.isRemote ? SharedIdentifiers(thread, of: journal) : nil
    if let sharedIdentifiers {
      session.store.identifiers = sharedIdentifiers
      // Without asking the server, which would delay an action.
      session.store.canBeAnsweredElsewhere = { true }
    }
    session.onAutosaveDue = { [unowned self] in MainActor.assumeIsolated { continueExchanging() } }
    session.onReload = { [unowned self] reload in MainActor.assumeIsolated { handle(reload) } }
    try thread.start { [weak self] in Task { @MainActor in self?.continueExchanging() } }
    reportNotices()
    if let message = Self.message(onGone: session.gone) { notify(message) }
    if let failure = journal.writeFailure { reportOnce(failure) }
  }

  // MARK: - Exchanging

  /// Applies what the thread has for the session, and begins an exchange if there is something to exchange.
  private func continueExchanging() {
    // During a trial or a group nothing can be applied: `autosave` or the next input calls this again.
    guard session.canApplyOutcomes else { return }
    for event in thread.takeEvents() { handle(event) }
    let isStale: Bool
    switch phase {
    case .current: isStale = false
    case .stale: isStale = true
    case .exchanging, .ended: return
    }
    let canSave =
      session.hasUnsavedEntries && (refusal.map { $0.retryTime <= .now } ?? true)
    guard canSave || isStale else { return }
    do {
      let exchange = try session.nextExchange(saving: canSave)
      phase = .exchanging(since: .now, isStale: false)
      thread.perform(exchange)
    } catch {
      refuse(error)
    }
  }

  private func handle(_ event: JournalThread.Event) {
    switch event {
    case .exchanged(let result):
      if case .exchanging(_, let isStale) = phase { phase = isStale ? .stale : .current }
      apply(result)
    case .news: markStale()
    case .lost(let error):
      markStale()
      notify(error.userMessage)
      notify("the session continues in memory, and is saved once the server is back")
    case .found: notify("\(location): connected again")
    }
  }

  private func markStale() {
    switch phase {
    case .current: phase = .stale
    case .exchanging(let start, _): phase = .exchanging(since: start, isStale: true)
    case .stale, .ended: break
    }
  }

  private func apply(_ result: Result<JournalExchange.Outcome, any Error>) {
    do {
      let outcome = try result.get()
      if case .saved = outcome {
        try session.apply(outcome)
        endRefusal()
      } else {
        func reload() throws { try session.apply(outcome) }
        if let whileReloading { try whileReloading(reload) } else { try reload() }
        if session.needsSession { markStale() }
        // Reading works: what is unsaved may still be refused.
        if !session.hasUnsavedEntries { endRefusal() }
      }
    } catch {
      session.handleFailure(error)
      refuse(error)
    }
    reportNotices()
  }

  private func refuse(_ error: any Error) {
    let now = ContinuousClock.now
    let refusal = Refusal(error: error, start: refusal?.start ?? now, time: now)
    self.refusal = refusal
    if !refusal.isBusy || now - refusal.start > Self.busyTime { reportOnce(error) }
  }

  private func endRefusal() {
    (refusal, reported) = (nil, [])
    guard hasReportedUnsaved else { return }
    hasReportedUnsaved = false
    notify("the session is saved again, with all changes")
  }

  // MARK: - Saving

  /// Saves the session for `store.save()`.
  ///
  /// - Throws: `JournalError`, or why the user has stopped the wait; the next save includes the unsaved actions.
  func saveOrThrow() throws {
    try session.checkSaving()
    try waitUntilSaved()
  }

  /// Saves what an input has done, without waiting for a network.
  func save() {
    continueExchanging()
    waitForFile()
  }

  /// Reloads the actions of other processes that can be had without waiting for a network.
  func reload() {
    if !isRemote { markStale() }
    continueExchanging()
    waitForFile()
  }

  /// Waits for the current exchange with a file, unless it already takes long.
  private func waitForFile() {
    guard !isRemote else { return }
    whileSaving {
      while case .exchanging(let start, _) = phase, .now - start < Self.inputPatience,
        session.canApplyOutcomes
      {
        _ = thread.waitForEvents(atMost: Self.checkInterval)
        continueExchanging()
      }
    }
  }

  /// Saves the actions of code that waits, and reloads those of others, until the task is cancelled.
  func autosave() async {
    while true {
      do {
        try await Task.sleep(for: Self.autosaveInterval)
      } catch {
        // Cancelled: the code has ended.
        return
      }
      continueExchanging()
    }
  }

  /// Saves the session at the end of its code, and reports a failure.
  func finish() { _ = isSavedAtEnd() }

  /// Saves the session for the last time, reports any loss, and closes it; returns whether everything is saved.
  func close() -> Bool {
    // The Lua functions of subscribers ended with the Lua state.
    session.endObservation()
    do {
      // Of a function that never goes on, as a signal ends the process.
      try session.store.abandonGroup(isKept: false)
    } catch {
      notify("the actions of a function that was stopped are kept: \(error.userMessage)")
    }
    let isSaved = isSavedAtEnd()
    if !isSaved { notify("changes since the last save are lost") }
    thread.end(releasing: sharedIdentifiers?.removeUnused() ?? [])
    if isSaved { whileSaving { thread.waitForEnd(atMost: Self.closingTime) } }
    return isSaved
  }

  /// Saves the session while the main thread is held, as the process is about to end.
  nonisolated func saveAtExit() throws {
    // The journal is this thread's once the other one has its answer.
    thread.end()
    try session.saveForLastTime()
  }

  /// Waits for the last save, reports a failure, and returns whether all actions are saved.
  private func isSavedAtEnd() -> Bool {
    if case .ended = phase { return !session.hasUnsavedActions }
    guard session.hasUnsavedEntries else { return true }
    do {
      try waitUntilSaved()
      return true
    } catch {
      phase = .ended
      guard session.hasUnsavedActions else { return true }
      reportOnce(error, isEnding: true)
      return false
    }
  }

  /// Throws the journal's refusal, the user's stop, or a timeout.
  private func waitUntilSaved() throws {
    let start = ContinuousClock.now
    var isExplained = false
    refusal = nil
    try whileSaving {
      continueExchanging()
      while session.hasUnsavedEntries {
        if let refusal, !refusal.isBusy { throw refusal.error }
        try checkStop()
        let time = ContinuousClock.now - start
        guard time < patience else { throw timeout }
        if !isExplained, time > quietTime {
          isExplained = true
          notify("waiting for \(location) to save the session; Ctrl-C ends the wait")
        }
        _ = thread.waitForEvents(atMost: Self.checkInterval)
        continueExchanging()
      }
    }
  }

  private var timeout: any Error {
    if let refusal { return refusal.error }
    return JournalError.unreachable(
      location, reason: "the session couldn't be saved in \(patience.components.seconds) s")
  }

  private func whileSaving(_ body: () throws -> Void) rethrows {
    isSaving.store(true, ordering: .relaxed)
    defer { isSaving.store(false, ordering: .relaxed) }
    try body()
  }

  /// Saves the session before other declarations of its features read the store.
  func saveBeforeReloading() throws {
    do {
      try saveOrThrow()
    } catch let error as JournalError where error.kind == .otherVersion {
      // Others have other declarations, perhaps these: what wasn't saved is rebased on what they have saved.
    }
  }

  /// Continues with other declarations of the features, which have read the store.
  func adopt(_ app: ReloadedApp) {
    session.adopt(app)
    if whileReloading != nil { sharedIdentifiers?.prepareForPrompt(store.schema.recordKinds) }
  }
}

// MARK: - Reporting

extension Session {
  private func handle(_ reload: JournaledSession.Reload) {
    if reload.isRemote { remoteActions = RemoteActions(of: reload) }
    report(reload)
  }

  private func reportOnce(_ error: any Error, isEnding: Bool = false) {
    if reported.insert(error.userMessage).inserted { notify(error.userMessage) }
    guard session.hasUnsavedActions, !isEnding, !hasReportedUnsaved else { return }
    hasReportedUnsaved = true
    notify("the session continues in memory; the next successful save includes all changes")
  }

  private func reportNotices() {
    for notice in journal.takeNotices() { notify(notice) }
  }

  /// The paths are those that the session has and the app no longer has; nil if there are none.
  static func message(onGone paths: [String]) -> String? {
    guard !paths.isEmpty else { return nil }
    let names = paths.sorted().joined(separator: ", ").printable
    return
      "the app doesn't have \(names) any more: what was saved is kept, and .state --unused shows it; "
      + "one that was renamed needs another version, and migrate"
  }

  /// Reports an earlier copy of the session, and actions of this process that no longer apply after those of others.
  private func report(_ reload: JournaledSession.Reload) {
    if reload.isRestored {
      notify(
        "\(location): it was replaced by an earlier copy, which was reloaded; what wasn't saved comes on top"
      )
    }
    let rejections = reload.rejections
    let shownRejections = 10
    for rejection in rejections.prefix(shownRejections) {
      let action = texts.text(of: rejection.event).beginning
      notify("no longer possible: \(action): \(rejection.reason)")
    }
    let rest = rejections.count - shownRejections
    if rest > 0 { notify("and \(rest) more") }
  }
}

extension String {
  fileprivate var beginning: String { count > 200 ? prefix(200) + "…" : self }
}
