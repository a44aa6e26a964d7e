/// The states and the history of a store as other declarations of its features read them.
package struct ReloadedApp {
  let coding: SessionCoding
  let loaded: StoreSchema.LoadedStates
  let contents: StoreContents

  package var schema: StoreSchema { coding.schema }

  /// The names of the features whose states `migrate` has converted.
  package var migrations: [String] { loaded.migrations }

  /// The paths of what the state has and the declarations don't any more, if that is new.
  package var gone: [String] { loaded.gone }
}

extension Store {
  /// Reads the states by other declarations as if they were saved, with the same Swift features; the store stays as it is.
  ///
  /// The history stays, too: what actions changed, whatever they would change now.
  ///
  /// - Throws: ``PlainError`` if a value has another type now, or the error of `migrate`; `StoreError` during a trial or
  ///   group.
  /// - Complexity: O(size of the state of declared features + actions).
  package func reloaded(with schema: StoreSchema) throws -> ReloadedApp {
    try checkGroup()
    guard !isInTrial else { throw StoreError.trialInProgress }
    let (old, new) = (SessionCoding(self.schema), SessionCoding(schema))
    let loaded = try schema.loadedStates(from: states, of: self.schema)
    let history = try self.history.converted(to: new) { number in
      try old.entry(
        number, of: self.history, describing: describe, adding: states.unused.unknownParts)
    }
    return ReloadedApp(
      coding: new, loaded: loaded,
      contents: StoreContents(states: loaded.states, history: history))
  }

  /// Continues with other declarations, and reports what differs to observers.
  ///
  /// Observers of a path that the state doesn't have any more get nothing.
  package func adopt(_ app: ReloadedApp) {
    precondition(app.schema.lookup.types == lookup.types, "Swift features can't be replaced.")
    let earlier = (schema: schema, states: states)
    schema = app.schema
    last = nil
    restore(app.contents)
    recordMigration(of: app.migrations)
    observers.report(
      observers.replaceFields(of: earlier.schema, in: earlier.states, by: schema, in: states),
      position: position)
  }
}

extension StoreSchema {
  /// The states of another schema: of features of Swift types as they are, and of declared ones as if they were saved.
  fileprivate func loadedStates(
    from states: States, of old: StoreSchema
  ) throws -> LoadedStates {
    var saved = states.unused
    for feature in old.features where feature.index >= lookup.types.count {
      let own = try old.savedState(of: feature, in: states)
      saved.values.merge(own.values) { $1 }
      saved.lists.merge(own.lists) { $1 }
      for path in Array(own.values.keys) + own.lists.keys { saved.unknownParts.remove(path) }
    }
    var loaded = LoadedStates(states: initial)
    for feature in features {
      if feature.index < lookup.types.count {
        loaded.states.slots[feature.index] = states.slots[feature.index]
        loaded.states.shapes[feature.name] = states.shapes[feature.name]
      } else {
        feature.renew(&loaded.states)
        try read(feature, from: &saved, into: &loaded)
      }
    }
    loaded.states.unused = saved
    return loaded
  }
}

// MARK: - Replaying

/// A store's history, repeated by today's reducers.
package struct ReplayedHistory {
  package struct Refusal {
    package let number: Int
    package let action: StoreAction
    package let reason: any Error
  }

  /// The number of the actions in effect.
  package let count: Int
  package let refusals: [Refusal]
  /// The states after the actions that aren't refused.
  package let states: States
}

extension Store {
  /// Does the actions in effect again, as far as the history goes back; the store stays as it is.
  ///
  /// - Throws: Why the changes of an action can't be taken back; an error that stops it.
  /// - Complexity: That of the actions.
  package func replayed(
    stoppedBy isStop: (any Error) -> Bool = { _ in false }
  ) throws -> ReplayedHistory {
    let start = min(history.remembered.lowerBound, position)
    var states = states
    try history.move(&states, to: start)
    var refusals: [ReplayedHistory.Refusal] = []
    for number in start..<position {
      let action = history.recorded(number + 1).action
      do {
        try schema.reduce(&states, action)
      } catch {
        guard !isStop(error) else { throw error }
        refusals.append(.init(number: number + 1, action: action, reason: error))
      }
    }
    return ReplayedHistory(count: position - start, refusals: refusals, states: states)
  }
}
