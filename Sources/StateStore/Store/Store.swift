public import Foundation

/// Owns the states of an app's features: sending actions is the only way to change them, and observers hear of it.
///
/// It remembers the actions, and can go back.
///
/// A store belongs to one actor and isn't locked.
///
/// **Order.** An action changes the state at once, also one that an observer sends. Reports queue: every observer hears of the
/// changes in the order they happened, each with what was new and old then, even though the state itself may have gone on.
///
/// **Cost.** Besides its reducer, an action costs O(observed fields of its feature + records that it changed). It doesn't
/// depend on the size of the state, but for the logarithm of the number of records.
public final class Store {
  /// What the store is made of.
  public let schema: Schema

  // Unchecked, as nothing they do runs code of others but reducers, which are pure, and they are used for every action.

  /// The states of all features.
  @exclusivity(unchecked) public private(set) var states: States
  @exclusivity(unchecked) private var history: UndoHistory
  /// The last action that was sent to a feature.
  @exclusivity(unchecked) @usableFromInline var last: (box: any FeatureActionBox, index: Int)?
  private let observers: Observers
  /// In seconds since the reference date.
  private let now: () -> TimeInterval

  /// Notes what is done, before observers hear of it; nil for a store that isn't remembered.
  @exclusivity(unchecked) var recorder: JournalRecorder?

  /// How many actions can be undone unless somebody says otherwise; in a session that is remembered no more than that.
  public static let defaultHistoryLimit = 10_000

  /// Makes a store in the initial states of its features.
  ///
  /// - Parameters:
  ///   - schema: The features.
  ///   - states: The states from which the history begins; nil for the initial ones.
  ///   - historyLimit: How many actions can be undone at most; 0 or more.
  ///   - now: Tells the time for the history; unless given, it is the real time to some milliseconds.
  ///   - onObserverFailure: Hears of the errors that observers throw; unless given, nobody does.
  public init(
    _ schema: Schema, states: States? = nil, historyLimit: Int = Store.defaultHistoryLimit,
    now: (() -> Date)? = nil, onObserverFailure: @escaping (any Error) -> Void = { _ in }
  ) {
    self.schema = schema
    self.states = states ?? schema.initial
    if let now {
      self.now = { now().timeIntervalSinceReferenceDate }
    } else {
      self.now = { Date.coarseSeconds }
    }
    history = UndoHistory(schema, limit: max(0, historyLimit))
    observers = Observers(onFailure: onObserverFailure)
  }

  /// Makes a store of features.
  ///
  /// - Parameters:
  ///   - features: The features, each once.
  ///   - derived: What depends on several of them.
  /// - Throws: ``SchemaError``.
  public convenience init(
    features: [any Feature.Type], derived: [DerivedField] = []
  ) throws(SchemaError) {
    self.init(try Schema(features: features, derived: derived))
  }

  /// Hears of the errors that observers throw, which concern neither the sender nor other observers.
  public var onObserverFailure: (any Error) -> Void {
    get { observers.onFailure }
    set { observers.onFailure = newValue }
  }

  /// The state of a feature.
  ///
  /// - Parameter feature: A feature of the store: another one is a mistake in the program, which ends it.
  /// - Returns: The state.
  @inlinable public func state<F: Feature>(of feature: F.Type) -> F.State {
    states.state(of: feature, at: index(of: feature))
  }

  /// Reads the state of a feature in place, as copying a large one takes some time.
  @inlinable public func read<F: Feature, Result>(
    _ feature: F.Type, _ body: (F.State) throws -> Result
  ) rethrows -> Result {
    try states.read(feature, at: index(of: feature), body)
  }

  @inlinable func index<F: Feature>(of feature: F.Type) -> Int {
    do {
      return try schema.index(of: feature)
    } catch {
      preconditionFailure(error.message)
    }
  }

