import Lua
import StateStore

// The functions of a declaration, which run in the scripts' state, where they may do anything.
extension DeclaredModule {
  /// Adds a function: scripts get a function of Lua, which loads the file when it is first called.
  func add(_ function: FeatureDeclaration.Function) throws {
    let (feature, runtime, reference) = (feature, context.runtime, reference)
    let name = function.call.name
    let member = member(
      function.call, [.variadic], waits: true, isVariadic: function.isVariadic,
      or: "A function of the app's file.")
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
  /// Its arguments are functions: one that loads the file's function, one that gives the module, one that checks the
  /// arguments, and one that begins a group of actions. The last two may be nil.
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
      -- An error may be nil, and so doesn't say that the function has failed.
      local function finish(group, ...)
        if group then group:finish() end
        return ...
      end
      return function(...)
        local group <close> = begin_group()
        return finish(group, checked(...))
      end
      """.utf8), name: .text("function"), .hidden)

  /// A function that returns its arguments, converted to the types of the parameters.
  private func check(
    of call: DeclaredFeature.Call, _ member: LuaMember, in state: LuaState
  ) throws -> LuaFunction {
    let (feature, context, objects) = (feature, context, objects)
    return try state.function("\(feature.name).\(call.name)", member) { arguments in
      let parts = call.parameters.parts
      var values: [AnyPushable] = []
      values.reserveCapacity(parts.count)
      var read = [StateValue](repeating: .none, count: parts.count)
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
        if case .secret = value {
          values.append(given)
        } else {
          read[index] = value
          values.append(context.runtime.values.pushable(value))
        }
      }
      for (index, record) in try objects.records(read, of: call) { values[index] = record }
      for value in values { try value.push(to: arguments.stack) }
      return Int32(values.count)
    }
  }

  // MARK: - Groups

  /// A function that begins a group of actions, and returns what ends it.
  ///
  /// It returns nil in a coroutine of the code's own, which can be left in the middle of a function, for good.
  private func beginningOfGroups(in state: LuaState) throws -> LuaFunction {
    let (store, runtime) = (context.store, context.runtime)
    let member = LuaMember(
      function: "begin_group", parameters: [LuaParameter(name: "...", type: .variadic)], types: [],
      help: "", example: "")
    return try state.function("begin_group", member) { arguments in
      let task = try runtime.openState().runningTask
      guard task?.owns(arguments.stack) != false else { return 0 }
      try FunctionGroup(of: store, in: task).push(to: arguments.stack)
      return 1
    }
  }
}

/// The actions of a function of an app, which are undone together, and taken back if it fails.
///
/// Each part of a function between two waits is a group of its own: meanwhile, the app goes on.
private final class FunctionGroup: LuaExposed, LuaTaskContext {
  private let store: Store
  private weak var task: LuaTask?
  /// The group in progress; nil while the function waits, and after its end.
  private var start: Store.GroupStart?
  private var hasFinished = false

  init(of store: Store, in task: LuaTask?) {
    (self.store, self.task) = (store, task)
    start = store.beginGroup()
    task?.add(self)
  }

  static var luaTypeName: String { "group" }

  static func describe(_ members: LuaClass<FunctionGroup>) {
    members.method("finish") { (group: FunctionGroup) in group.hasFinished = true }
    members.closed { group, _ in
      group.task?.remove(group)
      try group.endPart(isFailed: !group.hasFinished)
    }
  }

  func enter() { start = store.beginGroup() }

  func leave() throws { try endPart(isFailed: false) }

  func end(isFailed: Bool) {
    do {
      try endPart(isFailed: isFailed)
    } catch {
      store.onObserverFailure(error)
    }
  }

  private func endPart(isFailed: Bool) throws {
    guard let start else { return }
    self.start = nil
    if isFailed { try store.dropGroup(start) } else { try store.endGroup(start) }
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
