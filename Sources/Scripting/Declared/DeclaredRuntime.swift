import Lua
import StateStore

/// The Lua state in which the actions and derived values of declared features run.
///
/// It has no library that reaches outside it, nothing that is random, and no module of an app: actions can only change
/// their drafts, and derived values only read. Its `pairs` goes in the order of keys.
// Safe: it belongs to the actor of the app, which is that of all stores with its features.
final class DeclaredRuntime: @unchecked Sendable {
  let values: ObjectValues

  /// The fields of all features of the app, for derived values that read other features.
  var fields: [AnyField] = []

  /// The states of the app that the derived value which is being computed reads.
  private(set) var currentStates: States?

  var requiredPaths: [String] { modules.flatMap(\.paths) }

  private var modules: [DeclaredModules] = []
  private let state: LuaState
  /// A derived value that is being computed.
  private struct Evaluation {
    let path: String
    let reads: ReadLog
  }

  /// The innermost last.
  private var evaluations: [Evaluation] = []
  /// The number of outermost derived values so far, during each of which the states stay as they are.
  private(set) var evaluationCount = 0
  /// Whether code prints nothing, because it only repeats what it did before.
  private var isSilent = false
  private let limits: DeclaredApp.Limits

  /// The maximum number of derived values that are computed inside each other: each takes part of the C stack, of which Lua
  /// has enough for about 100.
  private static let maximumDepth = 64

  private static let orderedPairs = CompiledChunk(
    PackageResources.pairs_lua, name: .text("pairs"), .optional)

  init(_ limits: DeclaredApp.Limits) throws {
    self.limits = limits
    state = try LuaState(libraries: [
      .base, .coroutine, .table, .string, .math, .utf8, .restricted,
    ])
    values = ObjectValues(try JSONMarks(in: state), keepsSecrets: true)
    try state.load("math.random, math.randomseed, collectgarbage = nil").call()
    try Self.orderedPairs.function(in: state).call()
    try ListObject.checkLoops(in: state)
    // Weak, as other references from the state are: it runs finalizers when it is closed.
    try state.redirectOutput { [weak self] text in
      if let self, !isSilent { print(text.description, terminator: "") }
    }
    try state.limitMemory(to: limits.memory, counting: .process)
    state.limitTime(to: limits.time)
  }

  /// Stops the code that runs, from any thread.
  func interrupter() throws(LuaError) -> LuaInterrupter { try state.interrupter() }

  /// Runs a file; `declare` gets the name and declaration of each feature, and the mark of values of the vocabulary.
  func load(
    _ file: DeclaredFile, modules names: Set<String>,
    declare:
      @escaping (_ name: LuaValue, _ declaration: LuaValue, _ mark: LuaTable)
      -> DeclarationFunctions.Problem?
  ) throws {
    let mark = try state.makeTable()
    let vocabulary = try DeclarationFunctions(
      of: file, in: state, mark: mark, checking: GlobalNames(of: file, modules: names)
    ) {
      declare($0, $1, mark)
    }
    modules.append(vocabulary.modules)
    // What it prints, it prints in the state of the scripts as well.
    isSilent = true
    defer { isSilent = false }
    do {
      try vocabulary.run(file, in: state)
    } catch let error as LuaError {
      throw DeclaredCodeError(of: error, raising: state.value(of: error), in: file.path) ?? error
    }
    vocabulary.modules.canLoad = false
  }

  /// Runs code of a declaration, and turns its errors into those for scripts.
  ///
  /// Code that only repeats an action prints nothing.
  func run<Result>(
    isRepeated: Bool, _ name: @autoclosure () -> String, _ place: DeclaredCodeError.Place,
    _ body: () throws -> Result
  ) throws -> Result {
    let outer = isSilent
    isSilent = isRepeated
    defer { isSilent = outer }
    do {
      return try body()
    } catch let error as LuaError {
      throw DeclaredCodeError.describing(
        error, raising: state.value(of: error), of: name(), in: place,
        modules: fields.lazy.map(\.path))
    }
  }

