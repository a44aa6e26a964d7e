extension DeclaredFeature: FeatureBackend {
  /// The fields of the state, the states of requests, and the derived fields.
  func fields(at index: Int) -> [AnyField] {
    let own =
      fields.indices.map(field)
      + requests.flatMap {
        $0.fields(pending: "\($0.name)_pending", error: "\($0.name)_error")
      }
    return own.map { $0.placed(in: name, at: index) }
      + derived.indices.map { derivedField($0, at: index) }
  }

  private func field(at index: Int) -> AnyField {
    // Unowned, as the code of the declaration knows the fields of the app. Whoever assigns a field knows its `FeaturePlace`,
    // which keeps the feature.
    fields[index].stateField(at: index) { [unowned self] store, kind, new in
      try store.assign(kind, new, in: self)
    }
  }

  private func derivedField(_ place: Int, at index: Int) -> AnyField {
    let derived = derived[place]
    let content = AnyField.Content.computed { states in
      // The rules are the state's: a reference to them here would be a retain cycle, as they know the app's fields.
      let feature = DeclaredFeatureState.of(states.slots[index]).declaration
      return feature.rules.value(ofDerived: place, in: states)
    }
    var field = AnyField(derived.name, help: derived.help, type: .any, content)
    field.isListView = derived.isListView
    field.summarize = { states in
      let feature = DeclaredFeatureState.of(states.slots[index]).declaration
      return feature.rules.summary(ofDerived: place, in: states)
    }
    return field.placed(in: name, at: index, readingOthers: derived.readsApp)
  }

  var requests: [FeatureRequest] { requestHandlers.map { FeatureRequest($0) } }

  /// One kind for each list.
  var identifierKinds: [IdentifierKind] {
    fields.compactMap(\.list).map { IdentifierKind("\(name).\($0.name)") }
  }

  /// No: all of it is in fields.
  var hasHiddenState: Bool { false }

  func hasSameHiddenBits(_ left: AnyFeatureState, _ right: AnyFeatureState) -> Bool { true }

  /// Accepts every declaration: what it declares is all that there is.
  func check() throws(SchemaError) {}

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
    let box = DeclaredFeatureState.of(state)
    if let earlier, box.hasSameRequests(as: earlier),
      box.state.hasSameValues(as: DeclaredFeatureState.of(earlier).state)
    {
      return earlier
    }
    var copy = box.state
    copy.lists = []
    return DeclaredFeatureState(copy, of: self, requests: box.requests)
  }

  /// Starts none: the draft starts those of the lists that it changes.
  func startLogs(of state: AnyFeatureState) {}

  func restore(_ version: AnyFeatureState, in state: AnyFeatureState) {
    let box = DeclaredFeatureState.of(state)
    var copy = DeclaredFeatureState.of(version).state
    swap(&copy.lists, &box.state.lists)
    box.state = copy
    box.requests = version.requests
  }

  func encode(_ state: AnyFeatureState, to encoder: any Encoder) throws {
    let state = DeclaredFeatureState.of(state).state
    let members = fields.map { field in
      let value: StateValue =
        switch field.kind {
        case .value(_, let index): state.values[index]
        case .list(let list): .list(state.lists[list.index].map(\.stateValue))
        case .set(_, let index): .list(Array(state.sets[index].elements))
        }
      return StateValue.Member(name: field.name, value: value)
    }
    try EncodedStateValue(.record(members)).encode(to: encoder)
  }

  /// Accepts every state: it was checked as it was read.
  func validate(_ state: AnyFeatureState) throws {}

  func migrated(_ state: JSONValue, from version: Int) throws -> JSONValue? {
    try rules.migrated(state, from: version)
  }
}

extension DeclaredFeature.Field {
  /// The field as states have it, for code that doesn't assign it in a store.
  package var stateField: AnyField { stateField(at: 0) { _, _, _ in } }

  /// The index is that of the field in its feature.
  fileprivate func stateField(
    at index: Int,
    sending send: @escaping @Sendable (Store, DeclaredAction.Kind, StateValue) throws -> Void
  ) -> AnyField {
    let restore: AnyField.Content.Restore = { box, decoder in
      try decode(from: decoder, into: &DeclaredFeatureState.of(box).state)
    }
    switch kind {
    case .value(let type, let place):
      var field = AnyField(
        name, help: help, type: type,
        .value({ DeclaredFeatureState.of($0).state.values[place] }, restore: restore))
      field.hasLiveParts = true
      if isEditable { field.assign = { try send($0, .setField(index), $1) } }
      return field
    case .list(let list):
      let parts = list.record.parts
      let assignments = parts.indices.filter { parts[$0].isEditable }.map { part in
        PartAssignment(part) { try send($0, .setPart(field: index, part: part, id: $1), $2) }
      }
      return AnyField(
        name, help: help, type: .list(of: .record(list.record)),
        .list(
          StateList(ofRecordsIn: list, assignments, restore: restore) { box, text in
            readPlain(text, into: &DeclaredFeatureState.of(box).state)
          }))
    case .set(let type, let place):
      return AnyField(
        name, help: help, type: .set(of: type),
        .list(StateList(ofSetAt: place, restore: restore)))
    }
  }
}

