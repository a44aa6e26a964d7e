import Lua
import StateStore

/// A set of a declared feature as code holds it; each access reads the current set.
final class SetObject: LuaDynamicObject {
  let luaClass: LuaObjectClass
  private let source: DeclaredSource
  private let place: Int

  init(_ luaClass: LuaObjectClass, _ source: DeclaredSource, _ place: Int) {
    (self.luaClass, self.source, self.place) = (luaClass, source, place)
  }

  static var luaTypeName: String { "set" }

  private var elements: DeclaredSet {
    get throws { try source.state.sets[place] }
  }

  private func change<Result>(_ change: (inout DeclaredSet) -> Result) throws -> Result {
    try source.draft(at: luaClass.name).changeSet(at: place, change)
  }

  static func makeClass(
    of type: ValueType, at path: String, _ values: DeclaredValues, changesLists: Bool
  ) -> LuaObjectClass {
    func element(_ arguments: LuaArguments) throws -> DeclaredSet.Element {
      let value = try type.checked(
        values.read(arguments.stack, at: arguments.index(of: 1)), at: path)
      guard let element = DeclaredSet.Element(value) else {
        throw arguments.badArgument(1, expected: type.name)
      }
      return element
    }
    return LuaObjectClass(path, of: SetObject.self) { members in
      members.sequence(
        count: { try $0.elements.count }, element: { try $0.elements[$1].stateValue })
      members.text { "\(path) (\(try $0.elements.count))" }
      members.method(
        LuaMember(
          function: "contains",
          parameters: [LuaParameter(name: "element", type: type.luaType(at: path))],
          types: [Bool.luaType], help: "Whether it has an element.",
          example: "\(path):contains(\(type.example))")
      ) { set, arguments in
        arguments.stack.push(try set.elements.contains(element(arguments)))
        return 1
      }
      guard changesLists else { return }
      members.method(.method("add", "element")) { set, arguments in
        let element = try element(arguments)
        arguments.stack.push(try set.change { $0.insert(element) })
        return 1
      }
      members.method(.method("remove", "element")) { set, arguments in
        let element = try element(arguments)
        arguments.stack.push(try set.change { $0.remove(element) })
        return 1
      }
      members.method(.method("clear")) { set, _ in
        try set.change { $0.removeAll() }
        return 0
      }
    }
  }
}

// MARK: - Records within values

/// The class of the records at a place, with those of the records in them.
final class PartClass {
  let path: String
  let luaClass: LuaObjectClass
  fileprivate let type: RecordType
  /// By the indexes of the parts.
  fileprivate let partClasses: [PartClass?]
  fileprivate let values: DeclaredValues

  init(of type: RecordType, at path: String, _ values: DeclaredValues) {
    (self.type, self.path, self.values) = (type, path, values)
    partClasses = type.parts.map { part in
      part.type.record.map { PartClass(of: $0, at: "\(path).\(part.name)", values) }
    }
    luaClass = PartObject.makeClass(of: type, at: path)
  }
}

/// A record within a value of a declared feature as code holds it; assigning a part assigns the whole value.
final class PartObject: LuaDynamicObject {
  private let partClass: PartClass
  private let place: ValuePlace

  fileprivate init(_ partClass: PartClass, _ place: ValuePlace) {
    (self.partClass, self.place) = (partClass, place)
  }

  static var luaTypeName: String { "record" }

  var luaClass: LuaObjectClass { partClass.luaClass }

  /// The record as a value.
  ///
  /// - Throws: ``DeclarationError`` if the place is empty by now.
  var value: StateValue {
    get throws { .record(try members) }
  }

  private var members: [StateValue.Member] {
    get throws {
      guard case .record(let members) = try place.get() else {
        throw DeclarationError("not_found", "\(partClass.path) is nil now")
      }
      return members
    }
  }

  private func value(ofPart index: Int) throws -> AnyPushable {
    let value = try members[index].value
    guard let partClass = partClass.partClasses[index], case .record = value else {
      return self.partClass.values.pushable(value)
    }
    return AnyPushable(PartObject(partClass, part(index)))
  }

