/// The actions of a group so far.
struct StoreGroup {
  /// The number of the group among those of its store.
  let number: Int
  let start: States
  private(set) var actions: [StoreAction] = []
  private(set) var deltas: [StateDelta] = []

  init(number: Int, start: States) { (self.number, self.start) = (number, start) }

  mutating func add(_ action: StoreAction, _ delta: StateDelta) {
    actions += action.parts
    deltas += delta.parts
  }

  mutating func keepFirst(_ count: Int) {
    actions.removeSubrange(min(count, actions.count)...)
    deltas.removeSubrange(min(count, deltas.count)...)
  }
}

extension Store {
  /// Combines the actions that a closure sends into one: one entry of the history, which is undone and redone as a whole,
  /// and one report to observers.
  ///
  /// ```swift
  /// try store.group {
  ///   try store.send(.remove(id: 1), to: Cart.self)
  ///   try store.send(.add(id: 1), to: Favorites.self)
  /// }
  /// ```
  ///
  /// A group within a group is part of the outer one. Within a group, the history doesn't change: it can't be undone,
  /// redone or saved.
  ///
  /// - Parameter body: Sends the actions. It sees their effects on the states.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws; the states are then unchanged.
  public func group<Result>(_ body: () throws -> Result) throws -> Result {
    let group = beginGroup()
    let result: Result
    do {
      result = try body()
    } catch {
      try dropGroup(group)
      throw error
    }
    try endGroup(group)
    return result
  }

  /// A group, or a group within a group, that has begun.
  package struct GroupStart {
    /// The number of the outermost group.
    fileprivate let group: Int
    /// The number of actions of the outer group before it; nil for the outermost group.
    fileprivate let outerCount: Int?
  }

  /// Begins a group that doesn't end with a closure; see ``group(_:)``.
  ///
  /// Groups within groups end in the opposite order. One that ends after the outermost group has no effect.
  ///
  /// - Returns: Its start, for `endGroup` or `dropGroup`.
  package func beginGroup() -> GroupStart {
    if let outer = groupInProgress {
      return GroupStart(group: outer.number, outerCount: outer.actions.count)
    }
    groupCount += 1
    groupInProgress = StoreGroup(number: groupCount, start: states)
    return GroupStart(group: groupCount, outerCount: nil)
  }

  /// Ends a group: its actions become one, or part of the outer group.
  ///
  /// - Throws: `StoreError` if observers have too many reports to process; the actions are then taken back.
  package func endGroup(_ start: GroupStart) throws {
    guard let group = groupInProgress, group.number == start.group, start.outerCount == nil else {
      return
    }
    do {
      try commit(group)
    } catch {
      try dropGroup(start)
      throw error
    }
  }

  /// Ends a group and takes its actions back.
  package func dropGroup(_ start: GroupStart) throws {
    guard groupInProgress?.number == start.group else { return }
    defer { if start.outerCount == nil { groupInProgress = nil } }
    try dropActions(after: start.outerCount ?? 0)
  }

  /// Ends the group in progress, if any, when the code that would end it never goes on.
  package func abandonGroup(isKept: Bool) throws {
    guard let group = groupInProgress else { return }
    let start = GroupStart(group: group.number, outerCount: nil)
    if isKept { try endGroup(start) } else { try dropGroup(start) }
  }

  /// Whether a group or a trial is in progress, whose actions may still be dropped.
  var isTentative: Bool { groupInProgress != nil || isInTrial }

  func checkGroup() throws(StoreError) {
    guard groupInProgress == nil else { throw .groupInProgress }
  }
}

extension StoreAction {
  /// A group of actions, which are done, undone and stored together; a single action is no group.
  static func group(_ actions: [StoreAction]) -> StoreAction {
    actions.count == 1 ? actions[0] : StoreAction(.group(actions))
  }

  /// The actions of a group, in order; for any other action, the action itself.
  public var parts: [StoreAction] {
    if case .group(let actions) = kind { actions } else { [self] }
  }
}

