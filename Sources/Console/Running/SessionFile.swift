import Foundation
import Scripting
import StateStore
import Synchronization
import Platform

/// The session's state file: it saves the session, reloads the actions of other processes, and reports problems to
/// the user.
@MainActor
final class SessionFile {
  /// The absolute path of the file.
  var path: String { journal.path }

  var store: Store { session.store }

  /// The source of ids for new records; no other process gives the same ids.
  let identifiers: any IdentifierSource

  /// Shows the user a message.
  var notify: (String) -> Void = Diagnostics.note

  /// Whether the user is told of the actions of other processes; a prompt shows what they change.
  var tellsRemoteActions = true

  private let journal: SQLiteJournal
  // Safe: it is used on the main actor; `saveAtExit` uses it elsewhere while the main thread is held.
  private nonisolated(unsafe) let session: JournaledSession

  /// Whether the main thread is saving, which may include waiting for other processes for some seconds.
  nonisolated let isSaving = Atomic<Bool>(false)

  private enum Work {
    case saving, reloading, compacting
  }

  /// The problems that were reported, each once although the work is retried.
  private var problems: [Work: String] = [:]
  private var lastSaveFailure: ContinuousClock.Instant?
  private var reportedRecovery: SQLiteJournal.Recovery?
  private var reportedLog: SQLiteJournal.SetAsideLog?
  /// The time since which other processes have kept this one from saving in the background; nil if they don't.
  private var busySince: ContinuousClock.Instant?
  /// The last entry that was saved when saving failed; nil if everything is saved.
  private var unsavedHead: Int?

  private static let autosaveInterval = Duration.milliseconds(200)
  /// The time before a failed autosave is tried again.
  private static let retryInterval = Duration.seconds(5)
  /// The seconds for which an autosave waits for other processes, blocking everything else.
  private static let shortWait = 0.05
  /// The time after which an autosave waits as long as any other save.
  private static let shortWaits = Duration.seconds(2)
  /// The time before the user is told that other processes keep this one from saving in the background.
  private static let quietTime = Duration.seconds(5)
  /// The most messages of a kind to show at once.
  private static let shownMessages = 10

  /// Opens a session, or creates one if the file doesn't exist.
  ///
  /// A file that can't be written isn't an error: the user is told, and the session continues in memory.
  ///
  /// - Throws: `JournalError` if the file isn't a state file of this program, or can't be read.
  init(path: String, schema: Schema) throws {
    // By default SIGXFSZ ends a process that exceeds a limit of file sizes. An ignored signal would be ignored in
    // child processes, too.
    Signal.setHandler(of: SIGXFSZ) { _ in }
    journal = try SQLiteJournal(of: schema, program: Console.current.program, path: path)
    session = try JournaledSession(schema, in: journal)
    identifiers = JournalIdentifiers(journal)
    reportRepairs()
    if let failure = journal.writeFailure { report(failure, of: .saving) }
    session.onRemoteEntries = { [unowned self] in reportRemote($0, $1) }
    session.onSaveFailure = { [unowned self] in reportInBackground($0) }
  }

  // MARK: - Saving

  /// Saves the session for `store.save()`.
  ///
  /// - Throws: `JournalError`; the next save includes the unsaved actions.
  func saveOrThrow() throws {
    try whileSaving {
      journal.waitAgain()
      try session.save()
      noteSuccess(of: .saving)
    }
  }

  /// Saves the session, and tells the user if that fails.
  ///
  /// - Returns: Whether everything is saved.
  @discardableResult
  func save() -> Bool {
    whileSaving {
      if session.hasUnsavedEntries { return attempt(.saving) { try session.save() } }
      noteBackgroundSave()
      return true
    }
  }

  /// Saves the actions of code that waits, until the task is cancelled.
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

  private func saveInBackground() {
    guard session.hasUnsavedEntries else { return noteBackgroundSave() }
    do {
      if let busySince, .now - busySince > Self.shortWaits {
        try session.save()
      } else {
        try journal.waiting(atMost: Self.shortWait) { try session.save() }
      }
      noteSuccess(of: .saving)
    } catch {
      reportInBackground(error)
    }
    reportRepairs()
  }

