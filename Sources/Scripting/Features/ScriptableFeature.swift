public import Lua
public import StateStore

/// A feature that scripts see as a module of the same name.
public protocol ScriptableFeature: Feature {
  /// What the module is for, in one line.
  static var help: String { get }

  /// Adds the members that scripts see: functions, properties, and a sequence if the feature is a list.
  static func describe(_ module: FeatureModule<Self>)

  /// An action as Lua text, for the history: a call with the same effect, and after an arrow a service's answer.
  ///
  /// By default it is derived from the action's encoding: `notes.add("milk")`.
  static func luaText(of action: Action) -> String

  /// The classes of the objects that scripts get, for `help`.
  static var objectTypes: [any LuaExposed.Type] { get }
}

extension ScriptableFeature {
  /// A call derived from the action's encoding.
  public static func luaText(of action: Action) -> String { ActionText.text(of: action, in: name) }

  /// None.
  public static var objectTypes: [any LuaExposed.Type] { [] }
}

/// The module of a feature, with what its functions need.
public final class FeatureModule<F: ScriptableFeature>: LuaModule {
  /// The store that contains the feature.
  public let store: Store

  /// The services that the app's logic uses.
  public let services: any ScriptServices

  init(in context: ScriptContext) {
    store = context.store
    services = context.services
    super.init(F.name, help: F.help)
  }

  /// The feature's current state.
  public var state: F.State { store.state(of: F.self) }

  /// Sends an action to the feature.
  ///
  /// - Throws: Why the action can't be applied; then the state is unchanged.
  public func send(_ action: F.Action) throws { try store.send(action, to: F.self) }

  /// An identifier for a new record of the feature, which no other record has or had.
  ///
  /// - Parameters:
  ///   - last: The greatest identifier that a record had.
  ///   - isTaken: Whether a record has an identifier.
  /// - Returns: The identifier.
  public func nextID(after last: Int = 0, unless isTaken: (Int) -> Bool = { _ in false }) -> Int {
    services.identifiers.next(IdentifierKind(F.name), after: last, unless: isTaken)
  }
}

/// The services that the modules of an app use.
public protocol ScriptServices: Sendable {
  /// Gives new records their identifiers; an app made by `store.new()` has its own source.
  var identifiers: any IdentifierSource { get set }

  /// The clock that measures waiting.
  var clock: any Clock<Duration> { get }

  /// Checks that the system lets the process wait for something, which needs a thread.
  ///
  /// - Throws: Why it doesn't.
  func checkWaiting() throws

  /// Writes a document to a file named by the user.
  ///
  /// - Throws: Why it can't be written; then the file is unchanged.
  func export(_ text: String, to path: String) throws

  /// Reads a document from a file named by the user.
  ///
  /// - Returns: The states, and the file's name in the history.
  /// - Throws: What is wrong with the file, and where.
  func importStates(
    of schema: Schema, from path: String
  ) async throws -> (states: States, source: String?)
}

/// An error with fields for scripts besides its code and message.
public protocol ScriptableError: CodedError {
  /// The fields by name.
  var luaFields: [String: any LuaPushable] { get }
}

struct ScriptContext {
  let store: Store
  let services: any ScriptServices
}
