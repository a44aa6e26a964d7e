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

  private let lists: FieldLists<F>

  init(in context: ScriptContext) throws(ScriptError) {
    store = context.store
    lists = FieldLists(in: context.store)
    super.init(
      F.name, help: F.help, try context.environment.context(of: F.Services.self, for: F.name))
    var declarations: [Field<F>] = []
    for declaration in F.fields {
      for _ in declaration.fields { declarations.append(declaration) }
    }
    for (field, declaration) in zip(store.schema.fields(of: F.self), declarations) {
      add(field, declaration)
    }
    for field in store.schema.derivedFields(in: F.name) { addValue(field, in: store) }
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
    note(request)
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
    note(request)
    let (store, context) = (store, context)
    asyncFunction(request.name, parameters: parameters, help: help, example: example) {
      (argument: repeat each Argument) in
      let question = try question(repeat each argument)
      return { () async throws -> Result in
        result(try await store.ask(request, question, in: context))
      }
    }
  }

  private func note<Question, Answer>(_ request: Request<F, Question, Answer>) {
    stubbable.append(request.name)
    for field in F.fields where field.requestName == request.name { return }
    note(.unlistedRequest(request.name, of: F.name, F.fields.compactMap { $0.requestName }))
  }

  // MARK: - Records

  /// The records of one of the feature's lists, as objects for scripts.
  ///
  /// - Parameter list: The list's key path in the state, as in the feature's fields.
  /// - Returns: The records.
  public func records<Element: Record & ScriptableRecord>(
    _ list: KeyPath<F.State, RecordList<Element>>
  ) -> LiveRecords<Element> {
    for field in F.fields {
      guard let access = field.records(of: Element.self) else { continue }
      let path: PartialKeyPath<F.State> = access.path
      if path == list, let name = field.fields.first?.name {
        return lists.liveList(access, of: name).records
      }
    }
    let error = ScriptError.unlistedList(list.propertyName ?? "\(Element.self)", of: F.name)
    note(error)
    return LiveRecords(read: { _ in throw error }, count: { 0 }, id: { _ in 0 })
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

// MARK: - Members of fields

extension FeatureModule {
  private func add(_ field: StateField, _ declaration: Field<F>) {
    guard field.isList else {
      let isAssignable = declaration.isAssignable
      return addValue(
        field, in: store, example: isAssignable ? field.assignedExample : nil,
        assign: isAssignable ? FieldAssigner(field, declaration, in: store).assign : nil)
    }
    let lists = lists
    if field.name.isEmpty {
      sequence(
        of: { field.elementType }, count: { lists.list(of: field, declaration).count },
        element: { AnyPushable(lists.list(of: field, declaration).element(at: $0)) })
    } else {
      property(
        LuaMember(
          property: field.name, type: field.listType, isWritable: false, help: field.shownHelp,
          example: "print(#\(field.path))"),
        get: { AnyPushable(lists.list(of: field, declaration).value) }, assign: nil)
    }
  }
}

extension StateField {
  /// A value to assign, as Lua text; nil for values of types that have none.
  fileprivate var assignedExample: String? {
    switch type.required {
    case .integer, .number, .boolean, .string, .secret: type.example
    default: nil
    }
  }
}

/// Assigns a field by its action.
///
/// The type of the values is looked up at the first assignment, because that takes long at the start of a program.
private final class FieldAssigner<F: ScriptableFeature> {
  private let field: StateField
  private let declaration: Field<F>
  private let store: Store
  private var send: ((LuaStack) throws -> Void)?

  init(_ field: StateField, _ declaration: Field<F>, in store: Store) {
    (self.field, self.declaration, self.store) = (field, declaration, store)
  }

  func assign(_ stack: LuaStack) throws {
    if let send { return try send(stack) }
    guard let type = field.swiftType as? any ScriptableValue.Type,
      let found = assignment(of: type)
    else { throw ScriptError.unreadableValue(field.path) }
    send = found
    try found(stack)
  }

  private func assignment<Value: ScriptableValue>(
    of type: Value.Type
  ) -> ((LuaStack) throws -> Void)? {
    guard let assign = declaration.assign(Value.self) else { return nil }
    let (store, path) = (store, field.path)
    return { stack in
      let new: Value.LuaForm = try stack.assignedValue(to: path)
      try assign(store, Value(luaForm: new))
    }
  }
}