extension StateList {
  fileprivate convenience init(
    ofRecordsIn list: DeclaredList, _ assignments: [PartAssignment],
    restore: @escaping AnyField.Content.Restore,
    restorePlain: @escaping @Sendable (AnyFeatureState, String) -> Bool
  ) {
    let place = list.index
    let records = StateRecords(
      id: { DeclaredFeatureState.of($0).state.lists[place][$1].id },
      position: { DeclaredFeatureState.of($0).state.lists[place].position(ofID: $1) },
      contains: { DeclaredFeatureState.of($0).state.lists[place].contains(id: $1) },
      record: { DeclaredFeatureState.of($0).state.lists[place][id: $1] },
      part: { DeclaredFeatureState.of($0).state.lists[place][id: $1]?.values[$2] },
      maximumID: { DeclaredFeatureState.of($0).state.lists[place].maximumID },
      isNewestFirst: { DeclaredFeatureState.of($0).state.lists[place].order == .newestFirst },
      renew: { DeclaredFeatureState.of($0).state.lists[place].renew() },
      log: .ofRecords(in: list), assignments: assignments)
    let kind: Kind =
      list.isMap
      ? .map(records) { DeclaredFeatureState.of($0).state.lists[place].id(ofKey: $1) }
      : .records(records)
    self.init(
      kind,
      count: { DeclaredFeatureState.of($0).state.lists[place].count },
      elements: { ListElements(DeclaredFeatureState.of($0).state.lists[place]) { $0.stateValue } },
      edits: { old, new in
        DeclaredFeatureState.of(new).state.lists[place]
          .edits(since: DeclaredFeatureState.of(old).state.lists[place]) { $0.stateValue }
      },
      mark: { box in
        let contents = DeclaredFeatureState.of(box).state.lists[place].contents
        return { DeclaredFeatureState.of($0).state.lists[place].hasContents(contents) }
      },
      restore: restore, restorePlain: restorePlain)
  }

  /// The elements of a declared set, whose changes are found by comparing it with the earlier one.
  fileprivate convenience init(ofSetAt place: Int, restore: @escaping AnyField.Content.Restore) {
    let set = StateSet(
      contains: { box, value in
        SortKey(value).map(DeclaredFeatureState.of(box).state.sets[place].contains)
          ?? false
      },
      edit: { box, value, isAdded in
        guard let element = SortKey(value) else { return false }
        let box = DeclaredFeatureState.of(box)
        return isAdded
          ? box.state.sets[place].insert(element) : box.state.sets[place].remove(element)
      })
    self.init(
      .set(set), count: { DeclaredFeatureState.of($0).state.sets[place].count },
      elements: { DeclaredFeatureState.of($0).state.sets[place].elements },
      edits: { old, new in
        DeclaredFeatureState.of(new).state.sets[place]
          .edits(since: DeclaredFeatureState.of(old).state.sets[place])
      },
      mark: { box in
        let set = DeclaredFeatureState.of(box).state.sets[place]
        return { DeclaredFeatureState.of($0).state.sets[place] == set }
      }, restore: restore)
  }
}

extension StateRecords.Log {
  static func ofRecords(in list: DeclaredList) -> Self {
    let (place, type, sortingPart) = (list.index, list.record, list.sortingPart)
    // Safe: the delta is one that this list has made.
    return Self(
      start: { DeclaredFeatureState.of($0).state.lists[place].startLog($1) },
      end: { DeclaredFeatureState.of($0).state.lists[place].endLog($1) },
      revert: { DeclaredFeatureState.of($0).state.lists[place].revert($1) },
      apply: { box, delta, isUndone in
        DeclaredFeatureState.of(box).state.lists[place]
          .apply(unsafeDowncast(delta, to: ListDelta<DeclaredRecord>.self), isUndone: isUndone)
      },
      edits: { unsafeDowncast($0, to: ListDelta<DeclaredRecord>.self).edits { $0.stateValue } },
      savedEdits: {
        unsafeDowncast($0, to: ListDelta<DeclaredRecord>.self).savedEdits { $0.stateValue }
      },
      edit: {
        try DeclaredFeatureState.of($0).state.lists[place]
          .make($1) { try DeclaredRecord(from: $0, configuration: type) }
      },
      sort: { box, id in
        guard let sortingPart else { return }
        try DeclaredFeatureState.of(box).state.lists[place].sort(id: id, by: sortingPart)
      })
  }
}
