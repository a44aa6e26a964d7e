public import Foundation

/// Owns the app's state: sending actions is the only way to change it, and observers hear of it.
///
/// It remembers the actions, and can go back.
///
/// A store belongs to one actor and isn't locked.
///
/// **Order.** An action changes the state at once, also one that an observer sends. Reports queue:
/// every observer hears of the changes in the order they happened, each with what was new and old
/// then, even though the state itself may have gone on.
///
/// **Cost.** Besides its reducer, an action costs O(observed fields + edits of lists). It doesn't depend on the size of the
/// state, but for the logarithm of the number of records that reducers and observed positions have.
public final class Store {
  /// The app's state.
  public private(set) var state: App.State

  // Unchecked, as nothing they do runs code of others, and they are used for every action.

  @exclusivity(unchecked) private var history: History
  @exclusivity(unchecked) private var favoritesIndex = FavoritePrimes.Index()
  private let observers = Observers(onFailure: Store.writeToStandardError)
  private let now: () -> Date

  /// Notes what is done, before observers hear of it; nil for a store that isn't remembered.
  @exclusivity(unchecked) var recorder: JournalRecorder?

  /// How many actions can be undone unless somebody says otherwise; in a session that is remembered no more than that.
  public static let defaultHistoryLimit = 10_000

  /// Makes a store of a state.
  ///
  /// - Parameters:
  ///   - state: The state from which the history begins.
  ///   - historyLimit: How many actions can be undone at most; 0 or more.
  ///   - now: Tells the time for the history; unless given, it is the real time to some milliseconds.
  public init(
    state: App.State = App.State(), historyLimit: Int = Store.defaultHistoryLimit,
    now: (() -> Date)? = nil
  ) {
    self.state = state
    self.now = now ?? { Date.coarse }
    history = History(limit: max(0, historyLimit))
    // What lists noted before they were the store's is no change of the store's state.
    App.discardEdits(in: &self.state)
  }

  /// Hears of the errors that observers throw, which concern neither the sender nor other
  /// observers.
  ///
  /// Unless set, it writes a line to standard error.
  public var onObserverFailure: (any Error) -> Void {
    get { observers.onFailure }
    set { observers.onFailure = newValue }
  }

  /// Changes the state as the action says, then reports to observers.
  ///
  /// Actions that were undone can't be redone any more.
  ///
  /// - Throws: Why the action can't be done; then the state is unchanged.
  public func send(_ action: App.Action) throws {
    try observers.checkQueue()
    let time = now()
    let number = try perform(action, at: time, isForeign: false)
    recorder?.note(action, at: time)
    let changes = takeChanges()
    if observers.actionObservers == 0 {
      observers.report(changes, position: number, action: nil)
    } else {
      let recorded = RecordedAction(number: number, time: time, action: action)
      observers.report(changes, position: number, action: recorded)
    }
    settle()
  }

  /// Changes the state as an action says, and remembers the action.
  ///
  /// - Returns: The action's number.
  @discardableResult
  private func perform(_ action: App.Action, at time: Date, isForeign: Bool) throws -> Int {
    // Asked first: handing over the state copies it.
    if history.needsCheckpoint { history.addCheckpoint(state) }
    try App.reduce(&state, action)
    return history.append(action, at: time, isForeign: isForeign)
  }

  private func settle() {
    // Once all observers have heard of it, also of what they did themselves.
    if let recorder, !observers.isReporting { recorder.check() }
  }

  /// What actions that were just done changed; the lists then have no notes of edits any more.
  private func takeChanges() -> Observers.Changes {
    Self.takeChanges(of: observers, in: &state, &favoritesIndex)
  }

  private static func takeChanges(
    of observers: Observers, in state: inout App.State, _ index: inout FavoritePrimes.Index
  ) -> Observers.Changes {
    guard App.hasEdits(in: state) else { return observers.takeChanges(in: &state, ofLists: false) }
    index.follow(state.favorites)
    let changes = observers.takeChanges(in: &state, ofLists: true)
    App.discardEdits(in: &state)
    return changes
  }

  /// Takes everything back to how the app starts, which is an action and can be undone.
  public func reset() throws {
    try send(.reset)
  }

  private static func writeToStandardError(_ error: any Error) {
    let line = failureLine(of: error)
    // Where standard error is closed, there is nobody left to tell.
    _ = line.withCString { write(STDERR_FILENO, $0, line.utf8.count) }
  }

  /// The one line that tells of an observer's error.
  static func failureLine(of error: any Error) -> String {
    let description = "\(error)".split(whereSeparator: \.isNewline).joined(separator: " ")
    return "An observer of the store failed: \(description)\n"
  }
}

// MARK: - Asking

