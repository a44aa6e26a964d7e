/// The functions of an app's modules that scenarios can replace by stubs.
struct StubbableFunctions {
  /// Each with its module, in the app's order; the name has both, such as `todo.fetch`.
  let all: [(module: String, member: String, name: String)]

  /// The functions' own names, by those of their modules; kept, since each scenario reads them.
  let byModule: [String: [String]]

  init(_ names: [String]) {
    all = names.map { name in
      (String(name.prefix { $0 != "." }), String(name.drop { $0 != "." }.dropFirst()), name)
    }
    byModule = Dictionary(grouping: all, by: \.module).mapValues { $0.map(\.member) }
  }

  /// The names with those of their modules.
  var names: [String] { all.map(\.name) }

  /// The modules that have any, in the app's order.
  var modules: [String] {
    var modules: [String] = []
    for function in all where !modules.contains(function.module) { modules.append(function.module) }
    return modules
  }
}
