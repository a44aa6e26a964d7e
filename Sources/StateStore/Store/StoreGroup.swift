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
    let (outer, earlier) = (groupedActions, states)
    if outer == nil { beginGroup() }
    do {
      let result = try body()
      if outer == nil { try endGroup(from: earlier) }
      return result
    } catch {
      dropGroup(to: earlier, outer)
      throw error
    }
  }

  /// Whether a group or a trial is in progress, whose actions may still be dropped.
  var isTentative: Bool { groupedActions != nil || isInTrial }

  /// - Throws: `StoreError` if a group is in progress.
  func checkGroup() throws(StoreError) {
    guard groupedActions == nil else { throw .groupInProgress }
  }
}

extension StoreAction {
  /// A group of actions, which are done, undone and stored together; a single action is no group.
  static func group(_ actions: [StoreAction]) -> StoreAction {
    actions.count == 1 ? actions[0] : StoreAction(.group(actions))
  }

  /// The actions of a group that change the state of a feature; for any other action, itself if it does.
  func parts(of feature: Int) -> [StoreAction] {
    parts.filter { $0.sources.intersects(FeatureSet(feature)) }
  }

  /// The actions of a group, in order; for any other action, the action itself.
  public var parts: [StoreAction] {
    if case .group(let actions) = kind { actions } else { [self] }
  }
}
