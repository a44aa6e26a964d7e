import Lua
import StateStore

/// The values of an app's features, as the derived value that is being computed gets them.
final class AppObject: LuaExposed {
  // It doesn't hold the states: the Lua state that holds the view belongs to the code of their features.
  private weak var runtime: DeclaredRuntime?
  /// The path of the values; empty for the app.
  private let path: String

  init(_ runtime: DeclaredRuntime, path: String = "") {
    (self.runtime, self.path) = (runtime, path)
  }

  static var luaTypeName: String { "app" }

  private func value(named name: String) throws -> any LuaPushable {
    guard let runtime, let states = runtime.currentStates else {
      throw DeclarationError(
        "not_available", "app has values only while a derived value that reads it is computed")
    }
    let prefix = path.isEmpty ? "" : path + "."
    let fields = runtime.fields
    if let field = fields.first(where: { $0.path == prefix + name }) {
      switch try runtime.read(field, in: states) {
      case .value(let value):
        guard let reference = field.type.reference else { return value }
        return runtime.record(value, of: reference, in: states) ?? StateValue.none
      case .elements(let elements):
        return field.list?.isMap == true
          ? AppMap(elements) : ElementsObject(elements)
      }
    }
    guard fields.contains(where: { $0.path.hasPrefix("\(prefix)\(name).") }) else {
      let names = fields.lazy.filter { $0.path.hasPrefix(prefix) }
        .map { String($0.path.dropFirst(prefix.count).prefix { $0 != "." }) }
      throw DeclarationError(
        "unknown_field",
        "the app has no field '\((prefix + name).shortenedForMessage)'"
          + (name.suggestion(of: Array(names)) ?? ""))
    }
    return AppObject(runtime, path: prefix + name)
  }

  static func describe(_ members: LuaClass<AppObject>) {
    members.dynamicFields { app, name in try app.value(named: name) }
  }
}

/// A map of another feature, as derived values get it.
private struct AppMap: LuaPushable {
  let elements: ListElements<StateValue>

  init(_ elements: ListElements<StateValue>) { self.elements = elements }

  static var luaTypeName: String { "table" }

  func push(to stack: LuaStack) throws(LuaError) {
    try stack.pushTable(fieldCount: elements.count) { table throws(LuaError) in
      for element in elements {
        guard let key = element[DeclaredList.keyName],
          let value = element[DeclaredList.valueName]
        else { continue }
        try table.set(key: key, to: value)
      }
    }
  }
}

/// A list of another feature, as derived values get it: its elements are tables.
private final class ElementsObject: LuaExposed {
  let elements: ListElements<StateValue>

  init(_ elements: ListElements<StateValue>) { self.elements = elements }

  static var luaTypeName: String { "list" }

  static func describe(_ members: LuaClass<ElementsObject>) {
    members.sequence(count: { $0.elements.count }, element: { $0.elements[$1] })
  }
}