  private func part(_ index: Int) -> ValuePlace {
    place.part(index, named: partClass.type.parts[index].name)
  }

  private func assign(_ stack: LuaStack, toPart index: Int) throws {
    let part = partClass.type.parts[index]
    let new = try part.type.checked(
      partClass.values.read(stack, at: 3), at: "\(partClass.path).\(part.name)")
    try self.part(index).set(new)
  }

  fileprivate static func makeClass(of type: RecordType, at path: String) -> LuaObjectClass {
    LuaObjectClass(path, of: PartObject.self) { members in
      for (index, part) in type.parts.enumerated() {
        let path = "\(path).\(part.name)"
        members.property(
          LuaMember(
            property: part.name, type: part.type.luaType(at: path), isWritable: true,
            help: part.name.asHelp, example: "print(\(path))"),
          get: { try $0.value(ofPart: index) }, assign: { try $0.assign($1, toPart: index) })
      }
      members.entries { object -> [(String, AnyPushable)] in
        let members = try object.members
        return try members.indices.filter { members[$0].value != .none }.map {
          (members[$0].name, try object.value(ofPart: $0))
        }
      }
      members.text { $0.luaClass.name }
    }
  }
}

extension PartObject: ShownRecord {
  package var typeName: String { luaClass.name }

  package var recordID: Int? { nil }

  package func recordContents() throws -> RecordContents {
    let fields = try members.map {
      RecordContents.Field(name: $0.name, value: $0.value, isAssignable: false)
    }
    return RecordContents(summary: nil, fields: fields)
  }
}

// MARK: - Values

/// A secret, as actions get it: they can compare it and keep it, but not read it.
final class SecretObject: LuaExposed {
  let secret: Secret

  init(_ secret: Secret) { self.secret = secret }

  static var luaTypeName: String { "secret" }

  static func describe(_ members: LuaClass<SecretObject>) {
    members.property(
      "is_empty", help: "Whether it has no characters.", example: "secret.is_empty"
    ) { $0.secret.isEmpty }
    members.operator(.equal) { (left: SecretObject, right: SecretObject) in
      left.secret == right.secret
    }
    members.text { $0.secret.description }
  }
}

/// Converts values between the states of declared features and a Lua state.
final class DeclaredValues {
  private let marks: JSONMarks
  /// Whether code gets secrets as objects, and not as bullets.
  private let keepsSecrets: Bool

  /// - Parameters:
  ///   - marks: The metatables of the state's JSON values.
  ///   - keepsSecrets: Whether code gets secrets as objects, and not as bullets.
  init(_ marks: JSONMarks, keepsSecrets: Bool) {
    (self.marks, self.keepsSecrets) = (marks, keepsSecrets)
  }

  /// A value for code.
  func pushable(_ value: StateValue) -> AnyPushable {
    if keepsSecrets, case .secret(let secret) = value { return AnyPushable(SecretObject(secret)) }
    return AnyPushable(value)
  }

  /// The value at a place in the state for code, which can assign the parts of a record.
  func pushable(_ place: ValuePlace, _ partClass: PartClass?) throws -> AnyPushable {
    let value = try place.get()
    guard let partClass, case .record = value else { return pushable(value) }
    return AnyPushable(PartObject(partClass, place))
  }

  /// A value that code gives.
  func read(_ stack: LuaStack, at index: Int32) throws -> StateValue {
    try JSONWriter.plainValue(at: index, of: stack) ?? value(of: stack.value(at: index))
  }

  /// A value that code gives.
  ///
  /// - Throws: ``JSONError`` for a value that can't be saved.
  func value(of value: LuaValue) throws -> StateValue {
    switch value {
    case .nil: .none
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(Int(value))
    case .number, .string, .table, .userdata, .function, .coroutine:
      try JSONWriter.value(of: value, marks) { object in
        switch try object.hostObject() {
        case let secret as SecretObject: .secret(secret.secret)
        case let part as PartObject: try part.value
        case let record as RecordObject: try record.value()
        default: nil
        }
      }
    }
  }
}
