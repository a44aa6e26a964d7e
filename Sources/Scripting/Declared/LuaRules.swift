import Lua
import StateStore

/// The code of a declared feature.
// Safe: it belongs to the actor of its runtime.
final class LuaRules: DeclaredRules, @unchecked Sendable {
  let declaration: FeatureDeclaration
  private let runtime: DeclaredRuntime
  private lazy var fields: [FieldClass] = {
    let rules = ObjectRules(
      values: runtime.values, changesLists: true, errors: .byPlace(calls: []))
    let fields = declaration.fields.fields.enumerated().map { index, field in
      FieldClass(of: field.stateField, at: index, in: declaration.name, rules, draft: field)
    }
    FieldClass.connect(fields)
    return fields
  }()
  private lazy var stateClass: LuaObjectClass = {
    // Weak, as this keeps the class.
    StateObject.makeClass(of: declaration, fields) { [weak self] index, state in
      guard let self else { throw LuaError.closed }
      return try value(ofDerived: index, readBy: state)
    }
  }()
  /// The derived values that are fields, and then those with parameters.
  private let derivedValues: [DerivedValue]

  private var values: ObjectValues { runtime.values }

  init(_ declaration: FeatureDeclaration, in runtime: DeclaredRuntime) {
    (self.declaration, self.runtime) = (declaration, runtime)
    derivedValues = DerivedValue.values(of: declaration, in: runtime)
  }

  func change(
    _ draft: DeclaredDraft, by code: DeclaredCode, _ arguments: [StateValue]
  ) throws -> DeclaredResult {
    let function: LuaFunction? =
      switch code {
      case .action(let index): declaration.actions[index].code
      case .asked(let index): declaration.requests[index].asked
      case .done(let index): declaration.requests[index].done
      }
    guard let function else { return .value(.none) }
    let state = StateObject(stateClass, .draft(draft))
    do {
      return try runtime.run(isRepeated: draft.isRepeated, name(of: code), .actions) {
        guard !arguments.isEmpty else {
          return try result(function.call(state, as: CodeResult.self), of: code)
        }
        let isAnswer = if case .done = code { true } else { false }
        let given = CodeArguments(
          values: arguments,
          records: isAnswer
            ? [:] : try records(arguments, of: call(of: code).parameters, in: state.source),
          converter: values)
        return try result(function.call(state, given, as: CodeResult.self), of: code)
      }
    } catch let error as DeclaredCodeError {
      guard case .action = code else { throw error }
      throw error.naming(call(of: code), arguments, of: declaration.name)
    }
  }

  private func call(of code: DeclaredCode) -> DeclaredFeature.Call {
    switch code {
    case .action(let index): declaration.actions[index].call
    case .asked(let index), .done(let index): declaration.requests[index].type.call
    }
  }

  /// The records that arguments refer to, by the indexes of the arguments.
  private func records(
    _ arguments: [StateValue], of type: RecordType, in source: ObjectSource
  ) throws -> [Int: AnyPushable] {
    try type.records(arguments) { reference in
      try fields.first { $0.field.name == reference.list }?.list(in: source)
    }
  }

  private func name(of code: DeclaredCode) -> String {
    "\(declaration.name).\(call(of: code).name)"
  }

  private func result(_ result: CodeResult, of code: DeclaredCode) throws -> DeclaredResult {
    guard case .action = code else { return .value(.none) }
    let value: LuaValue
    switch result {
    case .record(let field, let id): return .record(field: field, id: id)
    case .value(.nil): return .value(.none)
    case .value(let other): value = other
    }
    let name = name(of: code)
    if case .userdata(let object) = value {
      switch try object.hostObject() {
      case is StateObject, is ListObject, is SetObject, is MapObject:
        throw DeclarationError(
          "bad_result",
          "\(name) returns its draft, which ends with the action; return a record or a value")
      default: break
      }
    }
    do {
      return .value(try values.value(of: value))
    } catch let error as JSONError {
      throw DeclarationError(
        "bad_result", "\(name) returns a value that scripts can't get: \(error.userMessage)")
    }
  }

  // MARK: - Derived values

  private func reading(_ box: AnyFeatureState, _ states: States?) -> DerivedValue.Reading {
    DerivedValue.Reading(box: box, states: states) { [weak self] view in
      guard let self else { throw LuaError.closed }
      return StateObject(stateClass, .view(view))
    } listClass: { [weak self] list in
      guard let listClass = self?.field(of: list)?.listClass else { throw LuaError.closed }
      return listClass
    }
  }

  private func field(of list: DeclaredList) -> FieldClass? {
    fields.first { $0.field.name == list.name }
  }

  private func reading(_ states: States) -> DerivedValue.Reading? {
    states.box(ofDeclared: declaration.name).map { reading($0, states) }
  }

  func value(ofDerived index: Int, in states: States) -> StateValue {
    do {
      return try derivedValue(at: index, in: states)
    } catch {
      // Reading the value says what is wrong; a change of the state doesn't fail because of it.
      return .none
    }
  }

