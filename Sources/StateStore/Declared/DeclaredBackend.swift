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
      let action = DeclaredAction(kind, [new], of: self)
      try store.send(StoreAction(.feature(action, at: try store.index(of: self))))
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
      let records = StateRecords(at: list, assignments: assignments)
      let kind: StateList.Kind =
        list.isMap ? .map(records) { list[$0].id(ofKey: $1) } : .records(records)
      return AnyField(
        name, help: help, type: .list(of: .record(list.record)), .list(StateList(kind, at: list)))
    case .set(let type, let place):
      return AnyField(
        name, help: help, type: .set(of: type),
        .list(StateList(ofSetAt: place, restore: restore)))
    }
  }
}

extension DeclaredList: ListPlace {
  subscript(box: AnyFeatureState) -> RecordList<DeclaredRecord> {
    @inline(__always) get { DeclaredFeatureState.of(box).state.lists[index] }
    @inline(__always) nonmutating _modify {
      yield &DeclaredFeatureState.of(box).state.lists[index]
    }
  }

  func part(_ index: Int, of record: DeclaredRecord) -> StateValue { record.values[index] }

  func element(from decoder: any Decoder) throws -> DeclaredRecord {
    try DeclaredRecord(from: decoder, configuration: record)
  }

  func sort(_ id: Int, in list: inout RecordList<DeclaredRecord>) throws {
    if let sortingPart { try list.sort(id: id, by: sortingPart) }
  }

  func restore(_ box: AnyFeatureState, from decoder: any Decoder) throws {
    self[box] = try records(from: decoder)
  }

  func restore(_ box: AnyFeatureState, fromPlain text: String) -> Bool {
    guard let records = records(inPlain: text) else { return false }
    self[box] = records
    return true
  }
}

extension StateList {
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
      set, count: { DeclaredFeatureState.of($0).state.sets[place].count },
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
