import Lua
import PrimereplDomain
import StateStore

@testable import PrimereplBridge
@testable import Scripting

/// The documented members of the modules and live objects, as Lua code that uses them.
///
/// A new member is covered by the tests that go through these.
@MainActor
struct Documented {
  /// A function of a module with arguments that are of the right types.
  struct Call {
    let module: String
    let function: LuaMember

    var name: String { "\(module).\(function.name)" }

    /// The call, with another argument at some position.
    func code(_ replacement: (position: Int, value: String)) -> String {
      var arguments = function.parameters.map {
        module == "date" && $0.type == "string" ? "'2026-11-26'" : Documented.sample(of: $0.type)
      }
      arguments[replacement.position] = replacement.value
      return "\(module).\(function.name)(\(arguments.joined(separator: ", ")))"
    }

    /// The positions of parameters of a type.
    func positions(of type: String) -> [Int] {
      function.parameters.indices.filter {
        [type, type + "?"].contains(function.parameters[$0].type)
      }
    }
  }

  /// A module or an object with fields.
  struct Owner {
    /// The name in messages.
    let name: String
    /// The Lua code that it is.
    let code: String
    let members: [LuaMember]
  }

  let modules: [LuaModule]

  init(_ app: AppInLua) { modules = app.session.modules }

  /// The functions of all modules.
  var calls: [Call] {
    modules.flatMap { module in
      module.documentation.filter(\.isFunction).map { Call(module: module.name, function: $0) }
    }
  }

  /// The modules, and objects of every kind, in an app that was set up for them.
  var owners: [Owner] {
    modules.map { Owner(name: $0.name, code: $0.name, members: $0.documentation) } + [
      Owner(
        name: "person", code: "persons[1]", members: Persons.Person.recordClass.members),
      Owner(
        name: "todo.item", code: "todo.items[1]", members: Todo.Item.recordClass.members),
      Owner(
        name: "landmark", code: "landmarks.get(1)", members: Landmark.recordClass.members),
      Owner(
        name: "signup.data", code: "signup.data", members: SignUp.Data.recordClass.members),
      Owner(
        name: "subscription", code: "store.subscribe('todo', print)",
        members: StoreSubscription.luaMembers),
      Owner(name: "task", code: "task.spawn(type, 1)", members: LuaTask.luaMembers),
    ]
  }

  /// Makes a record of every kind.
  nonisolated static let setUp =
    "persons.fetch() todo.add('milk') landmarks.load() favorites.add(2)"

  /// Lua code for a value of a type; that of an unknown type fails every call.
  private nonisolated static func sample(of type: String) -> String {
    switch type {
    case "integer", "integer?", "number", "integer|integer[]": "1"
    case "string", "string?": "'no such thing'"
    case "function": "type"
    case "table", "table?": "{}"
    case "{name=string, age=integer}": "{ name = 'Ann', age = 30 }"
    case "{[name=string], [age=integer]}", #"{[source="local"|"wolfram"]}?"#, "{[pretty=boolean]}?":
      "{}"
    case "any", "any...": "1"
    case "string or table?": "'x'"
    case let options
    where ["{[header=", "{[columns=", "{[years="].contains(where: options.hasPrefix): "{}"
    case let options where options.hasPrefix("{[query=") || options.hasPrefix("{[form="): "{}"
    case let options where options.hasPrefix("{url=string"): "{ url = 'no such thing' }"
    default: "error('no sample of \(type)')"
    }
  }
}

extension LuaMember {
  var isFunction: Bool {
    if case .function = kind { true } else { false }
  }

  var isWritable: Bool { kind == .property(isWritable: true) }
}
