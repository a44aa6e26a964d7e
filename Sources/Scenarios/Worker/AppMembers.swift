import Lua
import Scripting
import StateStore

/// The parts of the app that properties and coverage need: its features, their lists, and their modules' members.
struct AppMembers {
  let modules: [LuaModule]
  let schema: StoreSchema
  /// Finds the functions that properties leave out, as they could reach outside the app: "cart.print".
  let unconfined: () -> Set<String>
  /// The classes of the objects that scripts get; all modules are described for it.
  let classes: () -> [LuaObjectClass]

  /// Those functions that were left out.
  let uncalled = UncalledFunctions()

  private var features: [String] { schema.featureNames }

  var featureModules: [LuaModule] { modules.filter { features.contains($0.name) } }

  /// Adds the functions that properties need.
  func addFunctions(to host: HostFunctions) throws {
    try host.add("features") { () in features }
    // The paths of the app's lists.
    try host.add("lists") { () in schema.fields.filter(\.isList).map(\.path) }
    // The names of a module's properties.
    try host.add("properties") { (name: String) in
      modules.filter { $0.name == name }.flatMap(\.documentation).compactMap { member in
        if case .property = member.kind { member.name } else { nil }
      }
    }
    // The assignable fields of an object of the app.
    try host.add("assignable_fields") { (object: LuaUserdata) -> [LuaRecord] in
      let members = classes().first { $0.contains(object) }?.members ?? []
      return members.filter { $0.kind == .property(isWritable: true) }.map { member -> LuaRecord in
        ["name": member.name, "type": member.types.joined(separator: ", ")]
      }
    }
    // The functions and assignable properties of modules.
    try host.add("members") { (names: [String]) -> [LuaRecord] in
      let unconfined = unconfined()
      return modules.filter { names.contains($0.name) }.flatMap { module in
        module.documentation.compactMap { member in
          Self.record(member, of: module.name, unconfined)
        }
      }
    }
    try host.add("record_uncalled") { [uncalled] (name: String) in
      _ = uncalled.names.insert(name)
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

final class UncalledFunctions {
  var names: Set<String> = []
}
