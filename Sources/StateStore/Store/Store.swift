public import PrimereplFoundation

/// Owns the states of an app's features, which change only through actions, and reports changes to observers.
///
/// It keeps an undo history of the actions. A store belongs to one actor and isn't locked.
///
/// **Order.** An action changes the state at once, even if an observer sends it. Reports are queued: every observer
/// gets the changes in the order they happened, each with its new and old values, even if the state is newer.
///
/// **Cost.** Besides its reducer, an action costs O(observed fields of its feature + records that it changed). The
/// cost doesn't depend on the size of the state, except for the logarithm of the number of records.
public final class Store {
  /// The features and fields of the store.
  public internal(set) var schema: StoreSchema

  /// The indexes of the features of Swift types, which are the same in every schema of the store.
  ///
  /// Actions don't ask the schema for them: as it can be replaced, each use of it copies all its parts.
  @usableFromInline let lookup: FeatureLookup

  // Unchecked: these accesses happen for every action, and run no outside code except reducers, which are pure. With the
  // checks here and in what the store owns, counter.increment() takes 5,420 instructions in place of 4,044, and with a
  // subscriber 9,293 in place of 7,397.

  /// The states of all features.
  @exclusivity(unchecked) public private(set) var states: States
  @exclusivity(unchecked) var history: UndoHistory
  /// The last action that was sent to a feature.
  @exclusivity(unchecked) @usableFromInline var last: (box: any FeatureActionBox, index: Int)?
  let observers: Observers
  /// In seconds since the reference date.
  private let now: () -> TimeInterval

  /// Records what is done, before observers are called; nil for a store without a journal.
  @exclusivity(unchecked) var recorder: JournalRecorder?

  /// Gives the code of an action, for people who read the session's journal.
  package var describe: (StoreAction) -> String = { _ in "" }

  /// The source of the identifiers of new records and requests; with a journal, one that no other process uses.
  public var identifiers: any IdentifierSource = SequentialIdentifiers()

  /// The identifiers that weren't used, because their actions were refused.
  var unusedIDs: [IdentifierKind: [Int]] = [:]

  /// The numbers of the requests whose services are still to answer.
  var awaitedRequests: Set<Int> = []

  /// The numbers of all requests that this store has asked, also of those that have ended: redo makes them pending again.
  ///
  /// Most follow each other, so that they take no memory.
  var ownRequests = RangeSet<Int>()

  /// Whether somebody else, such as another process, may answer the pending requests that aren't this store's.
  package var canBeAnsweredElsewhere: () -> Bool = { true }

  var trial: StoreTrial?
  @exclusivity(unchecked) var groupInProgress: StoreGroup?
  var groupCount = 0

  /// The default number of actions that can be undone; with a journal, also the maximum.
  public static let defaultHistoryLimit = 10_000

  /// Makes a store in the initial states of its features.
  ///
  /// - Parameters:
  ///   - schema: The features.
  ///   - states: The states in which the history begins; nil for the initial states.
  ///   - historyLimit: The maximum number of actions that can be undone; 0 or more.
  ///   - now: The clock of the history; by default the real time, to some milliseconds.
  ///   - onObserverFailure: Gets the errors that observers throw; by default, they are ignored.
  public init(
    _ schema: StoreSchema, states: States? = nil, historyLimit: Int = Store.defaultHistoryLimit,
    now: (() -> Date)? = nil, onObserverFailure: @escaping (any Error) -> Void = { _ in }
  ) {
    self.schema = schema
    lookup = schema.lookup
    self.states = states ?? schema.initial
    if let now {
      self.now = { now().timeIntervalSinceReferenceDate }
    } else {
      self.now = { Date.coarseSeconds }
    }
    history = UndoHistory(limit: max(0, historyLimit))
    observers = Observers(onFailure: onObserverFailure)
  }

  /// Makes a store of features.
  ///
  /// - Parameters:
  ///   - features: The features, without duplicates.
  ///   - derived: The fields that depend on several features.
  /// - Throws: ``SchemaError``.
  public convenience init(
    features: [any Feature.Type], derived: [DerivedField] = []
  ) throws(SchemaError) {
    self.init(try StoreSchema(features: features, derived: derived))
  }

