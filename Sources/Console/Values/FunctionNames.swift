import LineEditing
import Lua
import Scripting

/// What functions are called: by the modules' documentation, by Lua's libraries, and by variables.
@MainActor
final class FunctionNames {
  private let state: LuaState
  private let modules: [(module: LuaModule, table: LuaTable)]
  /// The functions of Lua's libraries, named before scripts could change the global variables.
  private let library: [LuaFunction: String]
  private var madeSignatures: [LuaFunction: String]?
  private var madeVariables: [LuaFunction: String]?

  /// The number of entries of tables that a search for names visits.
  private static let visits = 100_000

  /// Reads the names of the state's functions, which scripts shouldn't have changed yet.
  init(state: LuaState, modules: [LuaModule]) throws(LuaError) {
    self.state = state
    let globals = try state.globals()
    var tables: [(LuaModule, LuaTable)] = []
    for module in modules {
      guard case .table(let table) = try globals.rawGet(module.name) else { continue }
      tables.append((module, table))
    }
    self.modules = tables
    library = try Self.variables(in: state)
  }

  /// Forgets the names of variables, as scripts may have changed these.
  func forgetVariables() { madeVariables = nil }

  /// A function as it is shown: its signature, its name, or where it is defined.
  ///
  /// - Parameters:
  ///   - function: The function.
  ///   - isNamed: Whether it stands after the key that names it.
  /// - Returns: The text.
  /// - Throws: `LuaError` if the state is closed.
  func text(of function: LuaFunction, isNamed: Bool) throws(LuaError) -> StyledText {
    StyledText("function " + ValueText.bare(try description(of: function, isNamed)), .function)
  }

  private func description(of function: LuaFunction, _ isNamed: Bool) throws(LuaError) -> String {
    if let signature = try signatures()[function] { return signature }
    if let name = library[function] { return name }
    let name = isNamed ? nil : try variables()[function]
    switch try function.origin() {
    case .native: return name ?? "(built in)"
    case .lua(let definition):
      let place = "(\(definition.place))"
      let parameters = definition.parameters + (definition.isVariadic ? ["..."] : [])
      // A chunk, or a function without parameters.
      if let name, definition.firstLine == 0 || parameters.isEmpty { return "\(name) \(place)" }
      if definition.firstLine == 0 { return place }
      return "\(name ?? "")(\(parameters.joined(separator: ", "))) \(place)"
    }
  }

  /// The modules' functions with their signatures.
  private func signatures() throws(LuaError) -> [LuaFunction: String] {
    if let madeSignatures { return madeSignatures }
    var signatures: [LuaFunction: String] = [:]
    for (module, table) in modules {
      // The functions are in a plain table, so that no property is read.
      guard case .table(let functions)? = try table.metatable()?.rawGet("__index") else { continue }
      for member in module.documentation {
        guard case .function(let function) = try functions.rawGet(member.name) else { continue }
        signatures[function] = "\(module.name).\(member.signature)"
      }
    }
    madeSignatures = signatures
    return signatures
  }

  private func variables() throws(LuaError) -> [LuaFunction: String] {
    if let madeVariables { return madeVariables }
    let variables = try Self.variables(in: state)
    madeVariables = variables
    return variables
  }

  /// The functions in global variables, and in tables in these: "print", "string.format".
  private static func variables(in state: LuaState) throws(LuaError) -> [LuaFunction: String] {
    var budget = LuaReadBudget(visits: visits, bytes: .max)
    let globals = try state.globals()
    var names: [LuaFunction: String] = [:]
    var tables: [(name: String, table: LuaTable)] = []
    let fields = try functions(and: &tables, in: globals, budget: &budget)
    // The prompt keeps results in variables such as `_1`, which name nothing.
    for (name, function) in fields where names[function] == nil && !isResult(name) {
      names[function] = name
    }
    for (prefix, table) in tables.sorted(by: { $0.name < $1.name }) where table != globals {
      var inner: [(name: String, table: LuaTable)] = []
      for (name, function) in try functions(and: &inner, in: table, budget: &budget)
      where names[function] == nil {
        names[function] = "\(prefix).\(name)"
      }
    }
    return names
  }

  private static func isResult(_ name: String) -> Bool {
    name.hasPrefix("_") && name.dropFirst().allSatisfy(\.isNumber)
  }

  /// The fields of a table that are functions, sorted by name.
  private static func functions(
    and tables: inout [(name: String, table: LuaTable)], in table: LuaTable,
    budget: inout LuaReadBudget
  ) throws(LuaError) -> [(name: String, function: LuaFunction)] {
    var functions: [(name: String, function: LuaFunction)] = []
    let fields = try table.fields(after: 0, atMost: budget.visits, bytes: 200, budget: &budget)
      .fields
    for (key, value) in fields {
      guard case .string(let bytes) = key.value, let name = bytes.text, LuaTokens.isName(name.utf8)
      else {
        continue
      }
      switch value.value {
      case .function(let function): functions.append((name, function))
      case .table(let table): tables.append((name, table))
      default: break
      }
    }
    return functions.sorted { $0.name < $1.name }
  }
}
