import Lua
import StateStore

/// A set as code holds it; each access reads the current set.
final class SetObject: LuaDynamicObject {
  let luaClass: LuaObjectClass
  private let field: FieldClass
  private let list: StateList
  private let set: StateSet
  private let source: ObjectSource

  init(
    _ luaClass: LuaObjectClass, of field: FieldClass, _ list: StateList, _ set: StateSet,
    _ source: ObjectSource
  ) {
    (self.luaClass, self.field, self.source) = (luaClass, field, source)
    (self.list, self.set) = (list, set)
  }

  static var luaTypeName: String { "set" }

  private var count: Int {
    get throws { try list.count(source.state) }
  }

  private func contains(_ element: StateValue) throws -> Bool {
    try set.contains(source.state, element)
  }

  private func change<Result>(_ change: (inout DeclaredSet) -> Result) throws -> Result {
    let draft = try source.draft(at: field.path)
    guard case .set(_, let place)? = field.draft?.kind else {
      preconditionFailure("Only the classes for drafts have methods that change sets.")
    }
    return try draft.changeSet(at: place, change)
  }

  static func makeClass(
    of type: ValueType, at path: String, _ rules: ObjectRules
  ) -> LuaObjectClass {
    func element(_ arguments: LuaArguments) throws -> StateValue {
      try type.checked(
        rules.values.read(arguments.stack, at: arguments.index(of: 1)), at: path)
    }
    func declaredElement(_ arguments: LuaArguments) throws -> SortKey {
      guard let element = SortKey(try element(arguments)) else {
        throw arguments.badArgument(1, expected: type.name)
      }
      return element
    }
    return LuaObjectClass(path, of: SetObject.self) { members in
      members.sequence(
        count: { try $0.count }, element: { $0.list.elements(try $0.source.state)[$1] })
      members.text { "\(path) (\(try $0.count))" }
      members.method(
        LuaMember(
          function: "contains",
          parameters: [LuaParameter(name: "element", type: type.luaType(at: path))],
          types: [Bool.luaType], help: "Whether it has an element.",
          example: "\(path):contains(\(type.example))")
      ) { set, arguments in
        arguments.stack.push(try set.contains(element(arguments)))
        return 1
      }
      guard rules.changesLists else { return }
      members.method(.method("add", "element")) { set, arguments in
        let element = try declaredElement(arguments)
        arguments.stack.push(try set.change { $0.insert(element) })
        return 1
      }
      members.method(.method("remove", "element")) { set, arguments in
        let element = try declaredElement(arguments)
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
