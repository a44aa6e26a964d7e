/// A declared feature as schemas and states have it.
extension DeclaredFeature: FeatureBackend {
  /// The fields of the state, the states of requests, and the derived fields.
  func fields(at index: Int) -> [StateField] {
    let own =
      fields.map(field)
      + requests.flatMap {
        $0.fields(pending: "\($0.name)_pending", error: "\($0.name)_error")
      }
    return own.map { $0.placed(in: name, at: index) }
      + derived.indices.map { derivedField($0, at: index) }
  }

  private func field(_ field: Field) -> StateField {
    let restore: StateField.Content.Restore = { box, decoder in
      try field.decode(from: decoder, into: &DeclaredFeatureState.of(box).state)
    }
    switch field.kind {
    case .value(let type, let place):
      return StateField(
        field.name, help: field.help, type: type,
        .value({ DeclaredFeatureState.of($0).state.values[place] }, restore: restore))
    case .list(let type, let place):
      return StateField(
        field.name, help: field.help, type: .list(of: .record(type.record)),
        .list(StateList(ofRecordsAt: place, restore: restore)))
    case .set(let type, let place):
      return StateField(
        field.name, help: field.help, type: .set(of: type),
        .list(StateList(ofSetAt: place, restore: restore)))
    }
  }

  private func derivedField(_ place: Int, at index: Int) -> StateField {
    let derived = derived[place]
    let content = StateField.Content.computed { states in
      // The rules are the state's: a reference to them here would be a retain cycle, as they know the app's fields.
      let feature = DeclaredFeatureState.of(states.slots[index]).declaration
      return feature.rules.value(ofDerived: place, in: states)
    }
    var field = StateField(derived.name, help: derived.help, type: .any, content)
      .placed(in: name, at: index, readingOthers: derived.readsApp)
    field.isSaved = false
    return field
  }

  var requests: [FeatureRequest] { requestHandlers.map { FeatureRequest($0) } }

  var secretCalls: [SecretCall] {
    calls.filter { $0.parameters.parts.contains { $0.type.hasSecrets } }.map {
      SecretCall(name: $0.name, parameters: $0.parameters.parts)
    }
  }

  /// One kind for each list.
  var identifierKinds: [IdentifierKind] {
    fields.compactMap { field in
      DeclaredList(field).map { IdentifierKind("\(name).\($0.name)") }
    }
  }

  /// Accepts every declaration: what it declares is all that there is.
  func check() throws(SchemaError) {}

  var logs: [StateList.Log] {
    fields.compactMap { field in
      if case .list(_, let place) = field.kind { .ofRecords(at: place) } else { nil }
    }
  }

  // MARK: - States

  var initial: AnyFeatureState { DeclaredFeatureState(initialState, of: self) }

  func copy(_ state: AnyFeatureState) -> AnyFeatureState {
    let state = DeclaredFeatureState.of(state)
    return DeclaredFeatureState(state.state, of: self, requests: state.requests)
  }

  func areEqual(_ left: AnyFeatureState, _ right: AnyFeatureState) -> Bool {
    DeclaredFeatureState.of(left).state == DeclaredFeatureState.of(right).state
  }

  func version(of state: AnyFeatureState, after earlier: AnyFeatureState?) -> AnyFeatureState {
    var copy = DeclaredFeatureState.of(state).state
    copy.lists = []
    if let earlier, earlier.requests == state.requests,
      DeclaredFeatureState.of(earlier).state.sharesStorage(with: copy)
    {
      return earlier
    }
    return DeclaredFeatureState(copy, of: self, requests: state.requests)
  }

  func restore(_ version: AnyFeatureState, in state: AnyFeatureState) {
    let box = DeclaredFeatureState.of(state)
    var copy = DeclaredFeatureState.of(version).state
    swap(&copy.lists, &box.state.lists)
    box.state = copy
    box.requests = version.requests
  }

  /// Encodes the fields by their names, with the declaration's version if it isn't the first.
  func encode(_ state: AnyFeatureState, to encoder: any Encoder) throws {
    let state = DeclaredFeatureState.of(state).state
    var container = encoder.container(keyedBy: AnyKey.self)
    if version != 1 { try container.encode(version, forKey: .declaredVersion) }
    for field in fields {
      let key = AnyKey(field.name)
      switch field.kind {
      case .value(_, let index):
        let value = state.values[index]
        if value != .none { try container.encode(EncodedStateValue(value), forKey: key) }
      case .list(_, let index): try container.encode(state.lists[index], forKey: key)
      case .set(_, let index):
        try container.encode(
          EncodedStateValue(.list(Array(state.sets[index].elements))), forKey: key)
      }
    }
  }

  /// Accepts every state: it was checked as it was read.
  func validate(_ state: AnyFeatureState) throws {}
}

extension StateList {
  /// The records of a declared list, at a place in the state.
  fileprivate convenience init(
    ofRecordsAt place: Int,
    restore: @escaping @Sendable (AnyFeatureState, any Decoder) throws -> Void
  ) {
    self.init(
      elements: { ListElements(DeclaredFeatureState.of($0).state.lists[place]) { $0.stateValue } },
      edits: { old, new in
        DeclaredFeatureState.of(new).state.lists[place]
          .edits(since: DeclaredFeatureState.of(old).state.lists[place]) { $0.stateValue }
      },
      isNewestFirst: { DeclaredFeatureState.of($0).state.lists[place].order == .newestFirst },
      log: .ofRecords(at: place),
      renew: { DeclaredFeatureState.of($0).state.lists[place].renew() },
      restore: restore,
      greatestID: { DeclaredFeatureState.of($0).state.lists[place].greatestID },
      containsID: { DeclaredFeatureState.of($0).state.lists[place].contains(id: $1) })
  }

  /// The elements of a declared set, whose changes are found by comparing it with the earlier one.
  fileprivate convenience init(
    ofSetAt place: Int, restore: @escaping @Sendable (AnyFeatureState, any Decoder) throws -> Void
  ) {
    self.init(
      elements: { DeclaredFeatureState.of($0).state.sets[place].elements },
      edits: { old, new in
        DeclaredFeatureState.of(new).state.sets[place]
          .edits(since: DeclaredFeatureState.of(old).state.sets[place])
      },
      isNewestFirst: { _ in false }, log: nil, renew: { _ in }, restore: restore, greatestID: { _ in nil }, containsID: { _, _ in false })
  }
}

extension StateList.Log {
  /// The log of a declared list, at a place in the state.
  fileprivate static func ofRecords(at place: Int) -> Self {
    // Safe: the delta is one that this list has made.
    Self(
      start: { DeclaredFeatureState.of($0).state.lists[place].startLog($1) },
      end: { DeclaredFeatureState.of($0).state.lists[place].endLog($1) },
      revert: { DeclaredFeatureState.of($0).state.lists[place].revert($1) },
      apply: { box, delta, isUndone in
        DeclaredFeatureState.of(box).state.lists[place]
          .apply(unsafeDowncast(delta, to: ListDelta<DeclaredRecord>.self), isUndone: isUndone)
      },
      edits: { unsafeDowncast($0, to: ListDelta<DeclaredRecord>.self).edits { $0.stateValue } })
  }
}
