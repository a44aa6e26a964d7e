package import Lua
import StateStore

/// The documentation of an app: its modules, the classes of the objects that they give, and the global variables.
package struct Reference {
  /// The modules, in the order that help lists them.
  package let modules: [LuaModule]

  /// The number of modules that belong to a store, and so are fields of `app`; they are the first.
  let storeModuleCount: Int

  let errorCodes: () -> [String: [String]]

  /// The classes of the objects that scripts get, read from their descriptions.
  package var classes: [LuaObjectClass] {
    ObjectClasses(of: modules).classes
  }
}

/// The classes of the objects that modules give to scripts, found by the types of their members.
private struct ObjectClasses {
  private(set) var classes: [LuaObjectClass] = []

  init(of modules: [LuaModule]) {
    for module in modules {
      for member in module.documentation { add(member.valueTypes) }
      if let type = module.elementType { add([type]) }
    }
    add([StoreSubscription.luaType, LuaTask.luaType])
  }

  private mutating func add(_ types: [LuaValueType]) {
    for type in types {
      if case .object(let objectClass) = type { add(objectClass) }
      add(type.parts)
    }
  }

  private mutating func add(_ objectClass: LuaObjectClass) {
    guard !classes.contains(objectClass) else { return }
    classes.append(objectClass)
    for member in objectClass.members { add(member.valueTypes) }
    if let type = objectClass.elementType { add([type]) }
  }
}

extension LuaObjectClass {
  /// A member as scripts write it: "task:await(): any...", "person.age: integer".
  func signature(of member: LuaMember) -> String {
    name + (member.isFunction ? ":" : ".") + member.signature
  }
}

extension LuaMember {
  package var isFunction: Bool { if case .function = kind { true } else { false } }

  /// The help line, and what the kind of the member adds to it.
  var fullHelp: String {
    switch kind {
    case .function(waits: true): help + " Waits; other tasks continue."
    case .property(isWritable: true) where !help.contains("assign"): help + " Assignable."
    case .function, .property: help
    }
  }

  /// The fields of its tables of options that are described.
  var describedOptions: [LuaParameter] {
    parameters.flatMap(\.options).filter { !$0.help.isEmpty }
  }
}

extension Reference {
  /// The global variables that aren't modules.
  static let globals = SignatureTable(
    """
    app: app | The session's modules as fields; store.new() makes another app.
      app.store.undo()
    help([x: any]) | Describes all modules, a module, a function or an object; searches for a text.
      help(store.undo)
    inspect(value: any): string | Writes a value as Lua text: tables with their contents, sorted by key.
      print(inspect({ 1, 2, x = "y" }))
    show(...: any) | Prints values as the prompt shows them: a list of records as a table, with all rows.
      show(todo.items)
    template(text: string, values: table): string | Fills a text with values by their paths, and formats of string.format.
      print(template("{name}: {price.net:%.2f}", { name = "pen", price = { net = 1.5 } }))
    arg: string[] | The script's arguments; the script itself is arg[0].
      print(arg[1])
    """)
}
