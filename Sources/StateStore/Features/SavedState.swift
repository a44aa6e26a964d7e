import PrimereplFoundation

/// Writing the states of a session.
///
/// Each field has a value of its own, under its path, or the records of its list. Of features with properties that no field
/// shows, the state without its lists has one, too, and so have the states of requests and the version of a feature.
extension StoreSchema {
  /// The versions of the features, as changes; for a session that doesn't have them.
  package var versions: [FieldChange] {
    features.map { FieldChange($0.versionPath, .integer($0.backend.version)) }
  }

  /// All values of some states, as changes; for a session that doesn't have them.
  func savedChanges(of states: States) throws -> [FieldChange] {
    try features.flatMap { try savedChanges(of: $0, in: states) } + states.unused.changes
  }

  func savedChanges(of feature: SchemaFeature, in states: States) throws -> [FieldChange] {
    let box = states.slots[feature.index]
    var changes = [
      FieldChange(feature.versionPath, .integer(feature.backend.version)),
      FieldChange(
        feature.shapePath, (states.shapes[feature.name] ?? SavedShape(feature)).value),
    ]
    if feature.backend.hasHiddenState {
      changes.append(
        FieldChange(feature.statePath, try feature.hiddenState(of: box).stateValue { $0 }))
    }
    changes += feature.requests.map { feature.change(ofRequest: $0.name, in: box) }
    for field in feature.fields where field.restore != nil {
      changes.append(
        field.list.map {
          FieldChange(
            path: field.path, change: .list(.replaced(old: [], new: $0.elements(box))))
        } ?? FieldChange(field.path, field.value(in: box)))
    }
    return changes.map(states.unused.unknownParts.added)
  }

  /// - Complexity: O(fields + records that differ · log records).
  func savedChanges(from old: States, to new: States) throws -> [FieldChange] {
    var changes: [FieldChange] = []
    for feature in features {
      let (before, after) = (old.slots[feature.index], new.slots[feature.index])
      guard before !== after else { continue }
      if feature.backend.hasHiddenState {
        let state = try feature.hiddenState(of: after)
        if try state != feature.hiddenState(of: before) {
          changes.append(FieldChange(feature.statePath, state.stateValue { $0 }))
        }
      }
      for request in feature.requests
      where before.requests[request.name] != after.requests[request.name] {
        changes.append(feature.change(ofRequest: request.name, in: after))
      }
      for field in feature.fields where field.restore != nil {
        guard let change = field.change(from: old, to: new) else { continue }
        changes.append(change)
      }
    }
    addUnknownParts(to: &changes, from: old, to: new)
    return changes.map(new.unused.unknownParts.added) + new.unused.changes(since: old.unused)
  }

  /// Adds changes of fields and records of which only parts differ that the program doesn't know.
  private func addUnknownParts(
    to changes: inout [FieldChange], from old: States, to new: States
  ) {
    let (earlier, parts) = (old.unused.unknownParts, new.unused.unknownParts)
    guard parts != earlier else { return }
    let different = parts.differences(from: earlier)
    for field in fields where field.restore != nil {
      let index = changes.firstIndex { $0.path == field.path }
      if index == nil, different.fields.contains(field.path) {
        changes.append(FieldChange(field.path, field.value(in: new)))
      }
      guard let ids = different.lists[field.path], let records = field.list?.records else {
        continue
      }
      var edits: [ListEdit<StateValue>] = []
      if let index {
        guard case .list(.edits(let known)) = changes[index].change else { continue }
        edits = known
      }
      let box = new.slots[field.index]
      for id in ids.subtracting(edits.map(\.firstElement.identifier)).sorted() {
        guard let position = records.position(box, id), let record = records.record(box, id) else {
          continue
        }
        let element = record.stateValue
        edits.append(.changed(position: position, old: element, new: element))
      }
      guard !edits.isEmpty else { continue }
      let change = FieldChange(path: field.path, change: .list(.edits(edits)))
      if let index { changes[index] = change } else { changes.append(change) }
    }
  }

  /// The saved form of a feature's state, with its secrets, which only this process can read.
  func savedState(of feature: SchemaFeature, in states: States) throws -> SavedState {
    SavedState(try savedChanges(of: feature, in: states), keepingSecrets: true)
  }
}

extension SchemaFeature {
  // No name has the character that these paths have.

  var versionPath: String { "\(name)#version" }

  /// The path of the state of a feature with properties that no field shows.
  var statePath: String { Self.statePath(of: name) }

  fileprivate static func statePath(of feature: String) -> String { "\(feature)#state" }

  var shapePath: String { "\(name)#shape" }

  func path(ofRequest request: String) -> String { Self.path(ofRequest: request, of: name) }

  fileprivate static func path(ofRequest request: String, of feature: String) -> String {
    "\(feature).\(request)#request"
  }

  /// The name of the field at a path, as `migrate` sees it; nil for a path that isn't one of the feature's fields.
  func member(at path: String) -> String? {
    guard !path.contains("#") else { return nil }
    if path == name { return name }
    return path.hasPrefix(name + ".") ? String(path.dropFirst(name.count + 1)) : nil
  }

