extension StoreSchema {
  /// The changes of an action, in the order in which they can be made again; of a secret, only whether there is one.
  func changes(by delta: StateDelta) throws -> [Change] {
    switch delta {
    case .none: []
    case .feature(let delta, let index): try changes(by: delta, of: features[index])
    case .group(let parts): try parts.flatMap { try changes(by: $0) }
    case .states(let old, let new): try features.flatMap { try changes(of: $0, from: old, to: new) }
    case .saved(let step, let part): try step.changes(ofPart: part)
    }
  }

  /// The changes of an action, if they can be taken back apart from what came later; otherwise, throws ``ChangeError``.
  func separableChanges(by delta: StateDelta) throws -> [Change] {
    if case .states = delta { throw ChangeError.inseparable }
    let changes = try changes(by: delta)
    for change in changes {
      switch change {
      case .request: throw ChangeError.inseparable
      case .value(let path, _, _), .record(let path, _, _), .element(let path, _):
        guard savedField(at: path)?.type.hasSecrets != true else {
          throw ChangeError.inseparable
        }
      case .state(let name, _, _):
        // The whole state, in which secrets are forgotten.
        guard feature(named: name)?.fields.contains(where: { $0.type.hasSecrets }) != true else {
          throw ChangeError.inseparable
        }
      }
    }
    return changes
  }

  private func changes(by delta: FeatureDelta, of feature: SchemaFeature) throws -> [Change] {
    var changes: [Change] = []
    if delta.before !== delta.after {
      changes = try changesBesideRecords(of: feature, from: delta.before, to: delta.after)
    }
    for (index, delta) in delta.lists {
      changes += self.changes(
        by: delta, of: feature.recordLists[index], feature.backend.lists[index])
    }
    return changes
  }

  private func changes(
    of feature: SchemaFeature, from old: States, to new: States
  ) throws -> [Change] {
    let (before, after) = (old.slots[feature.index], new.slots[feature.index])
    guard before !== after else { return [] }
    return try changesBesideRecords(of: feature, from: before, to: after)
      + feature.recordLists.compactMap { $0.wholeChange(from: before, to: after) }
  }

  /// The changes of a feature's requests, and of its other values or, if what no field shows differs, of its whole state.
  private func changesBesideRecords(
    of feature: SchemaFeature, from old: AnyFeatureState, to new: AnyFeatureState
  ) throws -> [Change] {
    var changes: [Change] = feature.requests.compactMap { request in
      let (before, after) = (old.requests[request.name], new.requests[request.name])
      guard before != after else { return nil }
      return .request(
        feature: feature.name, request.name, from: before ?? .initial, to: after ?? .initial)
    }
    if !feature.backend.hasSameHiddenBits(old, new) {
      let (before, after) = (try feature.hiddenState(of: old), try feature.hiddenState(of: new))
      if before != after { changes.append(.state(feature: feature.name, from: before, to: after)) }
    } else {
      // Not those that show the error of a request, whose state is one of the changes above.
      changes += feature.fields
        .filter { $0.restore != nil && !$0.showsRequest && $0.list?.records == nil }
        .flatMap { $0.elementChanges(from: old, to: new) }
    }
    return changes
  }

  private func changes(
    by delta: AnyObject, of field: AnyField, _ records: StateRecords
  ) -> [Change] {
    switch records.savedEdits(delta) {
    case nil: []
    case .edits(let edits):
      edits.map { edit in
        .record(
          list: field.path, id: edit.firstElement.id,
          edit.mapped { JSONValue(saved: $0.value) })
      }
    case .replaced(let old, let new):
      [Change(of: field, from: .list(old.map(\.value)), to: .list(new.map(\.value)))]
    }
  }
}

extension Change {
  fileprivate init(of field: AnyField, from old: StateValue, to new: StateValue) {
    self = .value(field: field.path, from: JSONValue(saved: old), to: JSONValue(saved: new))
  }
}

extension ListEdit {
  /// The element before the edit or, if there was none, the one after it.
  var firstElement: Element {
    switch self {
    case .inserted(_, let element), .removed(_, let element), .changed(_, let element, _): element
    }
  }
}

extension AnyField {
  /// The changes of a set's elements, the removals first, or that of the whole value.
  ///
  /// - Complexity: For a set O(elements that differ · log elements).
  fileprivate func elementChanges(from old: AnyFeatureState, to new: AnyFeatureState) -> [Change] {
    guard let list, list.set != nil else {
      return wholeChange(from: old, to: new).map { [$0] } ?? []
    }
    guard case .edits(let edits)? = list.edits(old, new) else { return [] }
    return edits.map { .element(set: path, $0.mapped { JSONValue(saved: $0) }) }
  }

  fileprivate func wholeChange(from old: AnyFeatureState, to new: AnyFeatureState) -> Change? {
    let (before, after) = (value(in: old), value(in: new))
    return before == after ? nil : Change(of: self, from: before, to: after)
  }
}
