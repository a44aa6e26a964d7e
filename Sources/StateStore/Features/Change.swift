import Foundation

/// A change of the state in a form that can be stored: making it runs no code of a feature.
@usableFromInline enum Change: Equatable, Sendable {
  /// A field has another value, or all elements of a list or set are others.
  case value(field: String, from: JSONValue, to: JSONValue)
  /// A list was edited: the record with an id. An edit is made where the record is, which may be at another position by now.
  case record(list: String, id: Int, ListEdit<JSONValue>)
  /// The state of a feature with properties that no field shows, without its records.
  case state(feature: String, from: JSONValue, to: JSONValue)

  /// The change that takes this one back.
  var inverse: Change {
    switch self {
    case .value(let field, let old, let new): .value(field: field, from: new, to: old)
    case .record(let list, let id, let edit): .record(list: list, id: id, edit.inverse)
    case .state(let feature, let old, let new): .state(feature: feature, from: new, to: old)
    }
  }
}

// MARK: - Making

extension StoreSchema {
  /// Makes changes: all of them, or none.
  ///
  /// - Throws: ``ChangeError`` if a field or record isn't as it was before the change, or the app doesn't have it any more;
  ///   or the error of reading a value.
  /// - Complexity: O(changes · log records), and O(elements) for all elements of a list.
  func make(_ changes: [Change], in states: inout States) throws {
    let old = states
    do {
      for change in changes { try make(change, in: &states) }
      // Only now, as a record that has changed and moved is on its way in between.
      for case .record(let list, let id, _) in changes { try sort(id, of: list, in: &states) }
    } catch {
      states = old
      throw error
    }
  }

  private func sort(_ id: Int, of list: String, in states: inout States) throws {
    let list = try self.list(at: list)
    try list.log.sort(states.slots[list.index], id)
  }

  /// The list of records at a path, and the index of its feature.
  private func list(
    at path: String
  ) throws(ChangeError) -> (index: Int, records: StateRecords, log: StateList.Log) {
    guard let field = fields.first(where: { $0.path == path }), let records = field.list?.records,
      let log = field.list?.log
    else { throw ChangeError.gone(path) }
    return (field.index, records, log)
  }

  private func make(_ change: Change, in states: inout States) throws {
    switch change {
    case .value(let path, let old, let new):
      guard let field = fields.first(where: { $0.path == path }), let restore = field.restore
      else { throw ChangeError.gone(path) }
      states.makeMutable(field.index)
      let box = states.slots[field.index]
      guard try JSONValue(stored: field.value(in: box)) == old else {
        throw ChangeError.changed(path)
      }
      try new.read { try restore(box, $0) }
    case .record(let path, let id, let edit):
      let list = try list(at: path)
      states.makeMutable(list.index)
      let box = states.slots[list.index]
      let position = list.records.position(box, id)
      let found = try list.records.record(box, id).map { try JSONValue(stored: $0.stateValue) }
      guard found == edit.old else { throw ChangeError.changed("\(path):get(\(id))") }
      let placed = edit.placed(at: position)
      try (edit.new ?? .null).read { decoder in
        try list.log.edit(box, placed.mapped { _ in decoder })
      }
    case .state(let name, let old, let new):
      guard let feature = feature(named: name) else { throw ChangeError.gone(name) }
      states.makeMutable(feature.index)
      let box = states.slots[feature.index]
      let version = feature.backend.version(of: box, after: nil)
      guard try JSONValue(of: version) == old else { throw ChangeError.changed(name) }
      let state = try new.decoded(with: self, feature.backend.decodeState)
      for (request, value) in box.requests { state.setRequest(request, to: value) }
      feature.backend.restore(state, in: box)
    }
  }
}

extension ListEdit<JSONValue> {
  /// The record before the edit; nil if there was none.
  fileprivate var old: JSONValue? {
    switch self {
    case .inserted: nil
    case .removed(_, let record), .changed(_, let record, _): record
    }
  }

