/// A store's history, repeated by the reducers of another schema: that of the same app with changed declarations.
package struct ReloadedHistory {
  /// An action that can't be repeated.
  package struct Refusal {
    /// The number of the action.
    package let number: Int
    package let action: StoreAction
    package let reason: any Error
  }

  /// The actions that can't be repeated; the history is without them.
  package let refusals: [Refusal]
  let point: StoreSnapshot
  /// The features.
  package let schema: StoreSchema

  /// The states now.
  package var states: States { point.states }

  /// The history in a form that can be stored.
  var snapshot: HistorySnapshot { point.historySnapshot }
}

extension Store {
  /// Repeats the history by the reducers of another schema; the store stays as it is.
  ///
  /// - Parameter schema: The same features of Swift types, and declared ones.
  /// - Returns: The repeated history.
  /// - Throws: ``PlainError`` of the stored form if the state in which the history begins can't be converted; `StoreError`
  ///   during a trial or group.
  /// - Complexity: O(size of the state in which the history begins + actions).
  package func reloaded(with schema: StoreSchema) throws -> ReloadedHistory {
    try checkGroup()
    guard !isInTrial else { throw StoreError.trialInProgress }
    return try point.repeated(with: schema)
  }

  /// Continues with a repeated history, and reports what differs to observers.
  ///
  /// Observers of a path that the state doesn't have any more get nothing.
  package func use(_ reloaded: ReloadedHistory) {
    let earlier = (schema: schema, states: states)
    adopt(reloaded.schema, reloaded.point)
    reportReplacement(of: earlier.states, earlier.schema)
  }
}

// MARK: - Converting

extension States {
  /// The states for another schema: of features with the same types as they are, and of declared ones with what their
  /// declaration has in common with these.
  ///
  /// - Throws: Why the state of a declared feature can't be converted.
  func converted(to schema: StoreSchema) throws -> States {
    var converted = schema.initial
    var unknown = unknown
    for (index, feature) in schema.features.enumerated() {
      if let slot = slots.first(where: { $0.name == feature.name }) {
        converted.slots[index] = try feature.backend.converted(slot)
      } else if let state = unknown.removeValue(forKey: feature.name) {
        if let json = state.json {
          converted.slots[index] = try json.decoded(with: schema, feature.backend.decodeState)
        }
        for action in state.actions {
          _ = try converted.apply(
            action.decoded(with: schema, feature.backend.decodeAction), at: index)
        }
      }
    }
    for slot in slots where schema.feature(named: slot.name) == nil {
      unknown[slot.name] = UnknownState(json: try JSONValue(encoding: EncodedSlot(slot: slot)))
    }
    converted.unknown = unknown
    return converted
  }
}

/// The state of a feature as it is stored.
struct EncodedSlot: Encodable {
  let slot: AnyFeatureState

  func encode(to encoder: any Encoder) throws { try slot.feature.encode(slot, to: encoder) }
}

extension DeclaredFeature {
  func converted(_ state: AnyFeatureState) throws -> AnyFeatureState {
    guard let old = state as? DeclaredFeatureState else { return state }
    let requests = old.requests.filter { name, _ in
      requestTypes.contains { $0.call.name == name }
    }
    if version > old.declaration.version,
      let json = try rules.migrated(
        JSONValue(encoding: EncodedSlot(slot: old)), from: old.declaration.version)
    {
      return DeclaredFeatureState(try self.state(from: json), of: self, requests: requests)
    }
    var new = initialState
    for field in fields {
      guard let known = old.declaration.fields.first(where: { $0.name == field.name }) else {
        continue
      }
      do {
        try field.take(old.state, of: known, into: &new)
      } catch let error as ValueTypeError {
        throw StoredFormError.otherType(error.message, of: self)
      }
    }
    return DeclaredFeatureState(new, of: self, requests: requests)
  }

  func converted(_ action: any FeatureActionBox) throws -> any FeatureActionBox {
    switch action {
    case let action as DeclaredAction: try action.converted(to: self)
    case let event as RequestEvent<DeclaredQuestion, DeclaredAnswer>:
      try event.converted(to: self)
    default: action
    }
  }
}

extension DeclaredFeature.Field {
  /// Takes the value of the field of an earlier declaration.
  ///
  /// - Throws: ``ValueTypeError`` for a value of another type.
  fileprivate func take(
    _ old: DeclaredState, of field: DeclaredFeature.Field, into state: inout DeclaredState
  ) throws {
    switch (field.kind, kind) {
    case (.value(_, let from), .value(let type, let place)):
      let value = old.values[from]
      guard value != .none || type.isOptional else { return }
      state.values[place] = try type.checked(value, at: name)
    case (.list(let oldType, let from), .list(let type, let place)):
      var records = Array(old.lists[from])
      if oldType.record != type.record {
        for index in records.indices {
          records[index] = try records[index].converted(
            to: type.record, at: "\(name)[\(index + 1)]")
        }
      }
      if let part = type.sortingPart { records = records.sorted(by: part) }
      state.lists[place] = try RecordList(order: type.order, records: records)
    case (.set(let oldType, let from), .set(let type, let place)) where oldType == type:
      state.sets[place] = old.sets[from]
    default:
      throw ValueTypeError("bad_value", "\(name): it was of another kind")
    }
  }
}

extension DeclaredRecord {
  /// The record with the parts of another type, which has its values as far as it has their names.
  fileprivate func converted(to new: RecordType, at path: String) throws -> DeclaredRecord {
    DeclaredRecord(id: id, try type.converted(values, to: new) { "\(path).\($0)" }, of: new)
  }
}

extension StoreAction {
  /// The action for another schema.
  ///
  /// - Throws: Why it can't be converted.
  func converted(to schema: StoreSchema) throws -> StoreAction {
    switch kind {
    case .feature(let box, _):
      guard let feature = schema.feature(named: box.name) else {
        return StoreAction(
          .feature(
            UnknownAction(try JSONValue(encoding: BoxedAction(box: box)), of: box.name), at: nil))
      }
      if let unknown = box as? UnknownAction {
        let known = try unknown.json.decoded(with: schema, feature.backend.decodeAction)
        return StoreAction(.feature(known, at: feature.index))
      }
      return StoreAction(.feature(try feature.backend.converted(box), at: feature.index))
    case .reset, .takeBack: return self
    case .restore(let states, let source):
      return .restore(try states.converted(to: schema), source: source)
    case .group(let actions):
      return StoreAction(.group(try actions.map { try $0.converted(to: schema) }))
    }
  }
}
