public import Lua
public import StateStore

/// The module of a feature, with what its functions need.
///
/// It has the members that follow from the feature's fields: a property for each value, which scripts can assign if the
/// field has an action; a list of live records for each list, or a sequence for a list without a name; and the properties
/// of requests. A member that the feature adds itself replaces one of the same name.
public final class FeatureModule<F: ScriptableFeature>: ServiceModule<F.Services> {
  /// The store that contains the feature.
  public let store: Store

  private let objects: FeatureObjects

  init(in context: ScriptContext) throws(ScriptError) {
    store = context.store
    let schema = store.schema
    guard let place = schema.place(of: F.name) else { throw .noModule(F.name) }
    let fields = context.runtime.fields(of: ObjectIdentifier(F.self), F.name) {
      (schema.fields(of: F.self), .byMember)
    }
    objects = FeatureObjects(fields, in: store, at: place)
    super.init(
      F.name, help: F.help, try context.environment.context(of: F.Services.self, for: F.name))
    for field in fields { add(field.index, of: objects) }
    for field in schema.derivedFields(in: F.name) {
      addValue(field, get: field.reader(in: store, of: place))
    }
  }

  override var functionsUseServices: Bool { F.functionsUseServices }

  /// The feature's current state.
  public var state: F.State { store.state(of: F.self) }

  /// Sends an action to the feature.
  ///
  /// - Throws: Why the action can't be applied; then the state is unchanged.
  public func send(_ action: F.Action) throws { try store.send(action, to: F.self) }

  /// Adds a function that sends an action.
  ///
  /// The history shows the action as a call of the function that has the name of the action's case in snake case, with the
  /// case's values as the arguments for the parameters of their names.
  ///
  /// - Parameters:
  ///   - name: The function's name.
  ///   - parameters: The names of the parameters.
  ///   - help: What it does, in one line.
  ///   - example: A line of Lua that uses it.
  ///   - action: Makes the action.
  public func action<each Argument: LuaReadable>(
    _ name: String, _ parameters: String..., help: String = "", example: String = "",
    action: @escaping (repeat each Argument) throws -> F.Action
  ) {
    let store = store
    senders.insert(name)
    function(name, parameters: parameters, help: help, example: example) {
      (argument: repeat each Argument) in
      try store.send(action(repeat each argument), to: F.self)
    }
  }

  /// Adds the function that asks a request's question, and waits for the answer.
  ///
  /// - Parameters:
  ///   - request: The request, which is among the feature's fields.
  ///   - parameters: The names of the parameters.
  ///   - help: What it does, in one line.
  ///   - example: A line of Lua that uses it.
  ///   - question: Makes the question from the arguments.
  public func request<each Argument: LuaReadable, Question, Answer>(
    _ request: Request<F, Question, Answer>, _ parameters: String..., help: String = "",
    example: String = "", question: @escaping (repeat each Argument) throws -> Question
  ) {
    addRequest(request)
    let (store, context) = (store, context)
    asyncFunction(request.name, parameters: parameters, help: help, example: example) {
      (argument: repeat each Argument) in
      let question = try question(repeat each argument)
      return { () async throws -> Void in
        try await store.ask(request, question, in: context)
      }
    }
  }

  /// Adds the function that asks a request's question, and returns a value that it makes from the answer.
  ///
  /// The parameters are those of ``request(_:_:help:example:question:)``, and a closure that makes the function's result
  /// from the answer.
  public func request<each Argument: LuaReadable, Question, Answer, Result: LuaPushable>(
    _ request: Request<F, Question, Answer>, _ parameters: String..., help: String = "",
    example: String = "", question: @escaping (repeat each Argument) throws -> Question,
    returning result: @escaping (Answer) -> Result
  ) {
    addRequest(request)
    let (store, context) = (store, context)
    asyncFunction(request.name, parameters: parameters, help: help, example: example) {
      (argument: repeat each Argument) in
      let question = try question(repeat each argument)
      return { () async throws -> Result in
        result(try await store.ask(request, question, in: context))
      }
    }
  }

  private func addRequest<Question, Answer>(_ request: Request<F, Question, Answer>) {
    stubbable.append(request.name)
    for field in F.fields where field.requestName == request.name { return }
    recordProblem(
      .unlistedRequest(request.name, of: F.name, F.fields.compactMap { $0.requestName }))
  }

  // MARK: - Records

  /// The records of one of the feature's lists, as objects for scripts.
  ///
  /// - Parameter list: The list's key path in the state, as in the feature's fields.
  /// - Returns: The records.
  public func records<Element: Record & ScriptableRecord>(
    _ list: KeyPath<F.State, RecordList<Element>>
  ) -> LiveRecords<Element> {
    if let list = index(of: list).flatMap(objects.list) { return LiveRecords(list: list) }
    recordProblem(.unlistedList(list.propertyName ?? "\(Element.self)", of: F.name))
    return LiveRecords(list: nil)
  }

  /// The record that one of the feature's fields is, as an object for scripts.
  ///
  /// - Parameter record: The record's key path in the state, as in the feature's fields, where it has an action.
  /// - Returns: The record.
  public func record<Value: ScriptableRecord>(
    _ record: KeyPath<F.State, Value>
  ) -> LiveRecord<Value> {
    if let record = index(of: record).flatMap(objects.object) as? RecordObject {
      return LiveRecord(object: record)
    }
    recordProblem(.unlistedRecord(record.propertyName ?? "\(Value.self)", of: F.name))
    return LiveRecord(object: nil)
  }

  /// The index of the field that is declared with a key path; nil if there is none.
  private func index(of path: PartialKeyPath<F.State>) -> Int? {
    var index = 0
    for field in F.fields {
      let property: AnyKeyPath? = field.property
      if property == path, !field.fields.isEmpty { return index }
      index += field.fields.count
    }
    return nil
  }

  /// Sends an action that adds a record, with an identifier that no other record has or had.
  ///
  /// - Parameters:
  ///   - records: The list's records.
  ///   - action: Makes the action with the identifier.
  /// - Returns: The new record.
  /// - Throws: Why the action can't be applied; then the state is unchanged, and the identifier isn't used up.
  public func add<Element>(
    to records: LiveRecords<Element>, _ action: (_ id: Int) throws -> F.Action
  ) throws -> LiveRecord<Element> {
    records[try store.send(to: F.self, withNewID: action)]
  }
}
