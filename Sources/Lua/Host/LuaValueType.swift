/// The type of a value that scripts get: a Swift type, or one that is only known at run time.
@usableFromInline package indirect enum LuaValueType: Sendable {
  case swift(any SendableMetatype.Type)
  /// Values without members, of a type with a name.
  case value(name: String)
  /// Texts, of a type with a name.
  case text(name: String)
  /// Objects of a class.
  case object(LuaObjectClass)
  /// Tables with elements of a type.
  case list(of: LuaValueType)
  /// Tables with known fields; the name is that of their class in editors.
  case table(name: String, fields: [LuaTableField])

  /// The same type, with what scripts can do with its values: a Swift type only if it is neither a class, nor a list.
  ///
  /// A value that may be missing has the type of one that is there.
  package var resolved: LuaValueType {
    guard case .swift(let type) = self else { return self }
    if let optional = type as? any LuaOptionalType.Type {
      return LuaValueType.swift(optional.wrappedType).resolved
    }
    if let array = type as? any LuaArrayType.Type { return .list(of: .swift(array.elementType)) }
    if let value = type as? any LuaExposedValue.Type {
      return .object(LuaObjectClass(value.boxType))
    }
    if let handle = type as? any LuaObjectHandle.Type { return .object(handle.luaClass) }
    if let type = type as? any LuaExposed.Type { return .object(LuaObjectClass(type)) }
    return self
  }

  /// The name in signatures.
  package var name: String {
    switch self {
    case .swift(let type): (type as? any LuaPushable.Type)?.luaTypeName ?? "any"
    case .value(let name), .text(let name): name
    case .object(let objectClass): objectClass.name
    case .list(let element): "\(element.name)[]"
    case .table: LuaTable.luaTypeName
    }
  }
}

/// A field of a table whose fields are only known at run time.
@usableFromInline package struct LuaTableField: Sendable {
  package let name: String
  /// The type's name in signatures; one that ends in "?" may be missing.
  package let type: String
  package let valueType: LuaValueType?
  package let help: String

  package init(name: String, type: String, valueType: LuaValueType? = nil, help: String = "") {
    (self.name, self.type, self.valueType, self.help) = (name, type, valueType, help)
  }
}
