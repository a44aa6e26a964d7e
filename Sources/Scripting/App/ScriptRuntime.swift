import Lua
import StateStore

/// What the modules of an app need.
struct ScriptContext {
  let store: Store
  let environment: ScriptEnvironment
  let runtime: ScriptRuntime
}

/// The Lua state of the scripts, as the modules of all apps in it use it.
final class ScriptRuntime {
  /// The metatables of values that are written as JSON.
  let marks: JSONMarks
  /// Converts values between the states of features and this one.
  let values: ObjectValues
  private weak var state: LuaState?
  /// The code of declared features that runs in the state.
  private var declared: DeclaredScripts
  private let clock: any Clock<Duration>
  /// Random values for arguments that calls leave out; made when first used, as telling what a clock is takes long at the
  /// start of a program.
  private(set) lazy var random = RandomValues(isRepeatable: clock is any AdvanceableClock)
  /// The fields of features with the classes of their objects.
  private var fields: [ObjectIdentifier: [FieldClass]] = [:]

  /// - Parameters:
  ///   - state: The state.
  ///   - files: The files that declare features of the app.
  ///   - environment: The app's services, of which its clock says whether it is tested.
  /// - Throws: `LuaError` if the state is closed or out of memory.
  init(
    in state: LuaState, _ files: [DeclaredFile], _ environment: ScriptEnvironment
  ) throws(LuaError) {
    self.state = state
    clock = environment.clock
    marks = try JSONMarks(in: state)
    values = ObjectValues(marks, keepsSecrets: false)
    declared = DeclaredScripts(files, in: state)
    try ListObject.checkLoops(in: state)
  }

  /// Runs the code of other files from now on.
  func setFiles(_ files: [DeclaredFile]) {
    if let state { declared = DeclaredScripts(files, in: state) }
    fields = [:]
  }

  /// The state, which a finalizer may outlive.
  func openState() throws(LuaError) -> LuaState {
    guard let state else { throw LuaError.closed }
    return state
  }

  /// The fields of a feature with the classes of their objects, which all stores share.
  ///
  /// - Parameters:
  ///   - declaration: What tells declarations of features apart.
  ///   - feature: The feature's name.
  ///   - describe: Gives its fields, and the errors for assignments.
  /// - Returns: The fields.
  func fields(
    of declaration: ObjectIdentifier, _ feature: String,
    _ describe: () -> ([StateField], ObjectRules.Errors)
  ) -> [FieldClass] {
    if let known = fields[declaration] { return known }
    let (fields, errors) = describe()
    let rules = ObjectRules(values: values, changesLists: false, errors: errors)
    let new = fields.enumerated().map { FieldClass(of: $1, at: $0, in: feature, rules) }
    FieldClass.connect(new)
    self.fields[declaration] = new
    return new
  }

  /// A function that a file declares; see ``DeclaredScripts/function(_:in:of:)``.
  func function(_ name: String, in part: String, of feature: String) throws -> LuaFunction {
    try declared.function(name, in: part, of: feature)
  }
}

extension LuaError {
  /// Code runs after its state was closed, as finalizers may.
  static var closed: LuaError { LuaError(.stateClosed, "the Lua state is closed") }
}