  func path(ofMember member: String) -> String {
    member == name ? name : "\(name).\(member)"
  }

  /// The stored form of a state without the records of its lists.
  func hiddenState(of box: AnyFeatureState) throws -> JSONValue {
    let state = backend.version(of: box, after: nil)
    return try JSONValue(encoding: EncodableClosure { try backend.encode(state, to: $0) })
  }

  fileprivate func change(ofRequest request: String, in box: AnyFeatureState) -> FieldChange {
    FieldChange(path(ofRequest: request), (box.requests[request] ?? .initial).stateValue)
  }
}

extension FieldChange {
  convenience init(_ path: String, _ value: StateValue) {
    self.init(path: path, change: .value(new: value, old: .none))
  }
}

extension Store {
  /// The differences between the state and the same session saved and reopened: there are none, unless a type's saved form
  /// loses something.
  ///
  /// - Returns: The differences; without a path if no field shows them.
  /// - Complexity: O(size of the state).
  package func differencesWhenReopened() throws -> [StateDifference] {
    let saved = SavedState(try schema.savedChanges(of: states))
    var reopened = try schema.loadedStates(from: saved).states
    reopened.unused = states.unused
    // A secret that is forgotten is none.
    let differences = schema.differences(from: states, to: reopened).filter {
      ($0.old ?? .none).savedJSON != ($0.new ?? .none).savedJSON
    }
    if differences.isEmpty, try !StateCoding.areSame(states, reopened) {
      return [StateDifference(path: "", old: nil, new: nil)]
    }
    return differences
  }
}

// MARK: - Values that the program doesn't know

extension SavedState {
  init(_ changes: [FieldChange], keepingSecrets: Bool = false) {
    self.init()
    for change in changes {
      switch change.change {
      case .value(let new, _):
        values[change.path] = new.savedJSON(keepingSecrets: keepingSecrets)
      case .list(.replaced(_, let new)):
        lists[change.path] = new.map { $0.savedJSON(keepingSecrets: keepingSecrets) }
      case .list(.edits): preconditionFailure("A whole state has no edits.")
      }
    }
  }

  mutating func removeValue(at path: String) -> String? {
    values.removeValue(forKey: path)
  }

  mutating func removeList(at path: String) -> [String]? {
    lists.removeValue(forKey: path)
  }

  mutating func remove(_ path: String) {
    values[path] = nil
    lists[path] = nil
  }

  /// Applies a change of something that the program doesn't know.
  mutating func apply(_ change: Change) {
    switch change {
    case .value(let path, _, .list(let elements)) where lists[path] != nil:
      lists[path] = elements.map(\.savedJSON)
    case .value(let path, _, let new): values[path] = new.savedJSON
    case .state(let feature, _, let new):
      values[SchemaFeature.statePath(of: feature)] = new.savedJSON
    case .request(let feature, let name, _, let new):
      values[SchemaFeature.path(ofRequest: name, of: feature)] = new.stateValue.savedJSON
    case .record(let path, _, let edit), .element(let path, let edit):
      lists[path, default: []].apply(edit)
    }
  }

  /// The paths of all values that the program doesn't know, each with its JSON, in the order of the paths.
  package var unusedValues: [(path: String, json: String)] {
    var found = values.filter { !$0.key.contains("#") }
    for (path, elements) in lists { found[path] = "[\(elements.joined(separator: ","))]" }
    for (path, value) in unknownParts.values { found[path] = value.savedJSON }
    return found.sorted { $0.key < $1.key }.map { (path: $0.key, json: $0.value) }
  }

  package var isEmpty: Bool { values.isEmpty && lists.isEmpty }

  var changes: [FieldChange] { changes(since: SavedState()) }

  fileprivate func changes(since old: SavedState) -> [FieldChange] {
    guard self != old else { return [] }
    let newValues = values.filter { old.values[$0.key] != $0.value }
    let newLists = lists.filter { old.lists[$0.key] != $0.value }
    return newValues.map { FieldChange($0.key, .savedText($0.value)) }
      + newLists.map { path, texts in
        let elements = ListElements(texts.map { StateValue.savedText($0) })
        return FieldChange(path: path, change: .list(.replaced(old: [], new: elements)))
      }
  }
}

extension StateValue {
  /// The value of a text of JSON, whose own text is the same, as a journal may find a record by it; the text itself if it
  /// isn't JSON.
  fileprivate static func savedText(_ text: String) -> StateValue {
    do {
      return try StateValue(json: text)
    } catch {
      return .text(text)
    }
  }
}

extension [String] {
  /// Makes an edit of a list whose elements are JSON, as far as it is possible.
  fileprivate mutating func apply(_ edit: ListEdit<JSONValue>) {
    let isThere = edit.position < count
    switch edit {
    case .inserted(let position, let new): insert(new.savedJSON, at: Swift.min(position, count))
    case .removed(let position, _) where isThere: remove(at: position)
    case .changed(let position, _, let new) where isThere: self[position] = new.savedJSON
    default: break
    }
  }
}