// MARK: - Trials

/// A trial of a store, whose actions can be dropped together.
///
/// The actions of a trial aren't in the journal before it is kept, and a session neither saves nor reloads meanwhile.
struct StoreTrial {
  /// The store when the trial began.
  let contents: StoreContents
  let historyLimit: Int
  /// The recorder of the store outside the trial; nil for a store without a journal.
  let recorder: JournalRecorder?
}

extension Store {
  package var isInTrial: Bool { trial != nil }

  /// Begins a trial: all actions, undos and jumps until its end are kept or dropped together.
  ///
  /// - Throws: `StoreError` if a trial or a group is in progress.
  package func beginTrial() throws(StoreError) {
    guard trial == nil else { throw .trialInProgress }
    try checkGroup()
    trial = StoreTrial(contents: contents, historyLimit: historyLimit, recorder: recorder)
    if recorder != nil { recorder = JournalRecorder() }
  }

  /// Ends a trial, and keeps its actions; without a trial it does nothing.
  package func keepTrial() {
    guard let trial else { return }
    let entries = recorder?.entries ?? []
    self.trial = nil
    guard let recorder = trial.recorder else { return }
    self.recorder = recorder
    for entry in entries {
      for _ in 0..<entry.count { recorder.record(entry.event, at: entry.time) }
    }
    recorder.check()
  }

  /// Ends a trial, and drops its actions; without a trial it does nothing.
  ///
  /// The states and the history are restored, undone actions included, and observers get the changes. A request from
  /// before the trial that was answered in it is ended, because its answer is lost.
  ///
  /// - Throws: `StoreError` if a group is in progress, or if observers have too many reports to process.
  package func dropTrial() throws {
    try checkGroup()
    guard let trial else { return }
    let tried = states
    self.trial = nil
    recorder = trial.recorder
    historyLimit = trial.historyLimit
    restore(trial.contents)
    reportDifference(from: tried)
    let reason = RequestFailure.answerDropped
    let pending = schema.recoveries(of: tried, because: reason)
    for action in schema.recoveries(of: trial.contents.states, because: reason)
    where !pending.contains(action) {
      try send(action)
    }
  }
}

// MARK: - Taking back one's own actions while those that others did since stay

extension Store {
  /// The number of the last action in effect that this process has done, or its user on this machine, and that isn't taken
  /// back; nil if there is none.
  package var lastOwnAction: Int? { history.lastOwn }

  /// Takes back successive actions: by an undo if they are the last, else by an action that makes the opposite changes.
  ///
  /// - Parameter numbers: The numbers of actions in effect.
  /// - Throws: ``PlainError`` if something that they changed has been changed since, or can't be changed apart from what
  ///   came later; `StoreError`. Then nothing is changed.
  /// - Complexity: O(changes · log records), and O(elements) for lists that were replaced.
  package func takeBack(_ numbers: ClosedRange<Int>) throws {
    try checkGroup()
    let known = reachable.lowerBound + 1..<position + 1
    guard known.contains(numbers.lowerBound), known.contains(numbers.upperBound) else {
      throw StoreError.outOfHistory(numbers.lowerBound, reachable: reachable)
    }
    guard numbers.upperBound < position else { return try jump(to: numbers.lowerBound - 1) }
    let changes = try numbers.flatMap { try schema.separableChanges(by: history.delta(of: $0)) }
    try send(StoreAction(.takeBack(numbers, changes.reversed().map(\.inverse))))
  }
}

extension UndoHistory {
  fileprivate var lastOwn: Int? {
    var takenBack: [ClosedRange<Int>] = []
    for number in (first + 1..<position + 1).reversed() where isOwn(number) {
      if let numbers = recorded(number).action.takenBack {
        takenBack.append(numbers)
      } else if !takenBack.contains(where: { $0.contains(number) }) {
        return number
      }
    }
    return nil
  }
}