  func summary(ofDerived index: Int, in states: States) -> DerivedSummary? {
    guard let reading = reading(states) else { return .value(.none) }
    do {
      return try derivedValues[index].summary(in: reading)
    } catch {
      return .value(.none)
    }
  }

  /// The value of a derived field, which is computed unless it is known.
  func derivedValue(at index: Int, in states: States) throws -> StateValue {
    guard let reading = reading(states) else { return .none }
    return try derivedValues[index].value(in: reading)
  }

  func value(
    ofDerivedFunction index: Int, _ arguments: [StateValue], in states: States
  ) throws -> StateValue {
    guard var reading = reading(states) else { return .none }
    let parameters = declaration.derivedFunctions[index].call.parameters
    reading.records = { [weak self] view in
      try self?.records(arguments, of: parameters, in: .view(view)) ?? [:]
    }
    return try derivedValues[declaration.derived.count + index].value(arguments, in: reading)
  }

  /// The value of a derived field for code that has the state.
  private func value(ofDerived index: Int, readBy object: StateObject) throws -> AnyPushable {
    let derived = derivedValues[index]
    let states = runtime.currentStates
    guard !derived.readsApp || states != nil else {
      throw DeclarationError(
        "not_available",
        runtime.isEvaluating
          ? "\(derived.path) reads other features: a derived value that reads it has the parameter app, too"
          : "\(derived.path) reads other features, and an action only its own")
    }
    if let query = declaration.derived[index].source.query, query.kind.hasObject,
      let field = field(of: query.list), let list = field.object(in: object.source) as? ListObject
    {
      // The object reads the list whenever it is used.
      try object.source.recordRead(of: field.field)
      return self.object(of: query, at: index, from: list)
    }
    let reads: ReadLog? = if case .view(let view) = object.source { view.reads } else { nil }
    do {
      let value = try derived.value(in: reading(object.source.state, states))
      reads?.recordDerived(derived.path, value) { [weak self] box, states in
        guard let self else { throw LuaError.closed }
        return try derived.value(in: reading(box, states))
      }
      return runtime.values.pushable(value)
    } catch {
      reads?.recordFailure()
      throw error
    }
  }

  /// The object for a query whose result is records or groups.
  func object(of query: DeclaredQuery, at index: Int, from list: ListObject) -> AnyPushable {
    // Weak, as code may keep the object in the state that belongs to these rules.
    query.kind.object(named: derivedValues[index].path, from: list) { [weak self] in
      guard let self else { throw LuaError.closed }
      return try derivedValues[index].result(in: reading(list.source.state, nil))
    }
  }

  /// Computes all derived fields, within the time limit from a start.
  func checkDerivedValues(in states: States, since start: ContinuousClock.Instant) throws {
    for index in declaration.derived.indices {
      try runtime.checkTime(since: start)
      do {
        _ = try runtime.briefly { try derivedValue(at: index, in: states) }
      } catch {
        let name = "\(declaration.name).\(declaration.derived[index].field.name)"
        throw DeclarationError(
          "bad_declaration",
          "the derived value \(name) fails in the initial state: \(error.userMessage)")
      }
    }
  }

  // MARK: - Versions

  func migrated(_ state: JSONValue, from version: Int) throws -> JSONValue? {
    guard let migrate = declaration.migrate else { return nil }
    return try runtime.run(isRepeated: false, "\(declaration.name).migrate", .migrations) {
      let table = try runtime.table(of: state)
      let result = try migrate.call(table, version, as: LuaValue.self)
      let migrated = result == .nil ? .table(table) : result
      return JSONValue(try values.value(of: migrated))
    }
  }
}

/// The arguments of an action's code after the draft.
private struct CodeArguments: LuaPushable {
  let values: [StateValue]
  /// The records in place of the ids of some values, by the indexes of these.
  let records: [Int: AnyPushable]
  let converter: ObjectValues

  static var luaTypeName: String { LuaVariadic.luaTypeName }

  func push(to stack: LuaStack) throws(LuaError) { _ = try pushResults(to: stack) }

  func pushResults(to stack: LuaStack) throws(LuaError) -> Int32 {
    try stack.reserve(Int32(clamping: values.count + 20))
    for (index, value) in values.enumerated() {
      try (records[index] ?? converter.pushable(value)).push(to: stack)
    }
    return Int32(values.count)
  }
}

private enum CodeResult: LuaReadable {
  /// A record of the list that the field at an index is.
  case record(field: Int, id: Int)
  case value(LuaValue)

  static var luaTypeName: String { "any" }

  static func read(from stack: LuaStack, at index: Int32) -> Self {
    guard let (field, id) = stack.object(of: RecordObject.self, at: index)?.element else {
      return .value(stack.value(at: index))
    }
    return .record(field: field, id: id)
  }
}

extension LuaFunction {
  /// The file and line where the function begins, before a message; empty for one that isn't written in Lua.
  func placeOfMessage() throws -> String {
    guard case .lua(let definition) = try origin() else { return "" }
    return "\(definition.chunkName.dropFirst()):\(definition.firstLine): "
  }
}