  /// Gets the errors that observers throw, which affect neither the sender nor other observers.
  public var onObserverFailure: (any Error) -> Void {
    get { observers.onFailure }
    set { observers.onFailure = newValue }
  }

  /// The state of a feature.
  ///
  /// - Parameter feature: A feature of the store: any other is a programming error and ends the program.
  /// - Returns: The state.
  @inlinable public func state<F: Feature>(of feature: F.Type) -> F.State {
    states.state(of: feature, at: index(of: feature))
  }

  /// Reads the state of a feature in place, as copying a large state takes time.
  @inlinable public func read<F: Feature, Result>(
    _ feature: F.Type, _ body: (F.State) throws -> Result
  ) rethrows -> Result {
    try states.read(feature, at: index(of: feature), body)
  }

  @inlinable func index<F: Feature>(of feature: F.Type) -> Int {
    guard let index = lookup.index(of: feature) else {
      preconditionFailure(SchemaError.unknownFeature(F.name).message)
    }
    return index
  }

  /// Applies an action to the state of a feature, then reports to observers.
  ///
  /// Undone actions can't be redone after this.
  ///
  /// - Throws: Why the action can't be applied; the state is then unchanged.
  @inlinable public func send<F: Feature>(_ action: F.Action, to feature: F.Type) throws {
    let index = index(of: feature)
    let box = box(action, of: feature, at: index)
    try send(StoreAction(.feature(box, at: index)))
  }

  /// The box of an action: the last one if both are the same, so that repeated actions take no memory.
  @inlinable func box<F: Feature>(
    _ action: F.Action, of feature: F.Type, at index: Int
  ) -> any FeatureActionBox {
    if let last, last.index == index {
      // Safe: the box belongs to the feature with that index.
      let box = unsafeDowncast(last.box, to: FeatureAction<F>.self)
      if haveSameBits(box.action, action) { return box }
    }
    let box = FeatureAction<F>(action)
    last = (box, index)
    return box
  }

  /// Applies an action to the states, then reports to observers.
  ///
  /// - Throws: Why the action can't be applied; the states are then unchanged.
  public func send(_ action: StoreAction) throws { try send(action, choosing: nil) }

  /// Applies an action, for whose new records identifiers are chosen, which it then has.
  ///
  /// - Returns: The result of the action; nil if it has none.
  /// - Throws: Why the action can't be applied; the states are then unchanged.
  func sendChoosingIdentifiers(_ action: StoreAction) throws -> DeclaredResult? {
    let earlier = unusedIDs
    let new = NewIdentifiers(from: identifiers, unused: earlier)
    do {
      try send(action, choosing: new)
    } catch {
      // Also those that were unused before.
      unusedIDs = new.taken.reduce(into: earlier) { $0[$1.kind, default: []].append($1.id) }
      throw error
    }
    return new.result
  }

  private func send(_ action: StoreAction, choosing new: NewIdentifiers?) throws {
    guard groupInProgress == nil else { return try addToGroup(action, new) }
    guard history.position == history.last || failuresOfLostRequests.isEmpty else {
      return try group { try addToGroup(action, new) }
    }
    try perform(action, new)
  }

  private func perform(_ action: StoreAction, _ new: NewIdentifiers? = nil) throws {
    try observers.checkQueue()
    let time = now()
    // Keeping the states costs nothing if all of them are replaced. Otherwise it would make the change copy parts of them.
    let earlier: States? = if case .feature = action.kind { nil } else { states }
    let delta = try reduce(action, new)
    record(new.map(action.recording) ?? action, delta, at: time, from: earlier)
  }

  /// Adds an action to the history, after which the states are the current ones, and reports it.
  ///
  /// The earlier states are nil for an action of one feature, whose change says what it did to lists.
  private func record(
    _ action: StoreAction, _ delta: StateDelta, at time: TimeInterval, from earlier: States?
  ) {
    let sources = action.sources
    let number = history.append(action, delta, at: time)
    recorder?.record(action, at: time)
    if !observers.isEmpty {
      if observers.eventObservers > 0 { observers.notify(.action(action)) }
      let changes = observers.takeChanges(by: delta, from: earlier, to: states, of: sources)
      observers.report(
        changes, position: number, action: observers.actionObservers == 0 ? nil : action, at: time)
    }
    settle()
  }

