import Scripting
import StateStore
import Foundation
import Synchronization

/// The session that the command keeps in a file: it is saved, others' actions are taken in, and the user is told of both.
@MainActor
final class SavedSession {
  /// The absolute path of the file.
  var path: String { journal.path }

  /// The app's state, as the file had it.
  var store: Store { session.store }

  /// Names new records, so that no two processes give the same name.
  let identifiers: any IdentifierSource

  /// Shows the user a message.
  var notify: (String) -> Void = Diagnostics.note

  private let journal: SQLiteJournal
  // Safe: it is used on the main actor, but for `saveForLastTime`, while the main thread doesn't go on.
  private nonisolated(unsafe) let session: JournaledSession

  /// Whether the main thread saves the session now, which may take the seconds for which it waits for other processes.
  nonisolated let isSaving = Atomic<Bool>(false)

  private enum Work {
    case saving, takingIn, shortening
  }

  /// Why something can't be done now, as it was told: once, though it is tried again and again.
  private var problems: [Work: String] = [:]
  private var lastSaveFailure: ContinuousClock.Instant?
  private var toldRecovery: SQLiteJournal.Recovery?
  private var toldLog: SQLiteJournal.SetAsideLog?
  /// Since when other processes have kept this one from saving in the background; nil where they don't.
  private var busySince: ContinuousClock.Instant?
  /// The last entry that was saved when the user was told that no more can be; nil where all of it is saved.
  private var unsavedHead: Int?

  /// What code did that waits is saved after so long.
  private static let saveInterval = Duration.milliseconds(200)
  /// What failed is tried again after so long, unless somebody waits for it.
  private static let retryInterval = Duration.seconds(5)
  /// The seconds for which saving in the background waits for other processes, as nothing else is done meanwhile.
  private static let shortWait = 0.05
  /// After so long it waits as long as somebody would who waits for it.
  private static let shortWaits = Duration.seconds(2)
  /// So long nobody has to know that others keep this process from saving in the background.
  private static let quietTime = Duration.seconds(5)

  /// How many messages of a kind are shown at most, of those that come at once.
  private static let shownMessages = 10

  /// Opens a session, which begins anew where there is no file.
  ///
  /// A file that can't be written is no error: the user is told, and the session goes on in memory.
  ///
  /// - Throws: `JournalError` if the file isn't one of ours, or can't be read.
  init(path: String, schema: Schema) throws {
    // Else a limit of the size of files, which is exceeded, ends the process. Ignoring it would have those ignore it, too, that
    // a script starts.
    var action = sigaction()
    action.setHandler { _ in }
    sigaction(SIGXFSZ, &action, nil)
    journal = try SQLiteJournal(
      of: schema, program: Console.current.program, path: path)
    session = try JournaledSession(schema, in: journal)
    identifiers = JournalIdentifiers(journal)
    tellOfRepairs()
    if let failure = journal.writeFailure { report(failure, of: .saving) }
    session.onRemoteEntries = { [unowned self] in reportRemote($0, $1) }
    session.onSaveFailure = { [unowned self] in reportInBackground($0) }
  }

  /// Saves the session now.
  ///
  /// - Throws: `JournalError`; what was done is kept, and the next save has it.
  func saveNow() throws {
    isSaving.store(true, ordering: .relaxed)
    defer { isSaving.store(false, ordering: .relaxed) }
    journal.waitAgain()
    try session.save()
    noteSuccess(of: .saving)
  }

  /// Saves the session, and tells the user if that can't be done.
  ///
  /// - Returns: Whether all of it is saved.
  @discardableResult
  func save() -> Bool {
    isSaving.store(true, ordering: .relaxed)
    defer { isSaving.store(false, ordering: .relaxed) }
    if session.hasUnsavedEntries { return attempt(.saving) { try session.save() } }
    noteSavedMeanwhile()
    return true
  }

  /// Notes that what couldn't be saved was saved in the background since, where that is so.
  private func noteSavedMeanwhile() {
    if let unsavedHead, session.head != unsavedHead { noteSuccess(of: .saving) }
  }

  /// Takes in what other processes did, and tells the user of it.
  func takeIn() {
    attempt(.takingIn) { try session.reload() }
  }

  /// Takes in what others do, while nobody waits for it.
  func synchronize() {
    takeIn()
    shorten()
  }

  /// Saves what code did that waits for something, until it is cancelled.
  func saveRepeatedly() async {
    while true {
      do {
        try await Task.sleep(for: Self.saveInterval)
      } catch {
        // It is cancelled when the code has ended.
        return
      }
      if let lastSaveFailure, .now - lastSaveFailure < Self.retryInterval { continue }
      saveInBackground()
    }
  }

  /// Saves what was done, while nobody waits for it.
  private func saveInBackground() {
    guard session.hasUnsavedEntries else { return noteSavedMeanwhile() }
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
    tellOfRepairs()
  }

  /// Saves the session for the last time, tells the user if something is lost, and closes the file.
  ///
  /// - Returns: Whether all of it is saved.
  func finish() -> Bool {
    isSaving.store(true, ordering: .relaxed)
    defer { isSaving.store(false, ordering: .relaxed) }
    // Subscribers have come to an end, with the Lua state.
    session.endObservation()
    journal.waitAgain()
    let isSaved = save()
    if !isSaved { notify("what was done since the last save is lost") }
    shorten()
    journal.close()
    return isSaved
  }

  /// Saves the session while the main thread is kept from going on, since the process ends.
  ///
  /// - Throws: `JournalError`; then what was done since the last save is lost.
  nonisolated func saveForLastTime() throws { try session.saveForLastTime() }

  /// Makes a long file quick to open.
  private func shorten() {
    attempt(.shortening) { try session.compact() }
  }

  // MARK: - Telling

  @discardableResult
  private func attempt(_ work: Work, _ body: () throws -> Void) -> Bool {
    defer { tellOfRepairs() }
    do {
      try body()
      noteSuccess(of: work)
      return true
    } catch {
      report(error, of: work)
      return false
    }
  }

  /// Tells what was damaged and repaired, or found beside the file, when it was opened or since.
  private func tellOfRepairs() {
    if let recovery = journal.recovery, recovery != toldRecovery {
      toldRecovery = recovery
      notify(recovery.message)
    }
    if let log = journal.setAsideLog, log != toldLog {
      toldLog = log
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
    notify("the session is saved again, with all that was done meanwhile")
  }

  /// Reports what went wrong in the background, unless other processes write for now, which mends itself.
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
      notify("the session goes on in memory, and the next save that succeeds has all of it")
    }
  }

  /// Tells what others did, and what couldn't be done any more on top of it.
  private func reportRemote(
    _ entries: [JournalEntry], _ rejections: [JournaledSession.Rejection]
  ) {
    show(entries.lazy.map { "elsewhere: \($0.luaText.beginning)" })
    show(
      rejections.lazy.map { "not done any more: \($0.event.luaText.beginning): \($0.reason)" })
  }

  private func show(_ messages: some RandomAccessCollection<String>) {
    for message in messages.prefix(Self.shownMessages) { notify(message) }
    let rest = messages.count - Self.shownMessages
    if rest > 0 { notify("and \(rest) more") }
  }
}

extension String {
  /// As much as is worth reading of a text of others.
  fileprivate var beginning: String { count > 200 ? prefix(200) + "…" : self }
}