extension Store {
  /// Whether a number is among the favorite primes.
  ///
  /// - Complexity: O(1); once after all favorites were replaced, O(favorites).
  public func isFavorite(_ number: Int) -> Bool {
    if let isFavorite = favoritesIndex.contains(number) { return isFavorite }
    favoritesIndex = FavoritePrimes.Index(state.favorites)
    return state.favorites.contains(number)
  }
}

// MARK: - Observing

extension Store {
  /// Calls a closure after every action that changed what is at a path, and after every undo and redo that did.
  ///
  /// - Parameters:
  ///   - path: A field such as `counter.count` or `todo.items`; a part of one, such as `persons[2].name`; what contains
  ///     fields, such as `todo`; or nothing for all fields.
  ///   - canBeStopped: Whether it isn't to hear of what is on its way when an observer throws `ObserverStopped`.
  ///   - body: What to call, once for an action. It may send actions, observe and cancel. An error
  ///     it throws goes to `onObserverFailure`.
  /// - Returns: The subscription, to cancel it.
  /// - Throws: `StoreError.unknownPath`.
  @discardableResult
  public func observe(
    _ path: String, canBeStopped: Bool = false, _ body: @escaping (StateChange) throws -> Void
  ) throws(StoreError) -> Subscription {
    observers.observe(
      try App.fields(at: path), in: state, path: path, canBeStopped: canBeStopped, body)
  }

  /// Calls a closure after every action that is done, whether or not it changed anything.
  ///
  /// - Parameters:
  ///   - canBeStopped: As for `observe`.
  ///   - body: What to call, as for `observe`. It doesn't hear of undo and redo, which do no actions.
  /// - Returns: The subscription, to cancel it.
  @discardableResult
  public func observeActions(
    canBeStopped: Bool = false, _ body: @escaping (RecordedAction) throws -> Void
  ) -> Subscription {
    observers.observeActions(canBeStopped: canBeStopped, body)
  }
}

// MARK: - History

extension Store {
  /// Whether what is done is written to a journal.
  public var isRemembered: Bool { recorder != nil }

  /// How many actions can be undone at most; the oldest are forgotten.
  ///
  /// In a session that is remembered it is at most `defaultHistoryLimit`, as all processes have to remember as much.
  public var historyLimit: Int {
    get { history.limit }
    set {
      let greatest = isRemembered ? Self.defaultHistoryLimit : .max
      history.limit = min(max(0, newValue), greatest)
    }
  }

  /// The number of the last action that is in effect, 0 before the first.
  public var position: Int { history.position }

  /// The numbers of the actions to which `jump` can go.
  public var reachable: ClosedRange<Int> { history.first...history.last }

  /// Takes back the last actions.
  ///
  /// - Parameter count: How many.
  /// - Throws: `StoreError.nothingToUndo` where there are fewer; then none is taken back.
  /// - Complexity: O(actions from one checkpoint to the next), or O(`count`) where that is more.
  public func undo(_ count: Int = 1) throws {
    let available = max(0, position - history.first)
    guard (0...available).contains(count) else {
      throw StoreError.nothingToUndo(count, available: available)
    }
    try travel(to: position - count)
  }

  /// Does actions again that were taken back.
  ///
  /// - Parameter count: How many.
  /// - Throws: `StoreError.nothingToRedo` where there are fewer; then none is done again.
  public func redo(_ count: Int = 1) throws {
    let available = history.last - position
    guard (0...available).contains(count) else {
      throw StoreError.nothingToRedo(count, available: available)
    }
    try travel(to: position + count)
  }

  /// Goes to the state after an action.
  ///
  /// - Parameter number: The action's number; the one before the first for the state it started from.
  /// - Throws: `StoreError.outOfHistory` where there is no such action, or none any more.
  public func jump(to number: Int) throws {
    guard reachable.contains(number) else {
      throw StoreError.outOfHistory(number, reachable: reachable)
    }
    try travel(to: number)
  }

  /// The actions that are remembered with what they changed, the oldest first, the undone ones last.
  ///
  /// - Parameter count: How many to tell of at most, from the last back; nil for all.
  /// - Returns: The entries.
  /// - Throws: What a reducer throws, which it wouldn't if it were deterministic.
  /// - Complexity: O(actions told of), each of which is done again.
  public func history(last count: Int? = nil) throws -> [HistoryEntry] {
    let start =
      count.map { max(history.first, history.last - max(0, $0)) }
      ?? history.first
    guard start < history.last else { return [] }
    var state = try history.state(at: start)
    let watches = App.fields.map { FieldWatch($0, state: state) }
    return try (start..<history.last).map { number in
      try history.redo(number..<number + 1, in: &state)
      return HistoryEntry(
        recorded: history.recorded(number + 1), isUndone: number >= position,
        changes: watches.compactMap { $0.takeChange(in: &state) })
    }
  }

