import Lua
import StateStore

/// A set of the state, as actions and derived values get it.
final class SetView: LuaDynamicObject {
  let luaClass: LuaObjectClass
  private let source: DeclaredSource
  private let place: Int

  init(_ source: DeclaredSource, _ place: Int, _ luaClass: LuaObjectClass) {
    (self.source, self.place, self.luaClass) = (source, place, luaClass)
  }

  static var luaTypeName: String { "set" }

  private var elements: DeclaredSet {
    get throws { try source.state.sets[place] }
  }

  static func makeClass(
    of type: ValueType, at path: String, _ values: DeclaredValues
  ) -> LuaObjectClass {
    func element(_ arguments: LuaArguments) throws -> DeclaredSet.Element {
      let value = try type.checked(
        values.read(arguments.stack, at: arguments.index(of: 1)), at: path)
      guard let element = DeclaredSet.Element(value) else {
        throw arguments.badArgument(1, expected: type.name)
      }
      return element
    }
    return LuaObjectClass(path, of: SetView.self) { members in
      members.sequence(
        count: { try $0.elements.count }, element: { try $0.elements[$1].stateValue })
      members.method(.method("contains", "element")) { view, arguments in
        arguments.stack.push(try view.elements.contains(element(arguments)))
        return 1
      }
      members.method(.method("add", "element")) { view, arguments in
        let element = try element(arguments)
        let isNew = try view.source.draft(at: path).changeSet(at: view.place) {
          $0.insert(element)
        }
        arguments.stack.push(isNew)
        return 1
      }
      members.method(.method("remove", "element")) { view, arguments in
        let element = try element(arguments)
        let wasThere = try view.source.draft(at: path).changeSet(at: view.place) {
          $0.remove(element)
        }
        arguments.stack.push(wasThere)
        return 1
      }
      members.method(.method("clear")) { view, _ in
        try view.source.draft(at: path).changeSet(at: view.place) { $0.removeAll() }
        return 0
      }
      members.text { "\(path) (\(try $0.elements.count))" }
    }
  }
}

extension [StateValue.Member] {
  /// The members that have a value, for `pairs`.
  var entries: [(String, StateValue)] {
    filter { $0.value != .none }.map { ($0.name, $0.value) }
  }
}

/// A record within a value, as actions and derived values get it: bound to its place, which assigning a part changes.
final class PartView: LuaDynamicObject {
  let luaClass: LuaObjectClass
  private let place: ValuePlace

  init(_ place: ValuePlace, _ luaClass: LuaObjectClass) {
    (self.place, self.luaClass) = (place, luaClass)
  }

  static var luaTypeName: String { "record" }

  /// The record as a value.
  ///
  /// - Throws: ``DeclarationError`` if the place is empty by now.
  var value: StateValue {
    get throws { .record(try members) }
  }

  var members: [StateValue.Member] {
    get throws {
      guard case .record(let members) = try place.get() else {
        throw DeclarationError("not_found", "\(luaClass.name) is nil now")
      }
      return members
    }
  }

  func set(_ new: StateValue, at index: Int) throws {
    var members = try members
    members[index] = StateValue.Member(name: members[index].name, value: new)
    try place.set(.record(members))
  }
}

/// A secret, as actions get it: they can compare it and keep it, but not read it.
final class SecretView: LuaExposed {
  let secret: Secret

  init(_ secret: Secret) { self.secret = secret }

  static var luaTypeName: String { "secret" }

  static func describe(_ members: LuaClass<SecretView>) {
    members.property(
      "is_empty", help: "Whether it has no characters.", example: "secret.is_empty"
    ) { $0.secret.isEmpty }
    members.operator(.equal) { (left: SecretView, right: SecretView) in
      left.secret == right.secret
    }
    members.text { $0.secret.description }
  }
}

/// Converts values between the state and the code of declarations.
final class DeclaredValues {
  private let marks: JSONMarks
  /// By the paths of the records.
  private var partClasses: [String: LuaObjectClass] = [:]

  init(_ marks: JSONMarks) { self.marks = marks }

  /// An argument for code.
  func pushable(_ value: StateValue, of type: ValueType) -> AnyPushable {
    if case .secret(let secret) = value { return AnyPushable(SecretView(secret)) }
    return AnyPushable(value)
  }

  /// The value at a place in the state for code, which can assign the parts of a record.
  func pushable(
    _ type: ValueType, at path: String, _ place: ValuePlace
  ) throws -> AnyPushable {
    let value = try place.get()
    switch (type, value) {
    case (.optional(.record(let type)), .record), (.record(let type), .record):
      return AnyPushable(PartView(place, partClass(of: type, at: path)))
    default: return pushable(value, of: type)
    }
  }

  private func partClass(of type: RecordType, at path: String) -> LuaObjectClass {
    if let known = partClasses[path] { return known }
    let new = LuaObjectClass(path, of: PartView.self) { [weak self] members in
      func value(_ index: Int, of view: PartView) throws -> AnyPushable {
        guard let self else { throw LuaError.closed }
        let part = type.parts[index]
        return try self.pushable(
          part.type, at: "\(path).\(part.name)",
          ValuePlace {
            try view.members[index].value
          } set: {
            try view.set($0, at: index)
          })
      }
      for (index, part) in type.parts.enumerated() {
        let path = "\(path).\(part.name)"
        members.property(
          .property(part.name), get: { try value(index, of: $0) },
          assign: { view, stack in
            guard let self else { throw LuaError.closed }
            try view.set(part.type.checked(self.read(stack, at: 3), at: path), at: index)
          })
      }
      members.entries { view -> [(String, AnyPushable)] in
        let values = try view.members.map(\.value)
        return try type.parts.indices.filter { values[$0] != .none }.map {
          (type.parts[$0].name, try value($0, of: view))
        }
      }
      members.text { $0.luaClass.name }
    }
    partClasses[path] = new
    return new
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
        case let secret as SecretView: .secret(secret.secret)
        case let part as PartView: try part.value
        case let record as RecordView: try record.value()
        default: nil
        }
      }
    }
  }
}
