import Bridge
import Domain
import Foundation

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
  private let session: JournaledSession

  private enum Work {
    case saving, takingIn, shortening
  }

  /// Why something can't be done now, as it was told: once, though it is tried again and again.
  private var problems: [Work: String] = [:]
  private var lastSaveFailure: ContinuousClock.Instant?
  private var toldRecovery: SQLiteJournal.Recovery?
  /// The last entry that was saved when the user was told that no more can be; nil where all of it is saved.
  private var unsavedHead: Int?

  /// What code did that waits is saved after so long.
  private static let saveInterval = Duration.milliseconds(200)
  /// What failed is tried again after so long, unless somebody waits for it.
  private static let retryInterval = Duration.seconds(5)

  /// How many messages of a kind are shown at most, of those that come at once.
  private static let shownMessages = 10

  /// Opens a session, which begins anew where there is no file.
  ///
  /// A file that can't be written is no error: the user is told, and the session goes on in memory.
  ///
  /// - Throws: `JournalError` if the file isn't one of ours, or can't be read.
  init(path: String) throws {
    // Else a limit of the size of files, which is exceeded, ends the process.
    signal(SIGXFSZ, SIG_IGN)
    journal = try SQLiteJournal(path: path)
    session = try JournaledSession(journal)
    identifiers = JournalIdentifiers(journal)
    tellOfRecovery()
    if let failure = journal.writeFailure { report(failure, of: .saving) }
    session.onForeignEntries = { [unowned self] in reportForeign($0, $1) }
    session.onSaveFailure = { [unowned self] in report($0, of: .saving) }
  }

  /// Saves the session now.
  ///
  /// - Throws: `JournalError`; what was done is kept, and the next save has it.
  func saveNow() throws {
    journal.waitAgain()
    try session.save()
    noteSuccess(of: .saving)
  }

  /// Saves the session, and tells the user if that can't be done.
  ///
  /// - Returns: Whether all of it is saved.
  @discardableResult
  func save() -> Bool {
    if session.hasUnsavedEntries { return attempt(.saving) { try session.save() } }
    // What couldn't be saved was perhaps saved by the way since.
    if let unsavedHead, session.head != unsavedHead { noteSuccess(of: .saving) }
    return true
  }

  /// Takes in what other processes did, and tells the user of it.
  func takeIn() {
    attempt(.takingIn) { try session.takeIn() }
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
      _ = journal.withoutWaiting { save() }
    }
  }

  /// Saves the session for the last time, tells the user if something is lost, and closes the file.
  ///
  /// - Returns: Whether all of it is saved.
  func finish() -> Bool {
    journal.waitAgain()
    let isSaved = save()
    if !isSaved { notify("what was done since the last save is lost") }
    shorten()
    journal.close()
    return isSaved
  }

  /// Makes a long file quick to open.
  private func shorten() {
    attempt(.shortening) { try session.shortenJournal() }
  }

  // MARK: - Telling

  @discardableResult
  private func attempt(_ work: Work, _ body: () throws -> Void) -> Bool {
    defer { tellOfRecovery() }
    do {
      try body()
      noteSuccess(of: work)
      return true
    } catch {
      report(error, of: work)
      return false
    }
  }

  /// Tells what was damaged and repaired, when the file was opened or since.
  private func tellOfRecovery() {
    guard let recovery = journal.recovery, recovery != toldRecovery else { return }
    toldRecovery = recovery
    notify(recovery.message)
  }

  private func noteSuccess(of work: Work) {
    problems[work] = nil
    guard work == .saving else { return }
    lastSaveFailure = nil
    guard unsavedHead != nil else { return }
    unsavedHead = nil
    notify("the session is saved again, with all that was done meanwhile")
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
  private func reportForeign(
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
