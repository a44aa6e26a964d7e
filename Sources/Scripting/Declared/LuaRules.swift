import Lua
import StateStore

/// The code of a declared feature.
// Safe: it belongs to the actor of its runtime.
final class LuaRules: DeclaredRules, @unchecked Sendable {
  let declaration: FeatureDeclaration
  private let runtime: DeclaredRuntime
  /// The class of the state as the code gets it.
  private lazy var stateClass: LuaObjectClass = {
    let rules = ObjectRules(
      values: runtime.values, changesLists: true, errors: .byPlace(calls: []))
    let fields = declaration.fields.fields.enumerated().map { index, field in
      FieldClass(of: field.stateField, at: index, in: declaration.name, rules, draft: field)
    }
    // Weak, as this keeps the class.
    return StateObject.makeClass(of: declaration, fields) { [weak self] index, state in
      guard let self else { throw LuaError.closed }
      return try value(ofDerived: index, readBy: state)
    }
  }()

  private var values: ObjectValues { runtime.values }

  init(_ declaration: FeatureDeclaration, in runtime: DeclaredRuntime) {
    (self.declaration, self.runtime) = (declaration, runtime)
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
    return try runtime.run(isRepeated: draft.isRepeated, name(of: code), .actions) {
      guard !arguments.isEmpty else {
        return try result(function.call(state, as: CodeResult.self), of: code)
      }
      let given = CodeArguments(values: arguments, converter: values)
      return try result(function.call(state, given, as: CodeResult.self), of: code)
    }
  }

  /// The path of an action or a request.
  private func name(of code: DeclaredCode) -> String {
    let call =
      switch code {
      case .action(let index): declaration.actions[index].call
      case .asked(let index), .done(let index): declaration.requests[index].type.call
      }
    return "\(declaration.name).\(call.name)"
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
      case is StateObject, is ListObject, is SetObject:
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

  /// The reasons why derived values were given up, by their indexes.
  private var abandoned: [Int: DeclarationError] = [:]

  func value(ofDerived index: Int, in states: States) -> StateValue {
    guard abandoned[index] == nil else { return .none }
    do {
      return try runtime.briefly { try derivedValue(at: index, in: states) }
    } catch {
      // Reading the value says what is wrong; a change of the state doesn't fail because of it.
      if let reason = abandoned[index] { runtime.report("\(reason)") }
      return .none
    }
  }

  /// Computes a derived value.
  ///
  /// - Throws: Why its code fails.
  func derivedValue(at index: Int, in states: States) throws -> StateValue {
    guard let state = states.box(ofDeclared: declaration.name) else { return .none }
    return try value(ofDerived: index, of: state, states)
  }

  /// Computes a derived value for code that has a view of the state.
  func value(ofDerived index: Int, readBy view: StateObject) throws -> StateValue {
    let derived = declaration.derived[index]
    guard !derived.field.readsApp || runtime.currentStates != nil else {
      let path = "\(declaration.name).\(derived.field.name)"
      throw DeclarationError(
        "not_available",
        runtime.isEvaluating
          ? "\(path) reads other features: a derived value that reads it has the parameter app, too"
          : "\(path) reads other features, and an action only its own")
    }
    return try value(ofDerived: index, of: view.source.state, runtime.currentStates)
  }

  private func value(
    ofDerived index: Int, of state: AnyFeatureState, _ states: States?
  ) throws -> StateValue {
    // An action's code gets any value: it must do the same whenever it is repeated.
    if let reason = abandoned[index], !runtime.isRunningAction { throw reason }
    let derived = declaration.derived[index]
    let states = derived.field.readsApp ? states : nil
    let path = "\(declaration.name).\(derived.field.name)"
    let view = StateView(state)
    defer { view.end() }
    let object = StateObject(stateClass, .view(view))
    do {
      return try runtime.evaluate(path, readingApp: states) {
        let value =
          if states != nil {
            try derived.code.call(object, AppObject(runtime), as: LuaValue.self)
          } else {
            try derived.code.call(object, as: LuaValue.self)
          }
        do {
          return try values.value(of: value)
        } catch let error as JSONError {
          throw DeclarationError(
            "bad_result",
            "\(try derived.code.placeOfMessage())\(path) can't have this value: \(error.message)")
        }
      }
    } catch let error as LuaError
      where error.isStop && runtime.takesLong && !runtime.isRunningAction
    {
      // Otherwise every command would wait for it.
      abandoned[index] = DeclarationError(
        "given_up", "\(path) took too long, and was given up until its file is loaded again")
      throw error
    }
  }

  /// Computes all derived values, within the time limit from a start.
  ///
  /// - Throws: ``DeclarationError`` for one that fails.
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
  let converter: ObjectValues

  static var luaTypeName: String { LuaVariadic.luaTypeName }

  func push(to stack: LuaStack) throws(LuaError) { _ = try pushResults(to: stack) }

  func pushResults(to stack: LuaStack) throws(LuaError) -> Int32 {
    try stack.reserve(Int32(clamping: values.count + 20))
    for value in values { try converter.pushable(value).push(to: stack) }
    return Int32(values.count)
  }
}

/// The result of an action's code.
private enum CodeResult: LuaReadable {
  /// A record of the list that the field at an index is.
  case record(field: Int, id: Int)
  case value(LuaValue)

  static var luaTypeName: String { "any" }

  static func read(from stack: LuaStack, at index: Int32) -> Self {
    guard let (field, id) = stack.hostObject(of: RecordObject.self, at: index)?.element else {
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
