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

  /// How a scenario that is recorded from the history repeats an action.
  ///
  /// By default it is derived from the action's encoding; see ``encodedReplay(of:)``.
  ///
  /// - Parameters:
  ///   - action: The action, in which the ids of records are those of the repetition. Ids are the members named `id`
  ///     or `ids`, and those whose names end in `ID` or `IDs`.
  ///   - secrets: Gives the texts to write for secrets.
  /// - Returns: What repeats the action.
  static func replay(of action: Action, _ secrets: SecretPlaceholders) -> ActionReplay

  /// The classes of the objects that scripts get, for `help`, besides those of ``FeatureModule/records(_:missing:assigning:)``.
  static var objectTypes: [any LuaExposed.Type] { get }

  /// The names of the module's functions whose services a scenario can replace by stubs, as they ask
  /// ``FeatureModule/answer(to:with:or:)``.
  static var stubbable: [String] { get }

  /// The codes of the errors that the feature raises, so that the coverage of scenarios can say which never were.
  static var errorCodes: [String] { get }
}

extension ScriptableFeature {
  /// A call derived from the action's encoding.
  public static func luaText(of action: Action) -> String { ActionText.text(of: action, in: name) }

  /// None.
  public static var objectTypes: [any LuaExposed.Type] { [] }

  /// None.
  public static var stubbable: [String] { [] }

  /// None.
  public static var errorCodes: [String] { [] }
}

/// The module of a feature, with what its functions need.
public final class FeatureModule<F: ScriptableFeature>: LuaModule {
  /// The store that contains the feature.
  public let store: Store

  /// The services that the app's logic uses.
  public let services: any ScriptServices

  /// The identifier that the last refused action had.
  private var unusedID: Int?

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

  /// The answer of a service to one of the feature's functions or, in a scenario, of the stub that stands for it.
  ///
  /// Without a stub, a scenario refuses to ask the service, unless it runs with `--live`.
  ///
  /// - Parameters:
  ///   - function: The function's name in the module, one of the feature's ``ScriptableFeature/stubbable``.
  ///   - arguments: The function's arguments, which the stub gets.
  ///   - isLocal: Whether the answer comes from this machine alone, such as a computation or a file of the user's, so
  ///     that a scenario may ask the service.
  ///   - service: Asks the service.
  /// - Returns: The answer.
  /// - Throws: What the stub or the service throws; ``ScriptError`` for a function that isn't stubbable; `StubError` in
  ///   a scenario.
  public func answer<Answer: Decodable>(
    to function: String, with arguments: [StateValue] = [], isLocal: Bool = false,
    or service: () async throws -> Answer
  ) async throws -> Answer {
    guard F.stubbable.contains(function) else {
      throw ScriptError.notStubbable(function, in: F.name, F.stubbable)
    }
    return try await services.stubs.answer(
      to: "\(F.name).\(function)", with: arguments, isLocal: isLocal, or: service)
  }

  /// Sends an action that adds a record, with an identifier that no other record has or had.
  ///
  /// It comes after those of all records in the feature's lists. An action that is refused uses up no identifier, so the
  /// same calls give the same state, whether or not a refused one is among them.
  ///
  /// - Parameters:
  ///   - last: The greatest identifier that a record elsewhere had.
  ///   - isTaken: Whether a record elsewhere has an identifier.
  ///   - action: Makes the action with the identifier.
  /// - Returns: The identifier.
  /// - Throws: Why the action can't be applied; then the state is unchanged.
  @discardableResult
  public func sendWithNewID(
    after last: Int = 0, unless isTaken: (Int) -> Bool = { _ in false },
    _ action: (_ id: Int) throws -> F.Action
  ) throws -> Int {
    let id = takeID(after: last, unless: isTaken)
    do {
      try send(action(id))
    } catch let error as RecordListError {
      // A record has the identifier already, so no later action can have it either.
      throw error
    } catch {
      unusedID = id
      throw error
    }
    return id
  }

  /// An identifier for a new record of the feature, which no other record has or had.
  ///
  /// It comes after those of all records in the feature's lists. It is used up at once, while
  /// ``sendWithNewID(after:unless:_:)`` uses one up only if the action is accepted.
  ///
  /// - Parameters:
  ///   - last: The greatest identifier that a record elsewhere had.
  ///   - isTaken: Whether a record elsewhere has an identifier.
  /// - Returns: The identifier.
  public func nextID(after last: Int = 0, unless isTaken: (Int) -> Bool = { _ in false }) -> Int {
    takeID(after: last, unless: isTaken)
  }

  private func takeID(after last: Int, unless isTaken: (Int) -> Bool) -> Int {
    defer { unusedID = nil }
    let last = max(last, store.greatestID(in: F.self) ?? 0)
    func isUsed(_ id: Int) -> Bool { isTaken(id) || store.containsID(id, in: F.self) }
    if let unusedID, unusedID > last, !isUsed(unusedID) { return unusedID }
    return services.identifiers.next(IdentifierKind(F.name), after: last, unless: isUsed)
  }

  /// The classes of the records that the module gives to scripts.
  private(set) var recordTypes: [any LuaExposed.Type] = []

  /// Notes the class of records that the module gives to scripts.
  @usableFromInline func note(records type: any LuaExposed.Type) { recordTypes.append(type) }

  /// What is wrong with the description, found while it was made; nil if nothing is.
  private(set) var problem: ScriptError?

  /// Notes what is wrong with the description, if anything is.
  @usableFromInline func note(_ problem: ScriptError?) {
    self.problem = self.problem ?? problem
  }
}

/// The services that the modules of an app use.
public protocol ScriptServices: Sendable {
  /// Gives new records their identifiers; an app made by `store.new()` has its own source.
  var identifiers: any IdentifierSource { get set }

  /// The clock that measures waiting; a scenario has its own.
  var clock: any Clock<Duration> { get set }

  /// Answers in place of services; `NoStubs()` except in a scenario.
  var stubs: any ServiceStubs { get set }

  /// The functions of modules without a feature whose services can be replaced by stubs, such as `prime.nth`.
  ///
  /// Features name theirs themselves.
  static var stubbable: [String] { get }

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

extension ScriptServices {
  /// None.
  public static var stubbable: [String] { [] }
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
