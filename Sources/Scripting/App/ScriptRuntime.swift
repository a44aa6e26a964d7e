import Lua
import StateStore

/// An app's store and services, and the Lua state in which its modules are.
struct ScriptContext {
  let store: Store
  let environment: ScriptEnvironment
  let runtime: ScriptRuntime
}

/// The Lua state of the scripts, as the modules of all apps in it use it.
final class ScriptRuntime {
  let marks: JSONMarks
  let values: ObjectValues
  private var declared: DeclaredScripts
  private let clock: any Clock<Duration>
  /// Random values for arguments that calls leave out; made when first used, as telling what a clock is takes long at the
  /// start of a program.
  private(set) lazy var random = RandomValues(isRepeatable: clock is any AdvanceableClock)
  /// The fields of each feature, by the identity of its declaration.
  private var fields: [ObjectIdentifier: [FieldClass]] = [:]

  init(
    in state: LuaState, _ files: [DeclaredFile], _ environment: ScriptEnvironment
  ) throws(LuaError) {
    clock = environment.clock
    marks = try JSONMarks(in: state)
    values = ObjectValues(marks, keepsSecrets: false)
    declared = DeclaredScripts(files, in: state)
    try ListObject.checkLoops(in: state)
  }

  func setFiles(_ files: [DeclaredFile]) {
    if let state = marks.state { declared = DeclaredScripts(files, in: state) }
    fields = [:]
  }

  /// The state, which a finalizer may outlive.
  func openState() throws(LuaError) -> LuaState { try marks.openState() }

  /// The fields of a feature with the classes of their objects, which are described once and shared by all stores.
  func fields(
    of declaration: ObjectIdentifier, _ feature: String,
    _ describe: () -> ([AnyField], ObjectRules.Errors)
  ) -> [FieldClass] {
    if let known = fields[declaration] { return known }
    let (fields, errors) = describe()
    let rules = ObjectRules(values: values, changesLists: false, errors: errors)
    let new = fields.enumerated().map { FieldClass(of: $1, at: $0, in: feature, rules) }
    FieldClass.connect(new)
    self.fields[declaration] = new
    return new
  }

  func function(_ name: String, in part: String, of feature: String) throws -> LuaFunction {
    try declared.function(name, in: part, of: feature)
  }
}

extension LuaError {
  /// Code runs after its state was closed, as finalizers may.
  static var closed: LuaError { LuaError(.stateClosed, "the Lua state is closed") }
}
