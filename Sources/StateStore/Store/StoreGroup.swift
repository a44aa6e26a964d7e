/// The actions so far of a group.
struct StoreGroup {
  /// The states in which it began.
  let start: States
  private(set) var actions: [StoreAction] = []
  /// What the actions changed.
  private(set) var deltas: [StateDelta] = []

  init(start: States) { self.start = start }

  mutating func add(_ action: StoreAction, _ delta: StateDelta) {
    actions += action.parts
    deltas += delta.parts
  }

  /// Drops all actions but some of the first ones.
  mutating func keepFirst(_ count: Int) {
    actions.removeSubrange(count...)
    deltas.removeSubrange(count...)
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
    let outerCount = groupInProgress?.actions.count
    groupInProgress = groupInProgress ?? StoreGroup(start: states)
    do {
      let result = try body()
      if outerCount == nil, let group = groupInProgress { try endGroup(group) }
      return result
    } catch {
      try dropGroup(after: outerCount ?? 0)
      if outerCount == nil { groupInProgress = nil }
      throw error
    }
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
