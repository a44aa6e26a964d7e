import StateStore

/// Where the session of the process is kept: in a file, or on a server.
///
/// It saves the session, reloads the actions of other processes, and reports problems to the user.
@MainActor
protocol SessionStorage: AnyObject, Sendable {
  /// The path of the file or the address, to be shown.
  var location: String { get }

  var store: Store { get }

  /// Shows the user a message.
  var notify: (String) -> Void { get set }

  /// The texts of actions; those of the app once there is one.
  var texts: ActionTexts { get set }

  /// Throws if the user has stopped the code that waits for a save.
  var checkStop: () throws -> Void { get set }

  /// Runs a closure that may reload actions of others; a prompt shows what they changed, a script doesn't.
  var whileReloading: ((() -> Void) -> Void)? { get set }

  /// The actions of others that were last reloaded.
  var remoteActions: RemoteActions { get }

  /// Whether the main thread is saving, which may include waiting for others for some seconds.
  nonisolated var isSavingNow: Bool { get }

  /// Saves the session for `store.save()`.
  ///
  /// - Throws: `JournalError`; the next save includes the unsaved actions.
  func saveOrThrow() throws

  /// Saves what an input has done, without waiting for a network.
  func save()

  /// Saves the actions of code that waits, and reloads those of others, until the task is cancelled.
  func autosave() async

  /// Saves the session at the end of its code, and reports a failure.
  func finish()

  /// Saves the session for the last time, reports any loss, and closes it; returns whether everything is saved.
  func close() -> Bool

  /// Saves the session while the main thread is held, as the process is about to end.
  nonisolated func saveAtExit() throws

  /// Reloads the actions of other processes that can be had without waiting for a network.
  func reload()

  /// Saves the session, and continues with other declarations of its features.
  ///
  /// - Throws: `JournalError`; then the session continues as it was.
  func use(_ app: ReloadedApp, of program: Program) throws
}

/// Actions of other processes that were reloaded.
struct RemoteActions: Equatable {
  /// Their users and hosts, each once; empty if they aren't known.
  var authors: [String] = []
  /// Their numbers; nil if there are none, or the others have undone or redone actions.
  var numbers: ClosedRange<Int>?

  init() {}

  /// Actions by some users, each on a host; nil for one that isn't known.
  init(by authors: [String?]) {
    for author in authors.compactMap(\.self) where !self.authors.contains(author) {
      self.authors.append(author)
    }
  }

  /// Those who did them, to be shown.
  var name: String {
    switch authors.count {
    case 0: "another process"
    case 1...3: authors.map { $0.printable(limit: 40) }.joined(separator: ", ")
    default: "\(authors.count) others"
    }
  }

  /// Those of a reload.
  init(of reload: JournaledSession.Reload) {
    self.init(by: reload.entries.map(\.author))
    numbers = reload.numbers
  }
}

extension SessionStorage {
  /// Reports what the session has and the app doesn't any more.
  func report(gone paths: [String]) {
    guard !paths.isEmpty else { return }
    let names = paths.sorted().joined(separator: ", ").printable
    notify(
      "the app doesn't have \(names) any more: what was saved is kept, and .state --unused shows it; "
        + "one that was renamed needs another version, and migrate")
  }

  /// Reports an earlier copy of the session, and actions of this process that no longer apply after those of others.
  func report(_ reload: JournaledSession.Reload) {
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
  /// The beginning of a text, for a message.
  fileprivate var beginning: String { count > 200 ? prefix(200) + "…" : self }
}
