import Lua
import StateStore

extension ScriptModule {
  init(_ feature: DeclaredFeature, _ rules: LuaRules, _ files: [DeclaredFile]) {
    let help = rules.declaration.help
    self.init(
      name: feature.name, help: help.isEmpty ? "A feature of this app." : help,
      errorCodes: { rules.declaration.errorCodes }, records: { [] },
      files: files, page: rules.declaration.page
    ) { context throws(ScriptError) in
      do {
        return try DeclaredModule(feature, rules, in: context).described
      } catch {
        throw ScriptError("not_described", "\(error)")
      }
    }
  }
}

/// The module of a declared feature, in one app.
struct DeclaredModule {
  let module: LuaModule
  let feature: DeclaredFeature
  let context: ScriptContext
  let objects: FeatureObjects
  let reference: ModuleReference
  /// The functions that run in the scripts' state, where they may do anything.
  private let functions: [String]

  fileprivate init(
    _ feature: DeclaredFeature, _ rules: LuaRules, in context: ScriptContext
  ) throws {
    reference = try ModuleReference(in: context.runtime.openState())
    (self.feature, self.context) = (feature, context)
    let declaration = rules.declaration
    let store = context.store
    guard let place = store.schema.place(of: feature.name) else {
      throw ScriptError.noModule(feature.name)
    }
    let fields = context.runtime.fields(of: ObjectIdentifier(feature), feature.name) {
      let calls = feature.calls.map { "\(feature.name).\($0.name)" }
      return (store.schema.fields(of: feature), .byPlace(calls: calls))
    }
    objects = FeatureObjects(fields, in: store, at: place)
    functions = declaration.functions.map(\.call.name)
    module = LuaModule(feature.name, help: declaration.help)
    for index in feature.fields.indices { module.add(index, of: objects) }
    for (index, derived) in feature.derived.enumerated() {
      for field in fields where field.field.name == derived.name {
        add(field.field, at: index, rules)
      }
    }
    for (index, function) in declaration.derivedFunctions.enumerated() {
      add(function, at: index, rules)
    }
    for (index, action) in declaration.actions.enumerated() { add(action, at: index) }
    for field in fields where field.field.showsRequest { module.add(field.index, of: objects) }
    for (index, request) in declaration.requests.enumerated() { add(request, at: index) }
    for function in declaration.functions { try add(function) }
  }

  fileprivate var described: DescribedModule {
    DescribedModule(
      module, stubbable: feature.requestTypes.map(\.call.name), unconfined: functions, reference)
  }

  // MARK: - Derived values

  private func add(_ field: AnyField, at index: Int, _ rules: LuaRules) {
    let store = context.store
    guard let query = rules.declaration.derived[index].source.query, query.kind.hasObject else {
      return module.addValue(
        field, get: { try rules.derivedValue(at: index, in: store.states) })
    }
    let list = objects.fields.first { $0.field.name == query.list.name }
    module.addListView(field, over: list, of: objects) {
      rules.object(of: query, at: index, from: $0)
    }
  }

  private func add(_ function: FeatureDeclaration.DerivedFunction, at index: Int, _ rules: LuaRules)
  {
    let (feature, context, call) = (feature, context, function.call)
    module.function(member(call, or: call.name.asHelp)) { arguments in
      let values = try arguments.values(of: call, in: feature, context)
      let value = try rules.value(ofDerivedFunction: index, values, in: context.store.states)
      try context.runtime.values.pushable(value).push(to: arguments.stack)
      return 1
    }
  }

  // MARK: - Functions

  /// The member by which scripts call a function, with texts in place of those that its declaration lacks.
  func member(
    _ call: DeclaredFeature.Call, _ results: [LuaValueType] = [LuaValue.luaType],
    waits: Bool = false, isVariadic: Bool = false, or usualHelp: String
  ) -> LuaMember {
    let rest = isVariadic ? [LuaParameter(name: "...", type: .variadic)] : []
    let needed = call.parameters.parts.filter { !$0.canBeLeftOut }.map(\.type.example)
    return LuaMember(
      function: call.name, parameters: call.parameters.documentation + rest, types: results,
      waits: waits, help: call.help.isEmpty ? usualHelp : call.help,
      example: call.example.isEmpty
        ? "\(feature.name).\(call.name)(\(needed.joined(separator: ", ")))" : call.example)
  }

  private func add(_ action: FeatureDeclaration.Action, at index: Int) {
    let (feature, context, objects) = (feature, context, objects)
    let store = context.store
    let results: [LuaValueType] =
      switch action.result {
      case .nothing: []
      case .value: [LuaValue.luaType]
      case .record(let list):
        [objects.fields.first { $0.field.name == list }?.elementType ?? LuaValue.luaType]
      }
    module.function(member(action.call, results, or: "Changes \(feature.name).")) { arguments in
      let values = try arguments.values(of: action.call, in: feature, context)
      switch try store.send(action: index, values, to: feature) {
      case .value(.none): return 0
      case .value(let value): try value.push(to: arguments.stack)
      case .record(let field, let id):
        guard let list = objects.list(at: field) else { return 0 }
        try list.record(id).push(to: arguments.stack)
      }
      return 1
    }
  }

