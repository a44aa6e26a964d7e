import PrimereplFoundation

/// A change of the state in a form that can be stored: making it runs no code of a feature.
@usableFromInline enum Change: Equatable, Sendable {
  /// A field has another value, or all records of a list are others.
  case value(field: String, from: JSONValue, to: JSONValue)
  /// A list was edited: the record with an id.
  case record(list: String, id: Int, ListEdit<JSONValue>)
  /// A set has one more element, or one less.
  case element(set: String, ListEdit<JSONValue>)
  /// The state of a feature with properties that no field shows, without its records.
  case state(feature: String, from: JSONValue, to: JSONValue)
  /// The state of a request.
  case request(feature: String, String, from: RequestState, to: RequestState)

  /// The change that takes this one back.
  var inverse: Change {
    switch self {
    case .value(let field, let old, let new): .value(field: field, from: new, to: old)
    case .record(let list, let id, let edit): .record(list: list, id: id, edit.inverse)
    case .element(let set, let edit): .element(set: set, edit.inverse)
    case .state(let feature, let old, let new): .state(feature: feature, from: new, to: old)
    case .request(let feature, let name, let old, let new):
      .request(feature: feature, name, from: new, to: old)
    }
  }
}

// MARK: - Making

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
          try records.log.sort(states.slots[index], id)
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

  private func savedField(at path: String) -> StateField? {
    fields.first { $0.path == path && $0.isSaved }
  }

  /// The list of records at a path, and the index of its feature; nil for one that the app doesn't have.
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
    let state = try new.decoded(with: self, feature.backend.decodeState)
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
        try records.log.edit(box, edit.placed(at: position).mapped { _ in decoder })
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
      try records.log.edit(box, placed.mapped { _ in decoder })
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

extension Change {
  /// The path of what it changes.
  var path: String {
    switch self {
    case .value(let path, _, _), .record(let path, _, _), .element(let path, _): path
    case .state(let path, _, _): path
    case .request(let feature, let name, _, _): "\(feature).\(name)"
    }
  }

  /// The name of the feature whose state it changes.
  var feature: Substring { path.prefix { $0 != "." } }
}

extension ListEdit<JSONValue> {
  /// The record before the edit; nil if there was none.
  var old: JSONValue? {
    switch self {
    case .inserted: nil
    case .removed(_, let record), .changed(_, let record, _): record
    }
  }

  /// The record after the edit; nil if there is none.
  var new: JSONValue? {
    switch self {
    case .removed: nil
    case .inserted(_, let record), .changed(_, _, let record): record
    }
  }

  /// The position and the records as members of an object of JSON.
  fileprivate var savedMembers: String {
    "\"position\":\(position)" + (old.map { ",\"from\":\($0.savedJSON)" } ?? "")
      + (new.map { ",\"to\":\($0.savedJSON)" } ?? "")
  }

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

  /// The edit at the position of its record, if the list has that.
  fileprivate func placed(at position: Int?) -> ListEdit {
    guard let position else { return self }
    return switch self {
    case .inserted: self
    case .removed(_, let record): .removed(position: position, record)
    case .changed(_, let old, let new): .changed(position: position, old: old, new: new)
    }
  }
}

// MARK: - Finding

extension StoreSchema {
  /// What an action changed, in the order in which it can be made again; of a secret, only whether there is one.
  ///
  /// - Throws: An `EncodingError`.
  func changes(by delta: StateDelta) throws -> [Change] {
    switch delta {
    case .none: []
    case .feature(let delta, let index): try changes(by: delta, of: features[index])
    case .group(let parts): try parts.flatMap { try changes(by: $0) }
    case .states(let old, let new): try features.flatMap { try changes(of: $0, from: old, to: new) }
    case .saved(let step, let part): try step.changes(ofPart: part)
    }
  }

  /// What an action changed, if that can be taken back apart from what came later.
  ///
  /// - Throws: ``ChangeError`` for an action whose changes can't be; an `EncodingError`.
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
      changes = try self.changes(of: feature, from: delta.before, to: delta.after) {
        $0.list?.records == nil
      }
    }
    let lists = feature.fields.filter { $0.list?.records != nil }
    for (index, delta) in delta.lists {
      if let log = lists[index].list?.records?.log {
        changes += self.changes(by: delta, of: lists[index], log)
      }
    }
    return changes
  }

  private func changes(
    of feature: SchemaFeature, from old: States, to new: States
  ) throws -> [Change] {
    let (before, after) = (old.slots[feature.index], new.slots[feature.index])
    guard before !== after else { return [] }
    let changes = try changes(of: feature, from: before, to: after) { $0.list?.records == nil }
    return changes
      + feature.fields.filter { $0.list?.records != nil }.compactMap {
        $0.wholeChange(from: before, to: after)
      }
  }

  /// The changes of a feature's requests, and of its other values or, if what no field shows differs, of its whole state.
  private func changes(
    of feature: SchemaFeature, from old: AnyFeatureState, to new: AnyFeatureState,
    _ isIncluded: (StateField) -> Bool
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
        .filter { $0.restore != nil && !$0.showsRequest && isIncluded($0) }
        .flatMap { $0.elementChanges(from: old, to: new) }
    }
    return changes
  }

  private func changes(
    by delta: AnyObject, of field: StateField, _ log: StateRecords.Log
  ) -> [Change] {
    switch log.savedChange(delta) {
    case nil: []
    case .edits(let edits):
      edits.map { edit in
        .record(
          list: field.path, id: edit.firstElement.id,
          edit.mapped { JSONValue(saved: $0.value) })
      }
    case .whole(let old, let new):
      [Change(of: field, from: .list(Array(old)), to: .list(Array(new)))]
    }
  }
}