  /// Changes the state of a feature as an action says, then reports to observers.
  ///
  /// Actions that were undone can't be redone any more.
  ///
  /// - Throws: Why the action can't be done; then the state is unchanged.
  @inlinable public func send<F: Feature>(_ action: F.Action, to feature: F.Type) throws {
    let index = index(of: feature)
    let box = box(action, of: feature, at: index)
    try send(StoreAction(.feature(box, at: index)))
  }

  /// An action's box, which is that of the last one where both are the same: what is done again and again takes no memory.
  @inlinable func box<F: Feature>(
    _ action: F.Action, of feature: F.Type, at index: Int
  ) -> any FeatureActionBox {
    if let last, last.index == index {
      // Safe: it is of the feature with that index.
      let box = unsafeDowncast(last.box, to: FeatureAction<F>.self)
      // Bit by bit, as texts are equal by their letters, of which one can have several forms.
      let isSame = withUnsafeBytes(of: box.action) { own in
        withUnsafeBytes(of: action) { ArraySlice<UInt8>.isSame(own, $0, 0, 0, own.count) }
      }
      if isSame { return box }
    }
    let box = FeatureAction<F>(action)
    last = (box, index)
    return box
  }

  /// Changes the states as an action says, then reports to observers.
  ///
  /// - Throws: Why the action can't be done; then the states are unchanged.
  public func send(_ action: StoreAction) throws {
    try observers.checkQueue()
    let time = now()
    let sources = action.sources
    // Asked first: handing over the states copies them.
    if history.needsCheckpoint { history.addCheckpoint(states) }
    let earlier = try reduceWatched(action)
    let number = history.append(action, at: time)
    recorder?.note(action, at: time)
    let changes = observers.takeChanges(from: earlier, to: states, of: sources)
    observers.report(
      changes, position: number, action: observers.actionObservers == 0 ? nil : action, at: time)
    settle()
  }

  /// Changes the states as an action says, with watched lists noting their changes: to keep the states before would have
  /// every change copy parts of them.
  ///
  /// - Returns: The states before, where something of them is needed to tell what changed.
  private func reduceWatched(_ action: StoreAction) throws -> States? {
    let sources = action.sources
    guard observers.watchesLists(of: sources) else {
      try schema.reduce(&states, action)
      return nil
    }
    guard case .feature = action.kind else {
      // All states become others, so that it costs nothing to keep these.
      let earlier = states
      try schema.reduce(&states, action)
      return earlier
    }
    let earlier = observers.comparesStates(of: sources) ? states : nil
    observers.startLogs(of: sources, in: &states)
    do {
      try schema.reduce(&states, action)
    } catch {
      _ = observers.endLogs(of: sources, in: &states, isChanged: false)
      throw error
    }
    if observers.endLogs(of: sources, in: &states, isChanged: true) || earlier != nil {
      return earlier
    }
    // For the first time, a reducer made a new list and didn't change the one there was.
    do {
      return try history.state(at: history.position)
    } catch {
      observers.onFailure(error)
      return nil
    }
  }

  private func settle() {
    // Once all observers have heard of it, also of what they did themselves.
    if let recorder, !observers.isReporting { recorder.check() }
  }

  /// Takes all features back to their initial states, which is an action and can be undone.
  public func reset() throws {
    try send(.reset)
  }

