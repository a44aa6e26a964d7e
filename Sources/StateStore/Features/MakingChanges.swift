extension StoreSchema {
  /// Makes the changes of an action again in the states before it, or takes them back in those after it.
  ///
  /// Parts that the app has only since then stay as they are.
  ///
  /// - Throws: ``ChangeError`` if the app doesn't have a record any more, or the error of reading a value; the states are
  ///   then unchanged.
  /// - Complexity: O(changes · log records), and O(elements) for all elements of a list.
  func apply(_ changes: [Change], to states: inout States, isUndone: Bool) throws {
    let old = states
    do {
      var rest = (isUndone ? changes.reversed().map(\.inverse) : changes)[...]
      while let change = rest.first {
        let (list, edits) = rest.additionsAndRemovals
        if edits.isEmpty {
          try make(change, in: &states, isHistory: true)
        } else if try !make(edits, in: list, &states) {
          for change in rest.prefix(edits.count) { states.unused.apply(change) }
        }
        rest.removeFirst(max(1, edits.count))
      }
    } catch {
      states = old
      throw error
    }
  }

  /// Makes changes whatever has happened since: all of them, or none.
  ///
  /// - Throws: ``ChangeError`` if a field or record isn't as it was before the change, or the app doesn't have it any more;
  ///   or the error of reading a value.
  /// - Complexity: O(changes · log records), and O(elements) for all elements of a list.
  func make(_ changes: [Change], in states: inout States) throws {
    let old = states
    do {
      for change in changes { try make(change, in: &states, isHistory: false) }
      // Only now, as a record that has changed and moved is on its way in between.
      for case .record(let list, let id, _) in changes {
        if let (index, records, _) = self.list(at: list) {
          try records.sort(states.slots[index], id)
        }
      }
      for feature in features {
        try feature.backend.check(changes, in: states.slots[feature.index])
      }
    } catch {
      states = old
      throw error
    }
  }

  func savedField(at path: String) -> AnyField? {
    fields.first { $0.path == path && $0.isSaved }
  }

  private func list(
    at path: String
  ) -> (index: Int, records: StateRecords, type: ValueType)? {
    guard let field = savedField(at: path), let records = field.list?.records else { return nil }
    return (field.index, records, field.type)
  }

  private func make(_ change: Change, in states: inout States, isHistory: Bool) throws {
    let isKnown: Bool
    switch change {
    case .value(let path, let old, let new):
      isKnown = try set(path, from: old, to: new, in: &states, isHistory: isHistory)
    case .record(let path, let id, let edit):
      isKnown = try self.edit(path, id, edit, in: &states, isHistory: isHistory)
    case .element(let path, let edit): isKnown = try self.edit(set: path, edit, in: &states)
    case .state(let name, let old, let new):
      isKnown = try setState(of: name, from: isHistory ? nil : old, to: new, in: &states)
    case .request(let name, let request, _, let new):
      let feature = feature(named: name)
      isKnown = feature?.requests.contains { $0.name == request } == true
      if isKnown, let index = feature?.index {
        states.makeMutable(index)
        states.slots[index].setRequest(request, to: new)
      }
    }
    guard !isKnown else { return }
    guard isHistory else { throw ChangeError.gone(change.path) }
    states.unused.apply(change)
  }

  private func set(
    _ path: String, from old: JSONValue, to new: JSONValue, in states: inout States,
    isHistory: Bool
  ) throws -> Bool {
    guard let field = savedField(at: path) else { return false }
    states.makeMutable(field.index)
    let box = states.slots[field.index]
    // A list can be large.
    let current = isHistory && !field.type.hasSecrets ? .none : field.value(in: box)
    if !isHistory {
      let parts = states.unused.unknownParts
      guard
        parts.added(to: JSONValue(saved: current), at: path) == parts.added(to: old, at: path)
      else { throw ChangeError.changed(path) }
    }
    try field.restore(from: new.keepingSecrets(of: current).savedJSON, in: box)
    states.unused.unknownParts.follow(from: old, to: new, at: path, of: field.type)
    return true
  }

  private func setState(
    of name: String, from old: JSONValue?, to new: JSONValue, in states: inout States
  ) throws -> Bool {
    guard let feature = feature(named: name), feature.backend.hasHiddenState else { return false }
    states.makeMutable(feature.index)
    let box = states.slots[feature.index]
    if let old, try feature.hiddenState(of: box) != old {
      throw ChangeError.changed(name)
    }
    let state = try decoded(new.savedJSON, feature.backend.decodeState)
    for (request, value) in box.requests { state.setRequest(request, to: value) }
    for field in feature.fields where field.isSaved && field.type.hasSecrets {
      let value = JSONValue(saved: field.value(in: state)).keepingSecrets(of: field.value(in: box))
      try field.restore(from: value.savedJSON, in: state)
    }
    feature.backend.restore(state, in: box)
    return true
  }

  /// Adds and removes records, which are decoded together; returns false for a list that the app doesn't have.
  ///
  /// - Complexity: O(edits · log records).
  private func make(
    _ edits: [RecordEdit], in path: String, _ states: inout States
  ) throws -> Bool {
    guard let (index, records, type) = list(at: path) else { return false }
    states.makeMutable(index)
    let box = states.slots[index]
    let texts = edits.map { $0.edit.new?.savedJSON ?? "null" }
    try DocumentCoding.read(text: "[\(texts.joined(separator: ","))]") { decoder in
      var container = try decoder.unkeyedContainer()
      for (id, edit) in edits {
        let position = records.position(box, id)
        guard (position == nil) == (edit.old == nil) else {
          throw ChangeError.changed("\(path):get(\(id))")
        }
        let decoder = try container.superDecoder()
        try records.edit(box, edit.placed(at: position).mapped { _ in decoder })
      }
    }
    for (id, edit) in edits { states.unused.unknownParts.follow(edit, id: id, in: path, of: type) }
    return true
  }

  private func edit(
    set path: String, _ edit: ListEdit<JSONValue>, in states: inout States
  ) throws -> Bool {
    guard let field = savedField(at: path), let set = field.list?.set else { return false }
    states.makeMutable(field.index)
    let element = edit.firstElement.stateValue { $0 }
    guard set.edit(states.slots[field.index], element, edit.old == nil) else {
      throw ChangeError.changed(path)
    }
    return true
  }

  private func edit(
    _ path: String, _ id: Int, _ edit: ListEdit<JSONValue>, in states: inout States,
    isHistory: Bool
  ) throws -> Bool {
    guard let (index, records, type) = list(at: path) else { return false }
    states.makeMutable(index)
    let box = states.slots[index]
    let current = records.record(box, id)?.stateValue
    let found = current.map {
      states.unused.unknownParts.added(to: JSONValue(saved: $0), id: id, in: path)
    }
    if !isHistory, !edit.isOfRecord(found) { throw ChangeError.changed("\(path):get(\(id))") }
    guard (found == nil) == (edit.old == nil) else {
      throw ChangeError.changed("\(path):get(\(id))")
    }
    // It may be at another position by now.
    let placed = isHistory ? edit : edit.placed(at: records.position(box, id))
    let new = edit.new(in: found)?.keepingSecrets(of: current ?? .none)
    try DocumentCoding.read(new ?? .null) { decoder in
      try records.edit(box, placed.mapped { _ in decoder })
    }
    states.unused.unknownParts.follow(edit, id: id, in: path, of: type)
    return true
  }
}

