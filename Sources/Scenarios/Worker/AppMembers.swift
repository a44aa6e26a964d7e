import Lua
import Scripting
import StateStore

/// What properties ask of the app: its features, their lists, and the members of their modules.
struct AppMembers {
  let modules: [LuaModule]
  let schema: Schema
  /// The classes of the objects that scripts get; all modules are described for it.
  let classes: () -> [ObjectClass]

  private var features: [String] { schema.featureNames }

  /// The modules of the features.
  var featureModules: [LuaModule] { modules.filter { features.contains($0.name) } }

  func addMembers(to module: LuaModule, in state: LuaState) {
    module.function(
      "property_vocabulary", help: "What declares properties.",
      example: "host.property_vocabulary()(host, vocabulary)"
    ) { [weak state] () in try state.map { state in try Vocabulary.property(in: state) } }
    module.function(
      "features", help: "The names of the app's features.", example: "host.features()"
    ) { () in features }
    module.function(
      "lists", help: "The paths of the app's lists.", example: "host.lists()"
    ) { () in schema.fields.filter(\.isList).map(\.path) }
    module.function(
      "properties", "module", help: "The names of a module's properties.",
      example: "host.properties(\"todo\")"
    ) { (name: String) in
      modules.filter { $0.name == name }.flatMap(\.documentation).compactMap { member in
        if case .property = member.kind { member.name } else { nil }
      }
    }
    module.function(
      "assignable_fields", "object", help: "The assignable fields of an object of the app.",
      example: "host.assignable_fields(todo.items[1])"
    ) { (object: LuaUserdata) in
      let members = classes().first { $0.isClass(object) }?.members ?? []
      return members.filter { $0.kind == .property(isWritable: true) }.map { member -> LuaRecord in
        ["name": member.name, "type": member.types.joined(separator: ", ")]
      }
    }
    module.function(
      "members", "modules", help: "The functions and assignable properties of modules.",
      example: "host.members({\"counter\"})"
    ) { (names: [String]) in
      modules.filter { names.contains($0.name) }.flatMap { module in
        module.documentation.compactMap { member in Self.record(member, of: module.name) }
      }
    }
  }

  /// A function, or a property that can be assigned; nil for another property.
  private static func record(_ member: LuaMember, of module: String) -> LuaRecord? {
    if member.kind == .property(isWritable: false) { return nil }
    return [
      "module": module, "name": member.name,
      "is_property": member.kind == .property(isWritable: true),
      "types": member.types.joined(separator: ", "), "help": member.help,
      "example": member.example,
      "parameters": member.parameters.map { parameter -> LuaRecord in
        ["name": parameter.name, "type": parameter.type]
      },
    ]
  }
}
