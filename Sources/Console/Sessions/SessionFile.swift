import Foundation
import Scripting
import StateFile
import StateStore
import Synchronization
import Platform

/// A session in a state file.
@MainActor
final class SessionFile: SessionStorage {
  /// The absolute path of the file.
  var location: String { journal.path }

  var store: Store { session.store }

  var notify: (String) -> Void = Diagnostics.note
  var texts = ActionTexts() {
    didSet { store.describe = { [texts] in texts.savedText(of: $0) } }
  }
  var checkStop: () throws -> Void = {}
  var whileReloading: ((() -> Void) -> Void)?
  private(set) var remoteActions = RemoteActions()

  private var journal: SQLiteJournal
  // Safe: it is used on the main actor; `saveAtExit` uses it elsewhere while the main thread is held.
  private nonisolated(unsafe) let session: JournaledSession

  private nonisolated let isSaving = Atomic<Bool>(false)

  nonisolated var isSavingNow: Bool { isSaving.load(ordering: .relaxed) }

  private enum Work {
    case saving, reloading
  }

  /// The reported problems: each is reported once, although the work is retried.
  private var problems: [Work: String] = [:]
  private var lastSaveFailure: ContinuousClock.Instant?
  /// The beginning of the time in which other processes keep this one from some work.
  private var busySince: [Work: ContinuousClock.Instant] = [:]
  /// The last write when saving failed; nil if everything is saved.
  private var unsavedPoint: JournalPoint?

  private static let autosaveInterval = Duration.milliseconds(200)
  /// The time before a failed autosave is retried.
  private static let retryInterval = Duration.seconds(5)
  /// The seconds for which an autosave waits for other processes, blocking everything else.
  private static let shortWait = 0.05
  /// The time before a report that other processes keep this one from its work: many that write together pass.
  private static let quietTime = Duration.seconds(30)
  /// The number of seconds for which the last save waits for other processes, unless a signal ends this one.
  private static let lastWait = 30.0

  /// Opens a session, or creates one if the file doesn't exist.
  ///
  /// A file that can't be written is reported, and the session continues in memory.
  ///
  /// - Throws: `JournalError` if the file isn't a state file of this program, or can't be read.
  init(path: String, of console: Console) throws {
    let schema = try console.schema.get()
    journal = try SQLiteJournal(of: schema, program: console.program, path: path)
    session = try JournaledSession(schema, in: journal)
    reportNotices()
    report(gone: session.gone)
    if let failure = journal.writeFailure { report(failure, of: .saving) }
    session.onReload = { [unowned self] in
      if $0.isRemote { remoteActions = RemoteActions(of: $0) }
      report($0)
    }
    session.onSaveFailure = { [unowned self] in reportUnlessBusy($0, of: .saving) }
  }

  // MARK: - Saving

  func saveOrThrow() throws {
    try whileSaving {
      journal.waitAgain()
      try session.save()
      noteSuccess(of: .saving)
    }
  }

  func save() { _ = isSaved() }

  func finish() { _ = isSaved() }

  /// Saves the session, and reports a failure; returns whether everything is saved.
  private func isSaved() -> Bool {
    whileSaving {
      if session.hasUnsavedEntries { return attempt(.saving) { try session.save() } }
      noteBackgroundSave()
      return true
    }
  }

  func autosave() async {
    while true {
      do {
        try await Task.sleep(for: Self.autosaveInterval)
      } catch {
        // Cancelled: the code has ended.
        return
      }
      if let lastSaveFailure, .now - lastSaveFailure < Self.retryInterval { continue }
      saveInBackground()
    }
  }

  /// Saves what there is to save, and reloads the actions of others.
  private func saveInBackground() {
    guard session.hasUnsavedEntries else {
      noteBackgroundSave()
      return journal.waiting(atMost: Self.shortWait) { reload() }
    }
    do {
      try journal.waiting(atMost: Self.shortWait) { try session.save() }
      noteSuccess(of: .saving)
    } catch {
      reportUnlessBusy(error, of: .saving)
    }
    reportNotices()
  }

  func close() -> Bool {
    whileSaving {
      // The Lua functions of subscribers ended with the Lua state.
      session.endObservation()
      let isSaved = isSavedAtEnd()
      if !isSaved { notify("changes since the last save are lost") }
      journal.close()
      return isSaved
    }
  }

  /// Saves the session for the last time, and reports a failure; returns whether everything is saved.
  private func isSavedAtEnd() -> Bool {
    defer { reportNotices() }
    guard session.hasUnsavedEntries else {
      noteBackgroundSave()
      return true
    }
    journal.waitAgain()
    do {
      if TerminationHandler.isEnding {
        try session.save()
      } else {
        try journal.waiting(atMost: Self.lastWait) { try session.save() }
      }
      noteSuccess(of: .saving)
      return true
    } catch {
      report(error, of: .saving)
      return false
    }
  }

  nonisolated func saveAtExit() throws { try session.saveForLastTime() }

  private func whileSaving<Result>(_ body: () throws -> Result) rethrows -> Result {
    isSaving.store(true, ordering: .relaxed)
    defer { isSaving.store(false, ordering: .relaxed) }
    return try body()
  }

  // MARK: - Reloading

  func reload() {
    let reload = { _ = self.attempt(.reloading) { try self.session.reload() } }
    if let whileReloading { whileReloading(reload) } else { reload() }
  }

  func use(_ app: ReloadedApp, of program: Program) throws {
    try saveOrThrow()
    let new = try SQLiteJournal(of: app.schema, program: program, path: location)
    session.use(app, in: new)
    journal.close()
    journal = new
    reportNotices()
  }

  // MARK: - Reporting

  @discardableResult
  private func attempt(_ work: Work, _ body: () throws -> Void) -> Bool {
    defer { reportNotices() }
    do {
      try body()
      noteSuccess(of: work)
      return true
    } catch {
      reportUnlessBusy(error, of: work)
      return false
    }
  }

  /// Reports a file of an earlier format, and one that was written again.
  private func reportNotices() {
    for notice in journal.takeNotices() { notify(notice) }
  }

  private func noteSuccess(of work: Work) {
    problems[work] = nil
    busySince[work] = nil
    guard work == .saving else { return }
    lastSaveFailure = nil
    guard unsavedPoint != nil else { return }
    unsavedPoint = nil
    notify("the session is saved again, with all changes")
  }

  /// Notes that unsaved actions have meanwhile been saved in the background, if they have.
  private func noteBackgroundSave() {
    if let unsavedPoint, session.point != unsavedPoint { noteSuccess(of: .saving) }
  }

  /// Reports a failure, unless other processes are just writing, which passes: the work is tried again.
  private func reportUnlessBusy(_ error: any Error, of work: Work) {
    guard (error as? JournalError)?.kind == .busy else { return report(error, of: work) }
    let start = busySince[work] ?? .now
    busySince[work] = start
    if .now - start > Self.quietTime { report(error, of: work) }
  }

  private func report(_ error: any Error, of work: Work) {
    if work == .saving {
      lastSaveFailure = .now
      unsavedPoint = unsavedPoint ?? session.point
    }
    let message = error.userMessage
    let isKnown = problems.values.contains(message)
    guard problems.updateValue(message, forKey: work) != message else { return }
    if !isKnown { notify(message) }
    if work == .saving {
      notify("the session continues in memory; the next successful save includes all changes")
    }
  }
}
