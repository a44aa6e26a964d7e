/// The fields of a declared feature, as schemas have them.
extension DeclaredFeature {
  /// A field as it is shown, and as documents contain it.
  struct Part {
    /// The name without the feature's.
    let name: String
    let field: StateField
    let content: FieldContent
  }

  /// The fields of the state, the states of requests, and the derived fields.
  func parts(at index: Int) -> [Part] {
    fields.map { part(of: $0, at: index) }
      + requests.flatMap { requestParts($0.call.name, at: index) }
      + derived.indices.map { derivedPart($0, at: index) }
  }

  private func part(of field: Field, at index: Int) -> Part {
    let restore: FieldContent.Restore = { box, decoder in
      try field.decode(from: decoder, into: &DeclaredFeatureState.of(box).state)
    }
    switch field.kind {
    case .value(let type, let place):
      return part(
        field.name, field.help, type.shape, at: index,
        .value({ DeclaredFeatureState.of($0).state.values[place] }, restore: restore))
    case .list(let type, let place):
      return part(
        field.name, field.help, .list(of: type.record.shape), at: index,
        .list(StateList(ofRecordsAt: place, restore: restore)))
    case .set(let type, let place):
      return part(
        field.name, field.help, .list(of: .value),
        of: type == .string ? String.self : Int.self, at: index,
        .list(StateList(ofSetAt: place, restore: restore)))
    }
  }

  private func part(
    _ name: String, _ help: String, _ shape: StateShape, of type: (any FieldValue.Type)? = nil,
    at index: Int, _ content: FieldContent
  ) -> Part {
    let stateContent: StateField.Content =
      switch content {
      case .list(let list): .list(list, at: index)
      case .value(let read, _), .awaiting(let read): .value { read($0.slots[index]) }
      case .hidden, .request: .value { _ in .none }
      }
    var field = StateField(
      path: "\(self.name).\(name)", help: help, shape: shape, type: type,
      sources: FeatureSet(index), stateContent)
    if case .awaiting = content { field.isAwaiting = true }
    return Part(name: name, field: field, content: content)
  }

  private func requestParts(_ request: String, at index: Int) -> [Part] {
    [
      part(
        "\(request)_pending", "Whether \(request) is pending.", .value, at: index,
        .awaiting { .boolean($0.requests[request]?.isPending ?? false) }),
      part(
        "\(request)_error", "Why the last \(request) failed; or nil.", .value, at: index,
        .value(
          { .optional($0.requests[request]?.error) },
          restore: { box, decoder in
            let message = try String?(fromDocument: decoder)
            box.setRequest(request, to: RequestState(error: message))
          })),
    ]
  }

  private func derivedPart(_ derivedIndex: Int, at index: Int) -> Part {
    let derived = derived[derivedIndex]
    var field = StateField(
      path: "\(name).\(derived.name)", help: derived.help, shape: .value,
      sources: derived.readsApp ? .all : FeatureSet(index), isDerived: true,
      // The rules are the state's: a reference to them here would be a retain cycle, as they know the app's fields.
      .value {
        let feature = DeclaredFeatureState.of($0.slots[index]).feature
        return feature.rules.value(ofDerived: derivedIndex, in: $0)
      })
    field.isSaved = false
    // Documents contain the value, but it isn't read.
    return Part(name: derived.name, field: field, content: .value({ _ in .none }, restore: nil))
  }
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
      startLog: { DeclaredFeatureState.of($0).state.lists[place].startLog($1) },
      endLog: { DeclaredFeatureState.of($0).state.lists[place].endLog($1) { $0.stateValue } },
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
      isNewestFirst: { _ in false }, startLog: { _, _ in }, endLog: { _, _ in .unknown },
      renew: { _ in }, restore: restore, greatestID: { _ in nil }, containsID: { _, _ in false })
  }
}