  /// Applies an action to the states, which are unchanged if it throws.
  private func reduce(_ action: StoreAction, _ new: NewIdentifiers? = nil) throws -> StateDelta {
    // Without the schema, which would be copied for each action.
    guard case .feature(let box, let index) = action.kind else {
      return try schema.reduce(&states, action)
    }
    let delta = try states.apply(box, at: index, choosing: new)
    if let new { unusedIDs = new.unused }
    return delta
  }

  /// Adds an action to the group in progress.
  ///
  /// The first one that takes the place of undone actions also ends the requests that nobody answers any more: the
  /// answers among those are dropped with them.
  private func addToGroup(_ action: StoreAction, _ new: NewIdentifiers?) throws {
    if groupInProgress?.actions.isEmpty == true, history.position < history.last {
      for failure in failuresOfLostRequests { groupInProgress?.add(failure, try reduce(failure)) }
    }
    let delta = try reduce(action, new)
    groupInProgress?.add(new.map(action.recording) ?? action, delta)
  }

  /// Makes the actions of the group in progress one, and ends it.
  func commit(_ group: StoreGroup) throws {
    try observers.checkQueue()
    groupInProgress = nil
    guard !group.actions.isEmpty else { return }
    record(.group(group.actions), .group(group.deltas), at: now(), from: group.start)
  }

  /// Takes the actions of the group in progress back, except some number of the first ones.
  func dropActions(after count: Int) throws {
    // A copy: a second reference would make dropping them copy all others.
    let dropped = Array(groupInProgress?.deltas.dropFirst(count) ?? [])
    guard !dropped.isEmpty else { return }
    try states.apply(.group(dropped), isUndone: true)
    groupInProgress?.keepFirst(count)
  }

  private func settle() {
    // Only after all reports are delivered, including those of actions that observers sent.
    if let recorder, !observers.isReporting { recorder.check() }
  }

  /// Resets all features to their initial states, with an action that can be undone.
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
  /// Calls a closure after every action, undo or redo that changed the value at a path.
  ///
  /// - Parameters:
  ///   - path: A field such as `counter.count` or `todo.items`; a part of one, such as `persons[2].name`; a parent of
  ///     fields, such as `todo`; or an empty path for all fields.
  ///   - canBeStopped: Whether queued reports for it are dropped when an observer throws `ObserverStopped`.
  ///   - owner: An object with which the observation ends, if it isn't cancelled before.
  ///   - body: The closure, called once per action. It may send actions, observe and cancel. Errors it throws go to
  ///     `onObserverFailure`.
  /// - Returns: The subscription, to cancel it.
  /// - Throws: `StoreError.unknownPath`.
  @discardableResult
  public func observe(
    _ path: String, canBeStopped: Bool = false, while owner: AnyObject? = nil,
    _ body: @escaping (StateChange) throws -> Void
  ) throws(StoreError) -> StoreSubscription {
    let subscription = observers.observe(
      try schema.fields(at: path), of: schema, in: states, path: path,
      canBeStopped: canBeStopped, body)
    subscription.end(with: owner)
    return subscription
  }

  /// Calls a closure after every action, undo or redo that changed a part of a feature's state.
  ///
  /// - Parameters:
  ///   - part: The part, which is compared after every action of the feature.
  ///   - feature: The feature.
  ///   - owner: An object with which the observation ends, if it isn't cancelled before.
  ///   - body: The closure, called with the new and the old value, as for `observe(_:canBeStopped:while:_:)`.
  /// - Returns: The subscription, to cancel it.
  @discardableResult
  public func observe<F: Feature, Value: Equatable>(
    _ part: KeyPath<F.State, Value>, of feature: F.Type, while owner: AnyObject? = nil,
    _ body: @escaping (_ new: Value, _ old: Value) throws -> Void
  ) -> StoreSubscription {
    let subscription = observers.observe(
      TypedWatch<F, Value>(part, at: index(of: feature), states: states, body))
    subscription.end(with: owner)
    return subscription
  }

