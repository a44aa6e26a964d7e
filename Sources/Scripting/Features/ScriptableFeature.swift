public import Loading
public import Lua
public import StateStore

/// A feature that scripts see as a module of the same name.
public protocol ScriptableFeature: Feature {
  /// The purpose of the module, in one line.
  static var help: String { get }

  /// Adds the members that scripts see: functions, properties, and a sequence if the feature is a list.
  static func describe(_ module: FeatureModule<Self>)

  /// The Lua code that repeats an action, in place of the one derived from the module.
  ///
  /// Derived are: a call of the function that is named after the action, in snake case, whose parameters are named after
  /// the action's values; for an action `set`, the assignment of the property or field that the value is named after.
  /// The history shows the code, and a recorded scenario runs it. It may end in a comment:
  /// `signup.submit() --> accepted`.
  ///
  /// - Parameters:
  ///   - action: The action. In a recorded scenario the ids of records are those of the repetition: ids are the members
  ///     named `id` or `ids`, and those whose names end in `ID` or `IDs`.
  ///   - secret: Gives the text to write for a secret.
  /// - Returns: The code; nil to derive it.
  static func call(repeating action: Action, showing secret: (Secret) -> String) -> String?
}

extension ScriptableFeature {
  /// Nil: the code is derived.
  public static func call(repeating action: Action, showing secret: (Secret) -> String) -> String? {
    nil
  }
}

/// An error with more fields for scripts than its code and message.
public protocol ScriptableError: CodedError {
  /// The fields by name.
  var luaFields: [String: any LuaPushable] { get }
}

extension SourceError: ScriptableError {
  /// The answer's status.
  public var luaFields: [String: any LuaPushable] { ["status": status] }
}

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
  private weak var state: LuaState?
  /// The code of declared features that runs in the state.
  private var declared: DeclaredScripts
  /// The classes of the objects of declared features.
  private var classes: [ObjectIdentifier: DeclaredClasses] = [:]

  /// - Parameters:
  ///   - state: The state.
  ///   - files: The files that declare features of the app.
  /// - Throws: `LuaError` if the state is closed or out of memory.
  init(in state: LuaState, _ files: [DeclaredFile]) throws(LuaError) {
    self.state = state
    marks = try JSONMarks(in: state)
    declared = DeclaredScripts(files, in: state)
  }

  /// Runs the code of other files from now on.
  func use(_ files: [DeclaredFile]) {
    if let state { declared = DeclaredScripts(files, in: state) }
    classes = [:]
  }

  /// The state, which a finalizer may outlive.
  func openState() throws(LuaError) -> LuaState {
    guard let state else { throw LuaError(.stateClosed, "the Lua state is closed") }
    return state
  }

  /// The classes of the objects of a declared feature.
  func classes(of feature: DeclaredFeature) -> DeclaredClasses {
    if let known = classes[ObjectIdentifier(feature)] { return known }
    let new = DeclaredClasses(of: feature)
    classes[ObjectIdentifier(feature)] = new
    return new
  }

  /// A function that a file declares; see ``DeclaredScripts/function(_:in:of:)``.
  func function(_ name: String, in part: String, of feature: String) throws -> LuaFunction {
    try declared.function(name, in: part, of: feature)
  }

  /// A value that a script gives.
  ///
  /// - Throws: ``JSONError`` for a value that can't be saved.
  func value(of value: LuaValue) throws -> StateValue {
    switch value {
    case .nil: .none
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(Int(value))
    default: try JSONWriter.value(of: value, marks)
    }
  }
}