  /// Computes a derived value, and logs what it reads of other features.
  ///
  /// - Throws: ``DeclarationError`` for one that needs itself or too many others, or what the body throws.
  func evaluate<Result>(
    _ path: String, readingApp states: States?, _ reads: ReadLog, _ body: () throws -> Result
  ) throws -> Result {
    func names(from start: Int) -> [String] { evaluations[start...].map(\.path) + [path] }
    if let start = evaluations.firstIndex(where: { $0.path == path }) {
      let cycle = names(from: start).joined(separator: " → ")
      throw DeclarationError("cycle", "derived values depend on each other: \(cycle)")
    }
    if evaluations.count >= Self.maximumDepth {
      throw DeclarationError(
        "too_deep",
        "derived values read each other more than \(Self.maximumDepth) deep: "
          + "\(names(from: 0).prefix(2).joined(separator: " → ")) → … → \(path)")
    }
    if evaluations.isEmpty { evaluationCount += 1 }
    evaluations.append(Evaluation(path: path, reads: reads))
    let outer = currentStates
    currentStates = states
    defer {
      evaluations.removeLast()
      currentStates = outer
    }
    return try body()
  }

  var isEvaluating: Bool { !evaluations.isEmpty }

  /// Computes derived values that nobody has asked for by their names, in the time that those may take.
  func briefly<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard !isEvaluating else { return try body() }
    (isBrief, hasRefusedWork) = (true, false)
    defer { isBrief = false }
    guard let time = limits.unaskedTime else { return try body() }
    state.limitTime(to: min(time, limits.time ?? time))
    defer { state.limitTime(to: limits.time) }
    return try body()
  }

  /// Whether nobody has asked for what is computed by its name.
  private var isBrief = false
  /// Whether a value that takes long wasn't computed, as nobody had asked for it by its name.
  private(set) var hasRefusedWork = false

  /// Refuses to compute a value that takes long, if nobody has asked for it by its name.
  func refuseWorkIfBrief(_ path: String) throws(DeclarationError) {
    guard isBrief else { return }
    hasRefusedWork = true
    throw DeclarationError("not_computed", "\(path) takes long to compute")
  }

  /// Checks that computing many derived values, of which each has its own time limit, hasn't taken too long.
  func checkTime(since start: ContinuousClock.Instant) throws(DeclarationError) {
    guard let time = limits.time, .now - start > time else { return }
    throw DeclarationError(
      "time_limit", "stopped: the derived values of the initial state exceeded the time limit")
  }

  // MARK: - Fields of the app

  private struct WeakRules {
    weak var rules: LuaRules?
  }

  private var rules: [String: WeakRules] = [:]

  /// Adds the code of a feature, whose derived values others can read.
  func add(_ rules: LuaRules) { self.rules[rules.declaration.name] = WeakRules(rules: rules) }

  /// The value of a field of the app, or the elements of a list, for the derived value that is being computed.
  func read(_ field: AnyField, in states: States) throws -> AppValue {
    let reads = evaluations.last?.reads
    guard field.isDerived else {
      reads?.record(field, in: states)
      return field.elements(in: states).map(AppValue.elements) ?? .value(field.value(in: states))
    }
    do {
      let value = try value(of: field, in: states)
      reads?.recordDerived(field.path, value) { [weak self] _, states in
        guard let self, let states else { return .none }
        return try self.value(of: field, in: states)
      }
      return .value(value)
    } catch {
      reads?.recordFailure()
      throw error
    }
  }

  /// The record to which an id refers, for the derived value that is being computed; nil if there is none.
  func record(_ id: StateValue, of reference: ReferenceType, in states: States) -> StateValue? {
    guard case .integer(let id) = id, let field = fields.first(where: { $0.path == reference.path })
    else { return nil }
    evaluations.last?.reads.record(field, in: states)
    return field.record(withID: id, in: states)
  }

  enum AppValue {
    case value(StateValue)
    case elements(ListElements<StateValue>)
  }

  private func value(of field: AnyField, in states: States) throws -> StateValue {
    guard field.isDerived, let dot = field.path.firstIndex(of: "."),
      let rules = rules[String(field.path[..<dot])]?.rules
    else { return field.value(in: states) }
    let name = field.path[dot...].dropFirst()
    guard let index = rules.declaration.derived.firstIndex(where: { $0.field.name == name })
    else { return field.value(in: states) }
    return try rules.derivedValue(at: index, in: states)
  }

  func table(of json: JSONValue) throws(LuaError) -> LuaTable {
    try state.makeTable(json.stateValue { $0 })
  }
}
