import Lua
import StateStore

/// The code of a declared feature.
// Safe: it belongs to the actor of its runtime.
final class LuaRules: DeclaredRules, @unchecked Sendable {
  let declaration: FeatureDeclaration
  private let runtime: DeclaredRuntime
  private lazy var classes = DeclaredViewClasses(declaration, self, runtime.values)

  private var values: DeclaredValues { runtime.values }

  init(_ declaration: FeatureDeclaration, in runtime: DeclaredRuntime) {
    (self.declaration, self.runtime) = (declaration, runtime)
  }

  func change(
    _ draft: DeclaredDraft, by code: DeclaredCode, _ arguments: [StateValue]
  ) throws -> DeclaredResult {
    let function: LuaFunction?
    let parameters: [DeclaredRecordType.Part]
    switch code {
    case .action(let index):
      function = declaration.actions[index].code
      parameters = declaration.actions[index].call.parameters.parts
    case .asked(let index):
      function = declaration.requests[index].asked
      parameters = declaration.requests[index].type.call.parameters.parts
    case .done(let index): (function, parameters) = (declaration.requests[index].done, [])
    }
    guard let function else { return .value(.none) }
    let view = StateView(.draft(draft), classes, declaration)
    return try runtime.run(isRepeated: draft.isRepeated, .actions) {
      var call: [any LuaPushable] = [view]
      for (index, argument) in arguments.enumerated() {
        let type = index < parameters.count ? parameters[index].type : .any
        call.append(values.pushable(argument, of: type))
      }
      let result = arguments.isEmpty
        ? try function.call(view, as: LuaValue.self) : try function.call(with: call).first ?? .nil
      return try self.result(result, of: code)
    }
  }

  private func result(_ value: LuaValue, of code: DeclaredCode) throws -> DeclaredResult {
    guard case .action(let index) = code, value != .nil else { return .value(.none) }
    let name = "\(declaration.name).\(declaration.actions[index].call.name)"
    if case .userdata(let object) = value {
      switch try object.hostObject() {
      case let record as RecordView: return .record(list: record.list.index, id: record.id)
      case is StateView, is ListView, is SetView:
        throw DeclarationError(
          "bad_result", "\(name) returns its draft, which ends with the action; return a record or a value")
      default: break
      }
    }
    do {
      return .value(try values.value(of: value))
    } catch let error as JSONError {
      throw DeclarationError("bad_result", "\(name) returns a value that scripts can't get: \(error)")
    }
  }

  // MARK: - Derived values

  func value(ofDerived index: Int, in states: States) -> StateValue {
    do {
      return try derivedValue(at: index, in: states)
    } catch {
      // Reading the value says what is wrong; a change of the state doesn't fail because of it.
      return .none
    }
  }

  /// Computes a derived value.
  ///
  /// - Throws: Why its code fails.
  func derivedValue(at index: Int, in states: States) throws -> StateValue {
    guard let state = states.state(ofDeclared: declaration.name) else { return .none }
    let view = StateView(.fixed(state), classes, declaration)
    return try value(ofDerived: index, of: view, AppView(states, runtime))
  }

  /// Computes a derived value for code that has a view of the state.
  func value(ofDerived index: Int, readBy view: StateView) throws -> StateValue {
    let derived = declaration.derived[index]
    guard !derived.field.readsApp || runtime.currentApp != nil else {
      let path = "\(declaration.name).\(derived.field.name)"
      throw DeclarationError(
        "not_available",
        runtime.isEvaluating
          ? "\(path) reads other features: a derived value that reads it has the parameter app, too"
          : "\(path) reads other features, and an action only its own")
    }
    let fixed = StateView(.fixed(try view.source.state), classes, declaration)
    return try value(ofDerived: index, of: fixed, runtime.currentApp)
  }

  private func value(
    ofDerived index: Int, of view: StateView, _ appView: AppView?
  ) throws -> StateValue {
    let derived = declaration.derived[index]
    let appView = derived.field.readsApp ? appView : nil
    return try runtime.evaluate("\(declaration.name).\(derived.field.name)", appView) {
      let value =
        if let appView {
          try derived.code.call(view, appView, as: LuaValue.self)
        } else {
          try derived.code.call(view, as: LuaValue.self)
        }
      return try values.value(of: value)
    }
  }

  /// Computes all derived values.
  ///
  /// - Throws: ``DeclarationError`` for one that fails.
  func checkDerivedValues(in states: States) throws {
    for index in declaration.derived.indices {
      do {
        _ = try derivedValue(at: index, in: states)
      } catch {
        let name = "\(declaration.name).\(declaration.derived[index].field.name)"
        throw DeclarationError(
          "bad_declaration", "the derived value \(name) fails in the initial state: \(error)")
      }
    }
  }

  // MARK: - Versions

  func migrated(_ state: JSONValue, from version: Int) throws -> JSONValue? {
    guard let migrate = declaration.migrate else { return nil }
    return try runtime.run(isRepeated: false, .migrations) {
      let table = try runtime.table(of: state)
      let result = try migrate.call(table, version, as: LuaValue.self)
      let migrated = result == .nil ? .table(table) : result
      return JSONValue(try values.value(of: migrated))
    }
  }
}
