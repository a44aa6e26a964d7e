import Lua
import Platform
package import StateStore

/// The features that files of Lua declare, with the Lua state in which their reducers run.
///
/// That state has no library that reaches outside it, and no module of an app: actions can only change their drafts,
/// and derived values only read. The functions of a declaration that may do more, those of its `functions` and the `ask` of
/// its requests, run in the state of the scripts, where the files are loaded once more: see ``DeclaredCode``.
public final class DeclaredApp {
  /// The files, in their order.
  public let files: [String]

  /// The features, in the order in which they are declared.
  package private(set) var features: [DeclaredFeature] = []
  /// The code of the features, in the same order.
  private(set) var rules: [LuaRules] = []

  /// The fields of all features of the app, for derived values that read other features.
  private(set) var fields: [StateField] = []

  private let state: LuaState
  private let values: DeclaredValues
  /// The paths of the derived values that are being computed, innermost last.
  private var evaluated: [String] = []
  private(set) var currentApp: AppView?
  private var isRepeating = false
  /// The sources of the files, which scripts' states load again.
  let sources: [(path: String, bytes: [UInt8])]

  /// Loads files.
  ///
  /// - Parameter files: The paths of the files.
  /// - Throws: ``DeclarationError``, or `LuaError` for a file that can't be read or fails.
  public init(files: [String]) throws {
    self.files = files
    state = try LuaState(libraries: [
      .base, .coroutine, .table, .string, .math, .utf8, .restricted,
    ])
    values = DeclaredValues(try JSONMarks(in: state))
    sources = try files.map { ($0, try Self.contents(of: $0)) }
    try prepare()
    for (path, bytes) in sources { try load(path, bytes) }
  }

  private static func contents(of path: String) throws(DeclarationError) -> [UInt8] {
    do throws(SystemCallError) {
      return try FileSystem.contents(of: path)
    } catch {
      throw DeclarationError("app_unreadable", "can't read the app \(path): \(error.reason)")
    }
  }

  /// Removes what isn't the same at each run, and redirects what code prints.
  private func prepare() throws {
    try state.load("math.random, math.randomseed, collectgarbage = nil").call()
    try state.redirectOutput { [unowned self] text in
      guard !isRepeating else { return }
      print(text.description, terminator: "")
    }
  }

  /// Limits the memory that the code of declarations may take.
  package func limitMemory(to bytes: Int?) throws {
    try state.limitMemory(to: bytes, counting: .process)
  }

  // MARK: - Loading

  private func load(_ path: String, _ bytes: [UInt8]) throws {
    let source = DeclarationSource(bytes)
    let mark = try state.makeTable()
    let vocabulary = try DeclaredVocabulary(
      in: state, mark: mark,
      modules: DeclaredModules(beside: path, in: state, environment: nil)
    ) { [unowned self] name, value in
      let reader = try DeclarationReader(of: name, in: source, mark)
      let declaration = try reader.declaration(value)
      guard !features.contains(where: { $0.name == declaration.name }) else {
        throw DeclarationError.bad(declaration.name, "two features have this name; rename one")
      }
      add(declaration)
    }
    let count = features.count
    do {
      for (name, value) in try vocabulary.table.entries() {
        try state.globals().rawSet(name, to: value)
      }
      isRepeating = true
      defer { isRepeating = false }
      try state.load(bytes, name: .file(path)).call()
    } catch {
      guard let problem = error.underlying as? DeclarationError else { throw error }
      throw problem.at(error.location)
    }
    guard features.count > count else {
      throw DeclarationError(
        "no_feature", "\(path) declares no feature: feature \"name\" { state = { ... } }")
    }
  }

  private func add(_ declaration: FeatureDeclaration) {
    let rules = LuaRules(declaration, of: self, values)
    self.rules.append(rules)
    features.append(
      DeclaredFeature(
        declaration.name, version: declaration.version, fields: declaration.fields,
        derived: declaration.derived.map(\.field), actions: declaration.actions.map(\.call),
        requests: declaration.requests.map(\.type), rules: rules))
  }

  /// The modules of the features, in their order.
  public var modules: [ScriptModule] { zip(features, rules).map { ScriptModule($0, $1) } }

  /// Lets derived values read the fields of a schema, and computes all of them once.
  ///
  /// - Throws: ``DeclarationError`` for one that fails in the initial state, such as one of a cycle.
  package func use(_ schema: StoreSchema) throws {
    fields = schema.fields
    for rules in rules {
      for index in rules.declaration.derived.indices {
        do {
          _ = try rules.derivedValue(at: index, in: schema.initial)
        } catch {
          let name = "\(rules.declaration.name).\(rules.declaration.derived[index].field.name)"
          throw DeclarationError(
            "bad_declaration", "the derived value \(name) fails in the initial state: \(error)")
        }
      }
    }
  }

  // MARK: - Running

  /// Runs code of a declaration.
  ///
  /// - Parameters:
  ///   - isRepeated: Whether the code repeats an action, so that it prints nothing.
  ///   - place: What runs, for messages: "actions".
  ///   - body: Calls the code.
  /// - Returns: What the body returns.
  /// - Throws: The error for scripts; see ``DeclaredCodeError/describing(_:in:)``.
  func running<Result>(
    isRepeated: Bool, _ place: String, _ body: () throws -> Result
  ) throws -> Result {
    let wasRepeating = isRepeating
    isRepeating = isRepeated
    defer { isRepeating = wasRepeating }
    do {
      return try body()
    } catch let error as LuaError {
      throw DeclaredCodeError.describing(error, in: place)
    }
  }

  /// Computes a derived value.
  func evaluating<Result>(
    _ path: String, _ app: AppView?, _ body: () throws -> Result
  ) throws -> Result {
    if let start = evaluated.firstIndex(of: path) {
      let cycle = (evaluated[start...] + [path]).joined(separator: " → ")
      throw DeclarationError("cycle", "derived values depend on each other: \(cycle)")
    }
    evaluated.append(path)
    let outer = currentApp
    currentApp = app
    defer {
      evaluated.removeLast()
      currentApp = outer
    }
    return try running(isRepeated: true, "derived values", body)
  }

  /// A table with the values of an object of JSON.
  func table(of json: JSONValue) throws(LuaError) -> LuaTable {
    try state.makeTable(json.stateValue { $0 })
  }
}