  /// Saves the session for the last time, tells the user if anything is lost, and closes the file.
  ///
  /// - Returns: Whether everything is saved.
  func close() -> Bool {
    whileSaving {
      // The Lua functions of subscribers ended with the Lua state.
      session.endObservation()
      journal.waitAgain()
      let isSaved = save()
      if !isSaved { notify("changes since the last save are lost") }
      compact()
      journal.close()
      return isSaved
    }
  }

  /// Saves the session while the main thread is held, as the process is about to end.
  ///
  /// - Throws: `JournalError`; the actions since the last save are lost.
  nonisolated func saveAtExit() throws { try session.saveForLastTime() }

  private func whileSaving<Result>(_ body: () throws -> Result) rethrows -> Result {
    isSaving.store(true, ordering: .relaxed)
    defer { isSaving.store(false, ordering: .relaxed) }
    return try body()
  }

  // MARK: - Reloading

  /// Reloads the actions of other processes, and tells the user.
  func reload() {
    attempt(.reloading) { try session.reload() }
  }

  /// Makes a long file quick to open.
  func compact() {
    attempt(.compacting) { try session.compact() }
  }

  // MARK: - Reporting

  @discardableResult
  private func attempt(_ work: Work, _ body: () throws -> Void) -> Bool {
    defer { reportRepairs() }
    do {
      try body()
      noteSuccess(of: work)
      return true
    } catch {
      report(error, of: work)
      return false
    }
  }

  /// Reports damage that was repaired, and logs found beside the file, when it was opened or since.
  private func reportRepairs() {
    if let recovery = journal.recovery, recovery != reportedRecovery {
      reportedRecovery = recovery
      notify(recovery.message)
    }
    if let log = journal.setAsideLog, log != reportedLog {
      reportedLog = log
      notify(log.message)
    }
  }

  private func noteSuccess(of work: Work) {
    problems[work] = nil
    guard work == .saving else { return }
    lastSaveFailure = nil
    busySince = nil
    guard unsavedHead != nil else { return }
    unsavedHead = nil
    notify("the session is saved again, with all changes")
  }

  /// Notes that unsaved actions have meanwhile been saved in the background, if they have.
  private func noteBackgroundSave() {
    if let unsavedHead, session.head != unsavedHead { noteSuccess(of: .saving) }
  }

  /// Reports a failure in the background, unless other processes are just writing, which passes.
  private func reportInBackground(_ error: any Error) {
    guard (error as? JournalError)?.kind == .busy else { return report(error, of: .saving) }
    let start = busySince ?? .now
    busySince = start
    if .now - start > Self.quietTime { report(error, of: .saving) }
  }

  private func report(_ error: any Error, of work: Work) {
    if work == .saving {
      lastSaveFailure = .now
      unsavedHead = unsavedHead ?? session.head
    }
    let isKnown = problems.values.contains("\(error)")
    guard problems.updateValue("\(error)", forKey: work) != "\(error)" else { return }
    if !isKnown { notify("\(error)") }
    if work == .saving {
      notify("the session continues in memory; the next successful save includes all changes")
    }
  }

  /// Reports the actions of other processes, and those of this one that no longer apply after them.
  private func reportRemote(
    _ entries: [JournalEntry], _ rejections: [JournaledSession.Rejection]
  ) {
    if tellsRemoteActions { show(entries.lazy.map { "elsewhere: \($0.luaText.beginning)" }) }
    show(rejections.lazy.map { "no longer possible: \($0.event.luaText.beginning): \($0.reason)" })
  }

  private func show(_ messages: some RandomAccessCollection<String>) {
    for message in messages.prefix(Self.shownMessages) { notify(message) }
    let rest = messages.count - Self.shownMessages
    if rest > 0 { notify("and \(rest) more") }
  }
}

extension String {
  /// The beginning of a text, for a message.
  fileprivate var beginning: String { count > 200 ? prefix(200) + "…" : self }
}