  /// All fields as one nested record.
  ///
  /// - Complexity: O(size of the states).
  public var snapshot: StateValue { schema.snapshot(of: states) }
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
      try schema.fields(at: path), in: states, path: path, canBeStopped: canBeStopped, body)
  }

  /// Calls a closure after every action that changed a part of a feature's state, and after every undo and redo that did.
  ///
  /// - Parameters:
  ///   - part: The part, which is compared after every action of the feature.
  ///   - feature: The feature.
  ///   - body: What to call with the new and the old value, as for `observe(_:canBeStopped:_:)`.
  /// - Returns: The subscription, to cancel it.
  @discardableResult
  public func observe<F: Feature, Value: Equatable>(
    _ part: KeyPath<F.State, Value>, of feature: F.Type,
    _ body: @escaping (_ new: Value, _ old: Value) throws -> Void
  ) -> Subscription {
    observers.observe(TypedWatch<F, Value>(part, at: index(of: feature), states: states, body))
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
    var states = try history.state(at: start)
    let watches = schema.fields.map { FieldWatch($0, states: states) }
    return try (start..<history.last).map { number in
      let recorded = history.recorded(number + 1)
      let sources = recorded.action.sources
      let earlier = states
      let affected = watches.filter { $0.sources.intersects(sources) }
      // As observers were told: lists note their changes in the order in which they were made.
      let notes = if case .feature = recorded.action.kind { affected } else { [FieldWatch]() }
      for watch in notes { watch.prepare(&states) }
      try history.redo(number..<number + 1, in: &states)
      for watch in notes { _ = watch.finish(&states, isChanged: true) }
      return HistoryEntry(
        recorded: recorded, isUndone: number >= position,
        changes: affected.compactMap { $0.takeFieldChange(from: earlier, to: states) })
    }
  }

  /// The fields that differ from earlier states, with their values now.
  ///
  /// - Parameter earlier: States that this store had.
  /// - Returns: The paths of the fields with their values.
  /// - Complexity: O(records of the lists that changed).
  public func changes(since earlier: States) -> [(path: String, value: StateValue)] {
    schema.fields.filter { $0.differs(states, from: earlier) }.map {
      ($0.path, $0.value(in: states))
    }
  }

  private func travel(to target: Int) throws {
    guard target != position else { return }
    try observers.checkQueue()
    if let remote = history.lastRemote(after: target) {
      throw StoreError.actedElsewhere(number: remote)
    }
    let before = states
    if target > position {
      try history.redo(position..<target, in: &states)
    } else {
      states = try history.state(at: target)
    }
    history.move(to: target)
    recorder?.note(.travel(to: target), at: Date(timeIntervalSinceReferenceDate: now()))
    let changes = observers.takeChanges(from: before, to: states, of: .all)
    observers.report(changes, position: target)
    settle()
  }
}

// MARK: - Journals

extension Store {
  /// Forgets all observers, and what is on its way to them.
  func removeObservers() { observers.removeAll() }

  /// The states and the history, to come back to.
  var point: StoreSnapshot { StoreSnapshot(states: states, history: history) }

  /// The history, to be written down; nil before the first action.
  var historySnapshot: HistorySnapshot {
    history.snapshot
      ?? HistorySnapshot(state: states, offset: position, actions: [], position: position)
  }

  /// Makes the state and the history what they were, but for its limit; observers hear of it by `reportDifference`.
  func restore(_ snapshot: StoreSnapshot) {
    let limit = history.limit
    states = snapshot.states
    history = snapshot.history
    history.limit = limit
  }

  /// At least so many actions are remembered, though fewer can be undone.
  var retention: Int {
    get { history.retention }
    set { history.retention = newValue }
  }

  /// Does something that was written down; observers hear of it by `reportDifference`, and the recorder doesn't.
  ///
  /// - Parameters:
  ///   - event: What to do.
  ///   - time: When it was done.
  ///   - isRemote: Whether another process did it.
  /// - Throws: Why it can't be done; then nothing has changed.
  func replay(_ event: JournalEntry.Event, at time: Date, isRemote: Bool) throws {
    switch event {
    case .action(let action):
      if history.needsCheckpoint { history.addCheckpoint(states) }
      try schema.reduce(&states, action)
      history.append(
        action, at: time.timeIntervalSinceReferenceDate, isRemote: isRemote)
    case .travel(let target):
      // Another process may go farther back than this one.
      guard history.remembered.contains(target) else {
        throw StoreError.outOfHistory(target, reachable: history.remembered)
      }
      guard target != position else { return }
      states = try history.state(at: target)
      history.move(to: target)
    }
  }

  /// Reports how the states differ from earlier ones.
  func reportDifference(from earlier: States) {
    observers.report(
      observers.takeChanges(from: earlier, to: states, of: .all), position: position)
  }
}
