package import Lua
import StateStore

/// A map of the state as code holds it; each access reads the current one.
package final class MapObject: LuaDynamicObject, JSONRepresentable {
  package let luaClass: LuaObjectClass
  /// The keys with their values, in the order of the keys.
  let records: ListObject
  private let idOfKey: IDOfKey

  /// Finds the id of the record with a key; nil if there is none.
  typealias IDOfKey = @Sendable (AnyFeatureState, _ key: StateValue) -> Int?

  init(_ luaClass: LuaObjectClass, _ records: ListObject, idOfKey: @escaping IDOfKey) {
    (self.luaClass, self.records, self.idOfKey) = (luaClass, records, idOfKey)
  }

  package static var luaTypeName: String { "map" }

  private var listClass: ListClass { records.listClass }

  /// The index of the values among the parts of the records.
  private static let valueIndex = 1

  static func makeClass(of list: ListClass, at path: String) -> LuaObjectClass {
    LuaObjectClass(path, of: MapObject.self) { members in
      members.subscripts(
        get: { (map, key: LuaValue) in try map.value(of: key) },
        set: { (map, key: LuaValue, value: LuaValue) in try map.set(value, of: key) })
      members.entries { map in try map.entries() }
      members.operator(.length) { (map: MapObject) in try map.records.count }
      members.text { "\(path) (\(try $0.records.count))" }
    }
  }

  private func key(_ value: LuaValue) throws -> StateValue {
    try listClass.record.type.parts[0].type.checked(
      listClass.rules.values.value(of: value), at: "\(listClass.path), the key")
  }

  private func id(of key: StateValue) throws -> Int? { try idOfKey(records.source.state, key) }

  private func value(of key: LuaValue) throws -> AnyPushable? {
    try id(of: self.key(key)).map { try records.record($0).pushable(part: Self.valueIndex) }
  }

  private func set(_ value: LuaValue, of key: LuaValue) throws {
    guard let draftList = listClass.draft, case .draft(let draft) = records.source else {
      throw listClass.rules.readOnly(listClass.path)
    }
    let key = try self.key(key)
    let id = try id(of: key)
    let part = listClass.record.type.parts[Self.valueIndex]
    let place = "\(listClass.path)[\(key.luaLiteral)]"
    let new = try listClass.rules.values.value(of: value, as: part.type)
    guard new != .none else {
      if let id { try draft.remove([id], from: draftList) }
      return
    }
    let checked = try part.type.checked(new, at: place)
    if let id {
      _ = try draft.set(checked, at: Self.valueIndex, ofRecord: id, in: draftList)
    } else {
      _ = try draft.insert([key, checked], in: draftList)
    }
  }

  /// The keys now, with their values: records with the fields `key` and `value`.
  package func rows() throws(LuaError) -> [RecordObject] {
    try TableRows.catching { try records.ids.map { records.record($0) } }
  }

  /// An object, whose names are the keys.
  func jsonValue(isForState: Bool) throws -> StateValue? {
    let value = StateValue.record(
      try records.ids.compactMap { id in
        guard let record = try records.value(ofRecord: id),
          let key = record[DeclaredList.keyName],
          let value = record[DeclaredList.valueName]
        else { return nil }
        let name = if case .text(let text) = key { text } else { key.json }
        return .init(name: name, value: value)
      }
    )
    return isForState ? value : value.withBullets
  }

  private func entries() throws -> [(AnyPushable, AnyPushable)] {
    try records.ids.map { id in
      let record = records.record(id)
      return (try record.pushable(part: 0), try record.pushable(part: Self.valueIndex))
    }
  }
}