  /// Calls a closure after every action, whether or not it changed anything.
  ///
  /// - Parameters:
  ///   - canBeStopped: As for `observe`.
  ///   - body: The closure, as for `observe`. It isn't called for undo and redo, which aren't actions.
  /// - Returns: The subscription, to cancel it.
  @discardableResult
  public func observeActions(
    canBeStopped: Bool = false, _ body: @escaping (RecordedAction) throws -> Void
  ) -> StoreSubscription {
    observers.observeActions(canBeStopped: canBeStopped, body)
  }

  /// Calls a closure at once after each action, undo, redo and jump: when the store has the new state, and before any
  /// other observer is called, even if an observer sent the action.
  ///
  /// - Parameter body: The closure, which must not change the store.
  /// - Returns: The subscription, to cancel it.
  @discardableResult
  package func observeEvents(_ body: @escaping (StoreEvent) -> Void) -> StoreSubscription {
    observers.observeEvents(body)
  }
}

// MARK: - History

extension Store {
  /// Whether the store writes its events to a journal.
  public var isRemembered: Bool { recorder != nil }

  /// The maximum number of actions that can be undone; the oldest are forgotten.
  ///
  /// With a journal it is at most `defaultHistoryLimit`, as all processes must remember the same actions.
  public var historyLimit: Int {
    get { history.limit }
    set {
      let maximum = isRemembered ? Self.defaultHistoryLimit : .max
      history.limit = min(max(0, newValue), maximum)
    }
  }

  /// The number of the last action in effect; 0 before the first.
  public var position: Int { history.position }

  /// The numbers of the actions to which `jump` can go.
  public var reachable: ClosedRange<Int> { history.first...history.last }

  /// The number of the action that migrated the state, if the history begins with it; else nil.
  package var migration: Int? {
    history.barrier > 0 && history.barrier == history.first ? history.barrier : nil
  }

  /// Whether the history no longer has the first actions, as it keeps no more than `historyLimit`.
  public var hasLostActions: Bool { history.first > 0 }

  /// Undoes the last actions.
  ///
  /// - Throws: `StoreError.nothingToUndo` if there are fewer; none is then undone.
  /// - Complexity: O(actions + records that they changed · log records).
  public func undo(_ count: Int = 1) throws {
    let available = max(0, position - history.first)
    guard (0...available).contains(count) else {
      throw StoreError.nothingToUndo(
        count, available: available, limit: hasLostActions && count > 0 ? historyLimit : nil,
        migration: migration)
    }
    try travel(to: position - count)
  }

  /// Redoes undone actions.
  ///
  /// - Throws: `StoreError.nothingToRedo` if there are fewer; none is then redone.
  public func redo(_ count: Int = 1) throws {
    let available = history.last - position
    guard (0...available).contains(count) else {
      throw StoreError.nothingToRedo(count, available: available)
    }
    try travel(to: position + count)
  }

  /// Goes to the state after an action.
  ///
  /// - Parameter number: The action's number; one less than the first for the state in which the history begins.
  /// - Throws: `StoreError.outOfHistory` if the history doesn't contain the action, or no longer does.
  public func jump(to number: Int) throws {
    guard reachable.contains(number) else {
      throw StoreError.outOfHistory(number, reachable: reachable)
    }
    try travel(to: number)
  }

  /// The remembered actions with their changes: the oldest first, the undone ones last.
  ///
  /// - Parameter count: The maximum number of entries, counted back from the last; nil for all.
  /// - Returns: The entries.
  /// - Throws: Why a change that was read from a journal can't be applied.
  /// - Complexity: O(entries + records that they changed · log records).
  public func history(last count: Int? = nil) throws -> [HistoryEntry] {
    let start =
      count.map { max(history.firstShown, history.last - max(0, $0)) }
      ?? history.firstShown
    guard start < history.last else { return [] }
    var states = states
    try history.move(&states, to: start)
    let watches = schema.fields.filter { !$0.isListView }
      .map { FieldWatch($0, of: schema, states: states) }
    return try (start..<history.last).map { number in
      let recorded = history.recorded(number + 1)
      let (sources, delta) = (recorded.action.sources, history.delta(of: number + 1))
      let earlier = states
      try states.apply(delta, isUndone: false)
      return HistoryEntry(
        recorded: recorded, isUndone: number >= position,
        changes: watches.filter { $0.sources.intersects(sources) }.compactMap {
          $0.takeFieldChange(by: delta, from: earlier, to: states)
        })
    }
  }