extension Change {
  /// The change of a whole value, or of all elements.
  fileprivate init(of field: StateField, from old: StateValue, to new: StateValue) {
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

extension StateField {
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

  /// The change of the whole value, or of all elements; nil if it is the same.
  fileprivate func wholeChange(from old: AnyFeatureState, to new: AnyFeatureState) -> Change? {
    let (before, after) = (value(in: old), value(in: new))
    return before == after ? nil : Change(of: self, from: before, to: after)
  }
}

// MARK: - Stored form

extension JSONValue {
  /// The saved form of a value: of a secret, only whether there is one.
  init(saved value: StateValue) {
    self.init(value, secrets: { $0.isEmpty ? .text("") : .boolean(true) })
  }
}

extension Change: Codable {
  /// The change as JSON.
  var savedJSON: String {
    switch self {
    case .value(let field, let old, let new):
      "{\"field\":\"\(field)\",\"from\":\(old.savedJSON),\"to\":\(new.savedJSON)}"
    case .record(let list, let id, let edit):
      "{\"list\":\"\(list)\",\"id\":\(id),\(edit.savedMembers)}"
    case .element(let set, let edit): "{\"set\":\"\(set)\",\(edit.savedMembers)}"
    case .state(let feature, let old, let new):
      "{\"state\":\"\(feature)\",\"from\":\(old.savedJSON),\"to\":\(new.savedJSON)}"
    case .request(let feature, let name, let old, let new):
      "{\"request\":\"\(feature).\(name)\",\"from\":\(old.stateValue.savedJSON),"
        + "\"to\":\(new.stateValue.savedJSON)}"
    }
  }

  /// Reads the form that `savedJSON` writes.
  ///
  /// - Throws: ``DocumentError`` for anything else.
  init(_ json: JSONValue) throws {
    func text(_ name: String) -> String? {
      if case .text(let text) = json[name] { text } else { nil }
    }
    func integer(_ name: String) throws -> Int {
      guard case .integer(let integer) = json[name] else {
        throw DocumentError([AnyKey(name)], "it isn't an integer")
      }
      return integer
    }
    func value(_ name: String) throws -> JSONValue {
      guard let value = json[name] else { throw DocumentError([AnyKey(name)], "it is missing") }
      return value
    }
    func edit() throws -> ListEdit<JSONValue> {
      let position = try integer("position")
      if json["from"] == nil { return .inserted(position: position, try value("to")) }
      if json["to"] == nil { return .removed(position: position, try value("from")) }
      return .changed(position: position, old: try value("from"), new: try value("to"))
    }
    if let list = text("list") {
      self = .record(list: list, id: try integer("id"), try edit())
    } else if let set = text("set") {
      self = .element(set: set, try edit())
    } else if let feature = text("state") {
      self = .state(feature: feature, from: try value("from"), to: try value("to"))
    } else if let names = text("request")?.split(separator: ".", maxSplits: 1).map(String.init),
      names.count == 2
    {
      self = .request(
        feature: names[0], names[1], from: try value("from").decoded(),
        to: try value("to").decoded())
    } else if let field = text("field") {
      self = .value(field: field, from: try value("from"), to: try value("to"))
    } else {
      throw DocumentError([], "it isn't a change")
    }
  }

  @usableFromInline init(from decoder: any Decoder) throws {
    try self.init(JSONValue(from: decoder))
  }

  @usableFromInline func encode(to encoder: any Encoder) throws {
    try JSONValue(text: savedJSON).encode(to: encoder)
  }
}

/// Why a change can't be made.
typealias ChangeError = PlainError<Change>

extension ChangeError {
  static func changed(_ path: String) -> Self {
    Self("changed_since", "\(path) has been changed since: undo that first, or assign it.")
  }

  fileprivate static func gone(_ path: String) -> Self {
    Self("changed_since", "\(path) isn't in the app any more.")
  }

  fileprivate static var inseparable: Self {
    Self(
      "not_separable",
      "It was the step of a request, replaced all states, or changed a secret: only an undo of all that came later takes it back."
    )
  }
}