private typealias RecordEdit = (id: Int, edit: ListEdit<JSONValue>)

extension ArraySlice<Change> {
  /// The additions to one list and removals from it with which the changes begin.
  fileprivate var additionsAndRemovals: (list: String, [RecordEdit]) {
    guard case .record(let list, _, _)? = first else { return ("", []) }
    var edits: [RecordEdit] = []
    for change in self {
      guard case .record(list, let id, let edit) = change, edit.old == nil || edit.new == nil else {
        break
      }
      edits.append((id, edit))
    }
    return (list, edits)
  }
}

extension ListEdit<JSONValue> {
  /// Whether a record is as it was before the edit; it may have parts that the app has only since then.
  fileprivate func isOfRecord(_ current: JSONValue?) -> Bool {
    guard case .object(let members)? = current, case .object(let old)? = old else {
      return current == old
    }
    return old.allSatisfy { members[$0.key] == $0.value }
  }

  /// The record after the edit, with the parts of the current one that the edit doesn't change.
  fileprivate func new(in current: JSONValue?) -> JSONValue? {
    guard case .changed(_, .object(let old), .object(let new)) = self,
      case .object(var members)? = current
    else { return new }
    for (name, value) in new where old[name] != value { members[name] = value }
    return .object(members)
  }

  fileprivate func placed(at position: Int?) -> ListEdit {
    guard let position else { return self }
    return switch self {
    case .inserted: self
    case .removed(_, let record): .removed(position: position, record)
    case .changed(_, let old, let new): .changed(position: position, old: old, new: new)
    }
  }
}
