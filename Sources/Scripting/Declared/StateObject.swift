import Lua
import StateStore

/// The state of a declared feature, as the code of actions and derived values gets it.
final class StateObject: LuaDynamicObject {
  let luaClass: LuaObjectClass
  let source: ObjectSource

  init(_ luaClass: LuaObjectClass, _ source: ObjectSource) {
    (self.luaClass, self.source) = (luaClass, source)
  }

  static var luaTypeName: String { "state" }

  static func makeClass(
    of declaration: FeatureDeclaration, _ fields: [FieldClass],
    derivedValue: @escaping (Int, StateObject) throws -> AnyPushable
  ) -> LuaObjectClass {
    let name = declaration.name
    return LuaObjectClass(name, of: StateObject.self) { members in
      for field in fields {
        members.property(
          .property(field.field.name),
          get: {
            try $0.source.recordRead(of: field.field)
            return try field.value(in: $0.source, as: field.object(in: $0.source))
          },
          assign: { try field.assign($1, in: $0.source) })
      }
      for (index, derived) in declaration.derived.enumerated() {
        members.property(
          .property(derived.field.name), get: { try derivedValue(index, $0) },
          assign: { _, _ in
            throw DeclarationError(
              "read_only", "\(name).\(derived.field.name) is derived and can't be assigned")
          })
      }
      members.text { _ in name }
    }
  }
}

extension LuaMember {
  /// The documentation of a property of an action's code, which nobody reads.
  fileprivate static func property(_ name: String) -> LuaMember {
    LuaMember(
      property: name, type: LuaValue.luaType, isWritable: true, help: "", example: "")
  }
}
