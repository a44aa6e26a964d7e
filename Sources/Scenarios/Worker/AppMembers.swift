import Lua
import Scripting
import StateStore

/// The parts of an app that properties need: its features, their lists, and their modules' members.
final class AppMembers {
  private let app: ScriptedApp
  /// Whether properties may call functions that could reach outside the app.
  private let isLive: Bool
  /// Those functions that properties left out, such as "cart.print".
  private(set) var uncalled: Set<String> = []
  /// The functions that properties left out, as there are no random values for their parameters.
  private(set) var withoutValues: Set<String> = []

  init(of app: ScriptedApp, isLive: Bool) { (self.app, self.isLive) = (app, isLive) }

  func addFunctions(to host: HostFunctions) throws {
    try host.add("features") { [unowned self] () in app.store.schema.featureNames }
    // The paths of the app's lists.
    try host.add("lists") { [unowned self] () in
      app.store.schema.fields.filter(\.isList).map(\.path)
    }
    // The path of the list whose records have a type; nil for another type.
    try host.add("list_of") { [unowned self] (type: String) -> String? in
      app.store.schema.fields.first { $0.recordClassName == type }?.path
    }
    // The names of a module's properties.
    try host.add("properties") { [unowned self] (name: String) in
      app.modules.filter { $0.name == name }.flatMap(\.documentation).compactMap { member in
        if case .property = member.kind { member.name } else { nil }
      }
    }
    // The assignable fields of an object of the app.
    try host.add("assignable_fields") { [unowned self] (object: LuaUserdata) -> [LuaRecord] in
      let members = app.help.reference.classes.first { $0.contains(object) }?.members ?? []
      return members.filter { $0.kind == .property(isWritable: true) }.map { member -> LuaRecord in
        ["name": member.name, "type": member.types.joined(separator: ", ")]
      }
    }
    // The functions and assignable properties of modules.
    try host.add("members") { [unowned self] (names: [String]) -> [LuaRecord] in
      let unconfined: Set<String> = isLive ? [] : Set(app.unconfined)
      return app.modules.filter { names.contains($0.name) }.flatMap { module in
        module.documentation.compactMap { member in
          Self.record(member, of: module.name, unconfined)
        }
      }
    }
    try host.add("record_uncalled") { [unowned self] (name: String) in
      _ = uncalled.insert(name)
    }
    try host.add("record_without_values") { [unowned self] (name: String) in
      _ = withoutValues.insert(name)
    }
  }

  /// A function, or a property that can be assigned; nil for another property.
  private static func record(
    _ member: LuaMember, of module: String, _ unconfined: Set<String>
  ) -> LuaRecord? {
    if member.kind == .property(isWritable: false) { return nil }
    return [
      "module": module, "name": member.name,
      "is_property": member.kind == .property(isWritable: true),
      "is_unconfined": unconfined.contains("\(module).\(member.name)"),
      "types": member.types.joined(separator: ", "), "help": member.help,
      "example": member.example,
      "parameters": member.parameters.map { parameter -> LuaRecord in
        // What an app chooses itself, such as the time, may be another when a call is repeated.
        let isChosen = !parameter.defaultText.isEmpty
        return [
          "name": parameter.name, "type": isChosen ? parameter.required.name : parameter.type,
        ]
      },
    ]
  }
}
