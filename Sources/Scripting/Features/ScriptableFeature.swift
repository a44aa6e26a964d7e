public import Lua
public import StateStore

/// A feature that scripts see as a module of its name.
public protocol ScriptableFeature: Feature {
  /// What the module is for, in one line.
  static var help: String { get }

  /// Adds what scripts see: functions, properties, and a sequence where the feature is a list.
  static func describe(_ module: FeatureModule<Self>)

  /// An action as Lua text, for the history: a call that does the same, and after an arrow what a service answered.
  ///
  /// Unless a feature says it better, it is made of how the action is encoded: `notes.add("milk")`.
  static func luaText(of action: Action) -> String

  /// The classes whose objects scripts meet, for `help`.
  static var objectTypes: [any LuaExposed.Type] { get }
}

extension ScriptableFeature {
  /// A call made of how the action is encoded.
  public static func luaText(of action: Action) -> String { ActionText.text(of: action, in: name) }

  /// None.
  public static var objectTypes: [any LuaExposed.Type] { [] }
}

/// The module of a feature, with what its functions need.
public final class FeatureModule<F: ScriptableFeature>: LuaModule {
  /// The store in which the feature is.
  public let store: Store

  /// What the app's logic needs of the world.
  public let services: any ScriptServices

  init(in context: ScriptContext) {
    store = context.store
    services = context.services
    super.init(F.name, help: F.help)
  }

  /// The feature's state as it is now.
  public var state: F.State { store.state(of: F.self) }

  /// Changes the state as an action says.
  ///
  /// - Throws: why the action can't be done; then the state is unchanged.
  public func send(_ action: F.Action) throws { try store.send(action, to: F.self) }

  /// An identifier for a new record of the feature, which no other record has, or had.
  ///
  /// - Parameters:
  ///   - last: the greatest identifier that a record had.
  ///   - isTaken: whether a record has an identifier.
  /// - Returns: the identifier.
  public func nextID(after last: Int = 0, unless isTaken: (Int) -> Bool = { _ in false }) -> Int {
    services.identifiers.next(IdentifierKind(F.name), after: last, unless: isTaken)
  }
}

/// What the modules of an app need of the world.
public protocol ScriptServices: Sendable {
  /// Who names new records; an app of `store.new()` gets names of its own.
  var identifiers: any IdentifierSource { get set }

  /// What waiting is measured by.
  var clock: any Clock<Duration> { get }

  /// Checks that the system lets the process wait for something, which takes a thread.
  ///
  /// - Throws: why it doesn't.
  func checkWaiting() throws

  /// Writes a document to a file that a user names.
  ///
  /// - Throws: why it can't be written; then the file is as it was.
  func export(_ text: String, to path: String) throws

  /// Reads a document from a file that a user names.
  ///
  /// - Returns: the states, and what the history calls the file.
  /// - Throws: what is wrong with the file, and where.
  func importStates(
    of schema: Schema, from path: String
  ) async throws -> (states: States, source: String?)
}

/// An error that scripts can read more of than its code and message.
public protocol ScriptableError: CodedError {
  /// What they can read, by its names.
  var luaFields: [String: any LuaPushable] { get }
}

/// What a module is made for.
struct ScriptContext {
  let store: Store
  let services: any ScriptServices
}