  /// The fields that differ from an earlier state, with their values now.
  ///
  /// - Parameter earlier: A state that this store had.
  /// - Returns: The paths of the fields with their values.
  /// - Complexity: O(records of the lists that changed).
  public func changes(since earlier: App.State) -> [(path: String, value: StateValue)] {
    App.fields.filter { $0.differs(earlier, state) }.map { ($0.path, $0.value(in: state)) }
  }

  private func travel(to target: Int) throws {
    let start = position
    guard target != start else { return }
    try observers.checkQueue()
    if let foreign = history.lastForeign(after: target) {
      throw StoreError.actedElsewhere(number: foreign)
    }
    let before = state
    var noted: App.State
    if target > start {
      noted = state
      try history.redo(start..<target, in: &noted)
      favoritesIndex.follow(noted.favorites)
      state = noted
      App.discardEdits(in: &state)
    } else {
      noted = try history.state(at: target)
      state = noted
      try history.redo(target..<start, in: &noted)
      favoritesIndex.takeBack(noted.favorites)
    }
    history.move(to: target)
    recorder?.note(.travel(to: target), at: now())
    let changes = observers.takeChanges(
      from: before, to: state, noted: &noted, isBack: target < start)
    observers.report(changes, position: target, action: nil)
    settle()
  }
}

// MARK: - Journals

extension Store {
  /// Makes a store of what a journal remembers.
  ///
  /// - Parameters:
  ///   - contents: What is remembered.
  ///   - now: Tells the time for the history.
  /// - Throws: `JournalError.inapplicable`, which it wouldn't for what was done before.
  /// - Complexity: O(size of the checkpoint + actions).
  convenience init(_ contents: JournalContents, now: (() -> Date)? = nil) throws {
    self.init(now: now)
    // As much is remembered in all processes: any of them may go back to what another one did.
    history.retention = Self.defaultHistoryLimit
    if let snapshot = contents.checkpoint?.history {
      do {
        let history = try History(
          snapshot, limit: historyLimit, retention: Self.defaultHistoryLimit)
        restore(StoreSnapshot(state: try history.state(at: history.position), history: history))
      } catch {
        throw JournalError.inapplicable(entry: contents.checkpoint?.head ?? 0, reason: "\(error)")
      }
    }
    try replay(
      contents.entries, after: contents.checkpoint?.head ?? 0, isForeign: false)
  }

  /// Whether observers have yet to hear of something that was done.
  var hasQueuedReports: Bool { observers.hasQueuedReports }

  /// Forgets all observers, and what is on its way to them.
  func removeObservers() { observers.removeAll() }

  /// The state and the history, to come back to.
  var snapshot: StoreSnapshot { StoreSnapshot(state: state, history: history) }

  /// The history, to be written down; nil before the first action.
  var historySnapshot: HistorySnapshot {
    history.snapshot
      ?? HistorySnapshot(state: state, offset: position, actions: [], position: position)
  }

  /// Makes the state and the history what they were, but for its limit; observers hear of it by `reportDifference`.
  func restore(_ snapshot: StoreSnapshot) {
    let limit = history.limit
    state = snapshot.state
    history = snapshot.history
    history.limit = limit
    favoritesIndex = FavoritePrimes.Index()
  }

  /// Does entries of a journal, each as often as it says.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - head: The number of the entry before the first.
  ///   - isForeign: Whether another process did them.
  /// - Throws: `JournalError.inapplicable` for one that can't be done; what could be done before that is done.
  func replay(_ entries: [JournalEntry], after head: Int, isForeign: Bool) throws {
    for (number, entry) in zip((head + 1)..., entries) {
      do {
        for _ in 0..<entry.count {
          try replay(entry.event, at: entry.time, isForeign: isForeign)
        }
      } catch {
        throw JournalError.inapplicable(entry: number, reason: "\(error)")
      }
    }
  }

  /// Does something that was written down; observers hear of it by `reportDifference`, and the recorder doesn't.
  ///
  /// - Parameters:
  ///   - event: What to do.
  ///   - time: When it was done.
  ///   - isForeign: Whether another process did it.
  /// - Throws: Why it can't be done; then nothing has changed.
  func replay(_ event: JournalEntry.Event, at time: Date, isForeign: Bool) throws {
    switch event {
    case .action(let action):
      try perform(action, at: time, isForeign: isForeign)
      favoritesIndex.follow(state.favorites)
      App.discardEdits(in: &state)
    case .travel(let target):
      // Another process may go farther back than this one.
      guard history.remembered.contains(target) else {
        throw StoreError.outOfHistory(target, reachable: history.remembered)
      }
      state = try history.state(at: target)
      history.move(to: target)
      favoritesIndex = FavoritePrimes.Index()
    }
  }

  /// Reports how the state differs from an earlier one; lists that do are told of as replaced.
  func reportDifference(from earlier: App.State) {
    observers.report(
      observers.takeDifferences(between: earlier, and: state), position: position, action: nil)
  }
}
