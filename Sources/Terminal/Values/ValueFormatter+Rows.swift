package import Lua
package import Scripting
package import StateStore

extension ValueFormatter {
  /// The elements of a list, with the fields of records in the order in which they are shown; nil for another value.
  package func rows(of value: LuaValue, in app: ScriptedApp) throws -> [StateValue]? {
    guard let list = try reader(.whole).sequence(of: value), list.count > 0 else { return nil }
    return try (1...list.count).map { position in
      let element = try list.element(position).value
      if case .userdata(let object) = element,
        let record = try object.hostObject() as? RecordObject
      {
        return try record.contents().stateValue
      }
      return try app.jsonValue(of: element)
    }
  }
}
