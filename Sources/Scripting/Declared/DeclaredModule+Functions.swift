import Lua
import StateStore

// The functions of a declaration, which run in the scripts' state, where they may do anything.
extension DeclaredModule {
  /// Adds a function: scripts get a function of Lua, which loads the file when it is first called.
  func add(_ function: FeatureDeclaration.Function) throws {
    let (feature, runtime, reference) = (feature, context.runtime, reference)
    let name = function.call.name
    let parameters = function.call.parameters.documentation
    let member = LuaMember(
      function: name,
      parameters: parameters
        + (function.isVariadic ? [LuaParameter(name: "...", type: .variadic)] : []),
      types: [.variadic], waits: true,
      help: function.help.isEmpty ? "A function of the app's file." : function.help,
      example: function.example.isEmpty ? function.call.example(in: feature.name) : function.example
    )
    let state = try runtime.openState()
    let code = try Self.functionChunk.function(in: state).call(
      state.function(name) { try runtime.function(name, in: "functions", of: feature.name) },
      state.function(name) { try reference.pushable }, reference.holder,
      function.isTyped ? try check(of: function.call, member, in: state) : nil,
      function.isGroup ? try beginningOfGroups(in: state) : nil,
      as: LuaFunction.self)
    module.function(member, code)
  }

  /// Makes a function of one of a file, with the module as the first argument.
  ///
  /// It gets functions that load it, and give the module, and either checks the arguments or is nil, and either begins a
  /// group of actions or is nil.
  private static let functionChunk = CompiledChunk(
    Array(
      """
      local load, get_module, holder, check, begin_group = ...
      local fn
      local function call(...)
        fn = fn or load()
        if not holder[1] then holder[1] = get_module() end
        return fn(holder[1], ...)
      end
      local checked = call
      if check then function checked(...) return call(check(...)) end end
      if not begin_group then return checked end
      return function(...)
        local group <close> = begin_group()
        return checked(...)
      end
      """.utf8), name: .text("function"), .hidden)

  /// A function that returns its arguments, converted to the types of the parameters.
  private func check(
    of call: DeclaredFeature.Call, _ member: LuaMember, in state: LuaState
  ) throws -> LuaFunction {
    let (feature, context) = (feature, context)
    return try state.function("\(feature.name).\(call.name)", member) { arguments in
      let parts = call.parameters.parts
      var values: [AnyPushable] = []
      values.reserveCapacity(parts.count)
      for (index, part) in parts.enumerated() {
        let argument = arguments.stack.value(at: arguments.index(of: index + 1))
        let given = AnyPushable(argument)
        // Unlike an action, a function can get what can't be kept, such as another function.
        let type = part.type.required
        if part.argumentDefault == nil, type == .any || type == .table && argument.hasElements {
          values.append(given)
          continue
        }
        let value = try arguments.value(of: index, in: call, of: feature, context)
        // It may send a secret to a service.
        let isSecret = if case .secret = value { true } else { false }
        values.append(isSecret ? given : context.runtime.values.pushable(value))
      }
      for value in values { try value.push(to: arguments.stack) }
      return Int32(values.count)
    }
  }

  // MARK: - Groups

  /// A function that begins a group of actions, and returns what ends it; nil in a group.
  private func beginningOfGroups(in state: LuaState) throws -> LuaFunction {
    let (store, runtime) = (context.store, context.runtime)
    return try state.function("begin_group") {
      FunctionGroup(of: store, in: try runtime.openState().runningTask)
    }
  }
}

/// The actions that a function of an app sends, which are undone together, and taken back if it fails.
///
/// While the function waits, the app goes on: what it did before is one step, and what it does then another.
private final class FunctionGroup: LuaExposed, LuaTaskContext {
  private let store: Store
  private weak var task: LuaTask?
  /// The group in progress; nil while the function waits, and after its end.
  private var start: Store.GroupStart?
  /// Why the actions of an earlier part couldn't be combined.
  private var failure: (any Error)?

  init(of store: Store, in task: LuaTask?) {
    (self.store, self.task) = (store, task)
    start = store.beginGroup()
    task?.add(self)
  }

  static var luaTypeName: String { "group" }

  static func describe(_ members: LuaClass<FunctionGroup>) {
    members.closed { group, error in try group.end(isFailed: error != .nil) }
  }

  func enter() { start = store.beginGroup() }

  func leave(isFailed: Bool) {
    do {
      try endPart(isFailed: isFailed)
    } catch {
      failure = error
    }
  }

  private func end(isFailed: Bool) throws {
    task?.remove(self)
    try endPart(isFailed: isFailed)
    if let failure, !isFailed { throw failure }
  }

  private func endPart(isFailed: Bool) throws {
    guard let start else { return }
    self.start = nil
    guard !isFailed else { return try store.dropGroup(start) }
    do {
      try store.endGroup(start)
    } catch {
      try store.dropGroup(start)
      throw error
    }
  }
}

extension LuaValue {
  /// Whether it is a table, or an object such as a live list.
  fileprivate var hasElements: Bool {
    switch self {
    case .table, .userdata: true
    default: false
    }
  }
}