  /// The fields that differ from earlier states, with their current values.
  ///
  /// - Complexity: O(records of the lists that changed).
  public func changes(since earlier: States) -> [(path: String, value: StateValue)] {
    let features = states.features(differingFrom: earlier)
    return schema.fields
      .filter {
        !$0.isListView && $0.sources.intersects(features) && $0.differs(states, from: earlier)
      }
      .map { ($0.path, $0.value(in: states)) }
  }

  /// Those of some known actions that other processes did while this one had the session open.
  package func remoteActions(in numbers: ClosedRange<Int>) -> [RecordedAction] {
    history.remoteActions(in: numbers)
  }

  private func travel(to target: Int) throws {
    try checkGroup()
    guard target != position else { return }
    try observers.checkQueue()
    // Keeping the states would make the move copy parts of them.
    let before = observers.haveWatches ? states : nil
    try history.move(&states, to: target)
    history.move(to: target)
    recorder?.record(.travel(to: target), at: Date(timeIntervalSinceReferenceDate: now()))
    observers.notify(.travel(to: target))
    let changes = observers.takeChanges(by: nil, from: before, to: states, of: .all)
    observers.report(changes, position: target)
    settle()
    try endLostRequests()
  }
}

// MARK: - Lost requests

extension Store {
  /// Ends the pending requests that nobody answers any more, unless actions are undone, which could be redone.
  package func endLostRequests() throws {
    guard position == history.last else { return }
    for failure in failuresOfLostRequests { try perform(failure) }
  }

  fileprivate var failuresOfLostRequests: [StoreAction] {
    schema.recoveries(of: states, because: RequestFailure.answerMissed) { number in
      if ownRequests.contains(number) { return !awaitedRequests.contains(number) }
      return !canBeAnsweredElsewhere()
    }
  }
}

// MARK: - Journals

extension Store {
  /// Records that the states of some features, if any, were converted from those of earlier versions, before which
  /// nothing is undone.
  func recordMigration(of features: [String]) {
    guard !features.isEmpty else { return }
    history.append(StoreAction(.migration(features)), .none, at: now())
    history.setBarrier()
  }

  /// Marks that a journal gets, or may not have, the actions after one.
  func markSaved(upTo number: Int? = nil) {
    history.common = min(history.last, number ?? history.last)
  }

  /// Restores the states and the history, but keeps the limit; to be followed by `reportDifference`.
  func restore(_ contents: StoreContents) {
    let earlier = history
    states = contents.states
    history = contents.history
    history.replace(earlier)
    (history.limit, history.author) = (earlier.limit, earlier.author)
  }

  /// Appends an action that another process has done; to be followed by `reportDifference`.
  ///
  /// - Throws: Why its changes can't be made; nothing has then changed.
  func append(_ step: SavedStep) throws {
    try step.apply(to: &states, part: nil, isUndone: false)
    history.append(step)
  }

  /// Continues at an action of the history, which is then limited; to be followed by `reportDifference`.
  func move(to number: Int) throws {
    guard history.remembered.contains(number) else {
      throw StoreError.outOfHistory(number, reachable: history.remembered)
    }
    try history.move(&states, to: number)
    history.move(to: number)
  }

  /// Does an own event again, without recording it; to be followed by `reportDifference`.
  ///
  /// - Throws: Why the event can't be applied; nothing has then changed.
  func replay(_ event: StoreEvent, at time: Date) throws {
    switch event {
    case .action(let action):
      history.append(action, try reduce(action), at: time.timeIntervalSinceReferenceDate)
    case .travel(let target): try move(to: target)
    }
  }

  func reportDifference(from earlier: States) {
    observers.report(
      observers.takeChanges(by: nil, from: earlier, to: states, of: .all), position: position)
  }
}
