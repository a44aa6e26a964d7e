/// The parts of saved records that a program doesn't have, which it saves as it found them.
///
/// Whoever has them may change them meanwhile: they follow from each change that this program reads.
package struct UnknownParts: Equatable, Sendable {
  /// Those of records that are fields, by the fields' paths.
  private var fields: [String: JSONValue] = [:]
  /// Those of the records of lists, by the lists' paths and the records' ids.
  private var lists: [String: [Int: JSONValue]] = [:]

  mutating func remove(_ path: String) {
    fields[path] = nil
    lists[path] = nil
  }

  /// Records a change of a field, or of all records of a list.
  mutating func follow(from old: JSONValue?, to new: JSONValue, at path: String, of type: ValueType)
  {
    guard type.element?.record != nil, case .list(let elements) = new else {
      fields[path] = Self.parts(fields[path], from: old, to: new, of: type)
      return
    }
    for element in elements {
      if let id = element.id { follow(from: nil, to: element, id: id, in: path, of: type) }
    }
  }

  mutating func follow(
    from old: JSONValue?, to new: JSONValue, id: Int, in list: String, of type: ValueType
  ) {
    guard let element = type.element else { return }
    let known = lists[list]?[id]
    let parts = Self.parts(known, from: old, to: new, of: element)
    if parts != known { lists[list, default: [:]][id] = parts }
  }

  /// A record that was removed may come back.
  mutating func follow(_ edit: ListEdit<JSONValue>, id: Int, in list: String, of type: ValueType) {
    if let new = edit.new { follow(from: edit.old, to: new, id: id, in: list, of: type) }
  }

  /// The parts after a change; those that it doesn't change stay as they are.
  private static func parts(
    _ known: JSONValue?, from old: JSONValue?, to new: JSONValue, of type: ValueType
  ) -> JSONValue? {
    let parts = type.unknownParts(of: new)
    guard let parts, known == nil || parts != old.flatMap(type.unknownParts) else { return known }
    return parts.adding(known)
  }

  /// The fields whose parts are others than earlier, and the ids of such records by the paths of their lists.
  func differences(from old: UnknownParts) -> (fields: Set<String>, lists: [String: Set<Int>]) {
    let fields = Set(self.fields.keys.filter { self.fields[$0] != old.fields[$0] })
    let lists = self.lists.reduce(into: [String: Set<Int>]()) { lists, list in
      let earlier = old.lists[list.key] ?? [:]
      guard list.value != earlier else { return }
      lists[list.key] = Set(list.value.keys.filter { list.value[$0] != earlier[$0] })
    }
    return (fields, lists)
  }

  var values: [(path: String, value: JSONValue)] {
    var found: [(String, JSONValue)] = []
    for (path, parts) in fields { found += parts.members(at: path) }
    for (path, records) in lists {
      for (id, parts) in records { found += parts.members(at: "\(path):get(\(id))") }
    }
    return found
  }
}

// MARK: - Saving

extension UnknownParts {
  /// A change of what is saved, with the parts.
  func added(to change: FieldChange) -> FieldChange {
    switch change.change {
    case .value(let new, let old):
      guard let parts = fields[change.path] else { return change }
      return FieldChange(path: change.path, change: .value(new: new.adding(parts), old: old))
    case .list(let edits):
      guard let records = lists[change.path] else { return change }
      func whole(_ element: StateValue) -> StateValue {
        guard element.hasIdentifier, let parts = records[element.identifier] else { return element }
        return element.adding(parts)
      }
      switch edits {
      case .edits(let edits):
        return FieldChange(path: change.path, change: .list(.edits(edits.map { $0.mapped(whole) })))
      case .replaced(let old, let new):
        return FieldChange(
          path: change.path,
          change: .list(.replaced(old: old, new: ListElements(new.map(whole)))))
      }
    }
  }

  /// A change of the history, with the parts, which stay as they are.
  func added(to change: Change) -> Change {
    switch change {
    case .value(let path, let old, let new):
      .value(field: path, from: added(to: old, at: path), to: added(to: new, at: path))
    case .record(let list, let id, let edit):
      .record(list: list, id: id, edit.mapped { added(to: $0, id: id, in: list) })
    case .element, .state, .request: change
    }
  }

  /// The value of a field, or all records of a list, with the parts.
  func added(to value: JSONValue, at path: String) -> JSONValue {
    if let parts = fields[path] { return value.adding(parts) }
    guard lists[path] != nil, case .list(let elements) = value else { return value }
    return .list(
      elements.map { element in element.id.map { added(to: element, id: $0, in: path) } ?? element }
    )
  }

  func added(to record: JSONValue, id: Int, in list: String) -> JSONValue {
    lists[list]?[id].map { record.adding($0) } ?? record
  }
}

extension ValueType {
  /// The parts of a saved value that the type doesn't have; nil if there are none.
  fileprivate func unknownParts(of value: JSONValue) -> JSONValue? {
    guard let record, case .object(let members) = value else { return nil }
    var unknown: [String: JSONValue] = [:]
    for (name, value) in members where name != "id" {
      unknown[name] =
        record.index(of: name).map { record.parts[$0].type.unknownParts(of: value) } ?? value
    }
    return unknown.isEmpty ? nil : .object(unknown)
  }
}

extension JSONValue {
  fileprivate var id: Int? { if case .integer(let id)? = self["id"] { id } else { nil } }

  /// The record with parts that it lacks.
  fileprivate func adding(_ parts: JSONValue?) -> JSONValue {
    guard case .object(var members) = self, case .object(let parts)? = parts else { return self }
    for (name, part) in parts { members[name] = members[name].map { $0.adding(part) } ?? part }
    return .object(members)
  }

  fileprivate func members(at path: String) -> [(String, JSONValue)] {
    guard case .object(let members) = self else { return [(path, self)] }
    return members.flatMap { $0.value.members(at: "\(path).\($0.key)") }
  }
}

extension StateValue {
  fileprivate func adding(_ parts: JSONValue) -> StateValue {
    guard case .record(var members) = self, case .object(var rest) = parts else { return self }
    for index in members.indices {
      guard let part = rest.removeValue(forKey: members[index].name) else { continue }
      members[index] = .init(name: members[index].name, value: members[index].value.adding(part))
    }
    for (name, part) in rest.sorted(by: { $0.key < $1.key }) {
      members.append(.init(name: name, value: part.stateValue { $0 }))
    }
    return .record(members)
  }
}
