/// What an action changed in the states, by which it is undone and redone without running a feature's code.
enum StateDelta: Sendable {
  case none
  /// The action changed the feature with an index.
  case feature(FeatureDelta, at: Int)
  /// The parts of a group changed something, in this order.
  case group([StateDelta])
  /// All states were replaced.
  indirect case states(old: States, new: States)
  /// The change was read from a journal: that of an action, or of a part of a group.
  case saved(SavedStep, part: Int?)

  /// The changes of a group's actions, in their order; of any other action, the change itself.
  var parts: [StateDelta] {
    switch self {
    case .group(let parts): parts
    case .saved(let step, nil) where step.partCount > 1:
      (0..<step.partCount).map { .saved(step, part: $0) }
    default: [self]
    }
  }
}

/// What an action changed in the state of one feature, by which it is undone and redone without running the feature's code.
struct FeatureDelta: Sendable {
  /// A change of a list: its index in the feature's logs, and the `ListDelta`.
  typealias List = (log: Int, delta: any AnyObject & Sendable)

  /// The states without the records of their lists.
  let before: AnyFeatureState
  let after: AnyFeatureState
  let lists: [List]
}

extension AnyFeatureState {
  /// Changes the state by an action; the box must have only one owner.
  ///
  /// - Parameters:
  ///   - action: An action of the feature.
  ///   - new: Chooses identifiers for the action; nil for one that has them.
  /// - Returns: What it changed; nil for nothing.
  /// - Throws: Why the action can't be applied; the state is then as before.
  final func change(by action: any FeatureActionBox, _ new: NewIdentifiers?) throws -> FeatureDelta?
  {
    let before = version ?? feature.version(of: self, after: nil)
    feature.startLogs(of: self)
    do {
      try action.reduce(self, new)
    } catch {
      endLogs { log, _, session in log.revert(self, session) }
      feature.restore(before, in: self)
      version = before
      throw error
    }
    var lists: [FeatureDelta.List] = []
    endLogs { log, index, session in
      if let delta = log.end(self, session) { lists.append((index, delta)) }
    }
    let after = feature.version(of: self, after: before)
    version = after
    if after === before, lists.isEmpty { return nil }
    return FeatureDelta(before: before, after: after, lists: lists)
  }

  /// Takes a change back, or makes it again; the box must have only one owner.
  final func apply(_ delta: FeatureDelta, isUndone: Bool) {
    let logs = feature.logs
    for (index, list) in delta.lists { logs[index].apply(self, list, isUndone) }
    let version = isUndone ? delta.before : delta.after
    feature.restore(version, in: self)
    self.version = version
  }
}

extension States {
  /// Takes a change back from the states that it led to, or makes it again in those before it.
  ///
  /// - Throws: Why a change that was read from a journal can't be applied; the states are then unchanged.
  /// - Complexity: O(records that changed · log records).
  mutating func apply(_ delta: StateDelta, isUndone: Bool) throws {
    switch delta {
    case .none: break
    case .feature(let delta, let index):
      makeUnique(index)
      slots[index].apply(delta, isUndone: isUndone)
    case .group(let parts):
      for part in isUndone ? parts.reversed() : parts { try apply(part, isUndone: isUndone) }
    case .states(let old, let new): self = isUndone ? old : new
    case .saved(let step, let part): try step.apply(to: &self, part: part, isUndone: isUndone)
    }
  }
}