  private func add(_ request: FeatureDeclaration.Request, at index: Int) {
    let (feature, context, objects, reference) = (feature, context, objects, reference)
    let call = request.type.call
    module.asyncFunction(
      member(call, waits: true, or: "Asks, and waits for the answer.")
    ) { arguments in
      let values = try arguments.values(of: call, in: feature, context)
      return {
        let answer = try await context.store.ask(
          request: index, values, of: feature, stubs: context.environment.stubs
        ) {
          let records = try objects.records(values, of: call)
          return try await context.answer(
            values, records, of: call.name, in: feature.name, reference)
        }
        return answer.stateValue { $0 }
      }
    }
  }
}

/// A module as the first argument of its own functions, which don't keep it alive: neither Lua nor Swift would see the cycle.
final class ModuleReference {
  /// A table whose only element is the module that scripts have; it holds it weakly.
  let holder: LuaTable
  /// The module of the session's app.
  weak var module: LuaModule?

  fileprivate init(in state: LuaState) throws(LuaError) {
    holder = try state.makeTable()
    try holder.setMetatable(state.makeTable(LuaRecord(["__mode": "v"])))
  }

  var pushable: AnyPushable {
    get throws(LuaError) {
      let held = try holder.rawGet(1)
      if held != .nil { return AnyPushable(held) }
      return module.map { AnyPushable($0) } ?? AnyPushable(LuaValue.nil)
    }
  }
}

extension ScriptContext {
  /// The answer of a declared request, by the code in the scripts' state.
  fileprivate func answer(
    _ values: [StateValue], _ records: [Int: AnyPushable], of request: String, in feature: String,
    _ module: ModuleReference
  ) async throws -> JSONValue {
    let code = try runtime.function(request, in: "requests", of: feature)
    var arguments: [any LuaPushable] = []
    for (index, value) in values.enumerated() {
      if case .secret(let secret) = value {
        arguments.append(try await secret.withText { $0 })
      } else {
        arguments.append(records[index] ?? AnyPushable(value))
      }
    }
    let state = try runtime.openState()
    let task = try state.start(code, [try module.pushable] + arguments)
    do {
      let answer = try await task.valueOrCancellation().first ?? .nil
      return answer == .nil ? .null : JSONValue(try runtime.values.value(of: answer))
    } catch let error as JSONError {
      throw DeclarationError(
        "bad_result",
        "\(try code.placeOfMessage())\(feature).\(request) can't have this answer: \(error.message)"
      )
    } catch let error as LuaError {
      // The code was cancelled with the request.
      if Task.isCancelled { throw CancellationError() }
      // Without the path of the file, as the state keeps the message.
      if let failure = error.underlying as? DeclaredFailure { throw failure }
      throw DeclaredCodeError(
        of: error, raising: state.value(of: error), in: "\(feature).\(request)") ?? error
    }
  }
}

extension LuaArguments {
  fileprivate func values(
    of call: DeclaredFeature.Call, in feature: DeclaredFeature, _ context: ScriptContext
  ) throws -> [StateValue] {
    let parts = call.parameters.parts
    var values: [StateValue] = []
    values.reserveCapacity(parts.count)
    for index in parts.indices {
      values.append(try value(of: index, in: call, of: feature, context))
    }
    return values
  }

  func value(
    of index: Int, in call: DeclaredFeature.Call, of feature: DeclaredFeature,
    _ context: ScriptContext
  ) throws -> StateValue {
    let part = call.parameters.parts[index]
    let place = self.index(of: index + 1)
    if stack.isNoneOrNil(at: place) {
      if let value = part.argumentDefault { return context.value(of: value, for: part.type) }
      if part.type.isOptional { return .none }
    }
    // A call with a colon has the module as its first argument.
    if index == 0, stack.isModule(at: place) { throw badArgument(1, expected: part.type.name) }
    do {
      let value = try context.runtime.values.read(
        stack, at: place, as: part.type, in: context.store)
      do {
        return try part.type.checked(value, at: part.name)
      } catch {
        // The path says more than the argument's type.
        if case .record = value { throw error }
        guard part.type.isNarrow else { throw badArgument(index + 1, expected: part.type.name) }
        throw badArgument(
          index + 1, LuaTypeMismatch(expected: part.type.phrase, got: value.kindPhrase))
      }
    } catch let error as JSONError {
      throw LuaError(
        .badArgument,
        "bad argument #\(index + 1) to '\(feature.name).\(call.name)' (\(part.name): \(error.message))"
      )
    }
  }
}

extension FeatureObjects {
  /// The records that arguments of a call refer to, by the indexes of these.
  func records(
    _ arguments: [StateValue], of call: DeclaredFeature.Call
  ) throws -> [Int: AnyPushable] {
    try call.parameters.records(arguments) { list(named: $0.list) }
  }
}

extension RecordType {
  var documentation: [LuaParameter] {
    parts.map { part in
      let type = part.type.parameterType(at: part.name)
      guard let value = part.argumentDefault else {
        return LuaParameter(name: part.name, type: type)
      }
      return LuaParameter(name: part.name, type: .optional(type), defaultText: value.text)
    }
  }
}