  /// The record after the edit; nil if there is none.
  fileprivate var new: JSONValue? {
    switch self {
    case .removed: nil
    case .inserted(_, let record), .changed(_, _, let record): record
    }
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
  /// What an action changed, in the order in which it can be made again.
  ///
  /// - Throws: ``ChangeError`` for an action whose changes can't be made apart from others; an `EncodingError`.
  func changes(by delta: StateDelta) throws -> [Change] {
    switch delta {
    case .none: []
    case .feature(let delta, let index): try changes(by: delta, of: features[index])
    case .group(let parts): try parts.flatMap { try changes(by: $0) }
    case .states, .unknown: throw ChangeError.inseparable
    }
  }

  private func changes(by delta: FeatureDelta, of feature: SchemaFeature) throws -> [Change] {
    guard delta.before.requests == delta.after.requests else { throw ChangeError.inseparable }
    var changes: [Change] = []
    if delta.before !== delta.after {
      if feature.backend.hasHiddenState {
        changes.append(
          .state(
            feature: feature.name, from: try JSONValue(of: delta.before),
            to: try JSONValue(of: delta.after)))
      } else {
        for field in feature.fields where field.restore != nil && field.list?.log == nil {
          let (old, new) = (field.value(in: delta.before), field.value(in: delta.after))
          guard old != new else { continue }
          changes.append(
            .value(
              field: field.path, from: try JSONValue(stored: old), to: try JSONValue(stored: new)))
        }
      }
    }
    let lists = feature.fields.filter { $0.list?.log != nil }
    for (index, delta) in delta.lists {
      if let log = lists[index].list?.log {
        changes += try self.changes(by: delta, of: lists[index], log)
      }
    }
    return changes
  }

  private func changes(
    by delta: AnyObject, of field: StateField, _ log: StateList.Log
  ) throws -> [Change] {
    switch log.edits(delta) {
    case nil: []
    case .edits(let edits):
      try zip(log.ids(delta), edits).map { id, edit in
        .record(list: field.path, id: id, try edit.mapped { try JSONValue(stored: $0) })
      }
    case .replaced(let old, let new):
      [
        .value(
          field: field.path, from: .list(try old.map { try JSONValue(stored: $0) }),
          to: .list(try new.map { try JSONValue(stored: $0) }))
      ]
    }
  }
}

// MARK: - Stored form

extension JSONValue {
  /// The stored form of a value.
  ///
  /// - Throws: ``ChangeError`` for a secret, which is never stored.
  fileprivate init(stored value: StateValue) throws {
    var hasSecret = false
    self.init(value) { secret in
      hasSecret = hasSecret || !secret.isEmpty
      return ""
    }
    if hasSecret { throw ChangeError.inseparable }
  }

  /// The stored form of a feature's state.
  fileprivate init(of state: AnyFeatureState) throws {
    self = try JSONValue(encoding: EncodedSlot(slot: state))
  }

  /// Calls a closure with a decoder of the stored form.
  fileprivate func read(_ body: @escaping (any Decoder) throws -> Void) throws {
    try DocumentCoding.read(self, body)
  }
}

extension Change: Codable {
  private enum CodingKeys: CodingKey {
    case field, list, id, state, position, from, to
  }

  @usableFromInline func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    func encode(_ old: JSONValue?, _ new: JSONValue?) throws {
      try container.encodeIfPresent(old, forKey: .from)
      try container.encodeIfPresent(new, forKey: .to)
    }
    switch self {
    case .value(let field, let old, let new):
      try container.encode(field, forKey: .field)
      try encode(old, new)
    case .record(let list, let id, let edit):
      try container.encode(list, forKey: .list)
      try container.encode(id, forKey: .id)
      try container.encode(edit.position, forKey: .position)
      try encode(edit.old, edit.new)
    case .state(let feature, let old, let new):
      try container.encode(feature, forKey: .state)
      try encode(old, new)
    }
  }

  @usableFromInline init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func value(_ key: CodingKeys) throws -> JSONValue {
      try container.decode(JSONValue.self, forKey: key)
    }
    if let list = try container.decodeIfPresent(String.self, forKey: .list) {
      let position = try container.decode(Int.self, forKey: .position)
      let edit: ListEdit<JSONValue> =
        if !container.contains(.from) {
          .inserted(position: position, try value(.to))
        } else if !container.contains(.to) {
          .removed(position: position, try value(.from))
        } else {
          .changed(position: position, old: try value(.from), new: try value(.to))
        }
      self = .record(list: list, id: try container.decode(Int.self, forKey: .id), edit)
    } else if let feature = try container.decodeIfPresent(String.self, forKey: .state) {
      self = .state(feature: feature, from: try value(.from), to: try value(.to))
    } else {
      self = .value(
        field: try container.decode(String.self, forKey: .field), from: try value(.from),
        to: try value(.to))
    }
  }
}

/// Why a change can't be made.
typealias ChangeError = PlainError<Change>

extension ChangeError {
  fileprivate static func changed(_ path: String) -> Self {
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
