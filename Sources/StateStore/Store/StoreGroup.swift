/// The actions so far of a group.
struct StoreGroup {
  /// The number of the group among those of its store.
  let number: Int
  /// The states in which it began.
  let start: States
  private(set) var actions: [StoreAction] = []
  /// What the actions changed.
  private(set) var deltas: [StateDelta] = []

  init(number: Int, start: States) { (self.number, self.start) = (number, start) }

  mutating func add(_ action: StoreAction, _ delta: StateDelta) {
    actions += action.parts
    deltas += delta.parts
  }

  /// Drops all actions but some of the first ones.
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
  ///
  /// - Parameter isKept: Whether its actions are kept.
  /// - Throws: As for `endGroup`.
  package func abandonGroup(isKept: Bool) throws {
    guard let group = groupInProgress else { return }
    let start = GroupStart(group: group.number, outerCount: nil)
    if isKept { try endGroup(start) } else { try dropGroup(start) }
  }

  /// Whether a group or a trial is in progress, whose actions may still be dropped.
  var isTentative: Bool { groupInProgress != nil || isInTrial }

  /// - Throws: `StoreError` if a group is in progress.
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
