internal import CLua
internal import CLuaTrampolines

/// What a state, its tables, functions and tasks share.
///
/// Tables and functions hold the core, not the state, so that a Swift closure stored in Lua that holds a Lua function
/// doesn't keep its own state alive. After `close` the core is all that is left of the state.
final class StateCore {
  /// The main coroutine; `nil` once the state is closed.
  private(set) var main: OpaquePointer?

  /// The actor that the state was made on, where its async functions run; `nil` outside any actor.
  let owner: (any Actor)?

  /// References whose Swift owners are gone, to be released by the thread that runs the state.
  let released = ReleaseQueue()

  /// Converts an error of the host to what scripts see of it.
  var describeError: (any Error) -> LuaErrorDescription? = { _ in nil }

  let classes = ClassRegistry()

  /// What runs the state's tasks; `nil` before the first one.
  var taskRunner: (any TaskRunner)?

  /// What the coroutine that is suspending waits for.
  var waitRequest: WaitRequest?

  /// Whether Lua is freeing the state's objects.
  private(set) var isClosing = false

  /// Objects that Lua's finalizers made while the state closed.
  private var keptUntilClosed: [AnyObject] = []

  init(owner: (any Actor)?, libraries: LuaLibraries) throws(LuaError) {
    self.owner = owner
    let object = Unmanaged.passUnretained(self).toOpaque()
    guard let main = clua_open(object, libraries == .sandbox) else {
      throw LuaError(.outOfMemory, "not enough memory for a Lua state")
    }
    self.main = main
  }

  // MARK: - Stacks

  func stack() throws(LuaError) -> LuaStack {
    guard let main else { throw LuaError(.stateClosed, "the Lua state is closed") }
    releaseUnused(main)
    return LuaStack(main)
  }

  /// The stack of the coroutine that is running, or the main one.
  ///
  /// Swift calls Lua on the running coroutine, so that tracebacks show how it got there.
  func currentStack() throws(LuaError) -> LuaStack {
    let stack = try stack()
    guard let running = clua_get_running(clua_get_context(stack.pointer)) else { return stack }
    return LuaStack(running)
  }

  /// Releases the references whose Swift owners are gone, and leaves the stack as it is.
  func releaseUnused(_ stack: OpaquePointer) {
    for place in released.take() {
      if place.scope == 0 {
        luaL_unref(stack, clua_registry_index, place.key)
      } else if lua_checkstack(stack, 4) == 0 {
        // Values are nested too deeply at the moment.
        released.append(place)
      } else if clua_push_scope(stack, place.scope) {
        luaL_unref(stack, -1, place.key)
        lua_settop(stack, -2)
      }
    }
  }

  // MARK: - Limits

  /// What each function that Swift starts may use up.
  var limits = RunLimits() {
    didSet {
      guard let main else { return }
      clua_set_limits(
        clua_get_context(main), limits.instructions.map { Int64($0) } ?? -1,
        limits.time?.clampedNanoseconds ?? -1)
    }
  }

  /// The number of bytes that the state may take; `nil` for any.
  var memoryLimit: Int?

  /// What the running code may still use up; `nil` where nothing is limited, or nothing runs.
  var budget: Budget? {
    didSet {
      guard let main else { return }
      clua_set_budget(clua_get_context(main), budget?.pointer)
      // A signal handler may have been reading it until now.
      withExtendedLifetime(oldValue) {}
    }
  }

  /// Starts to limit what is about to run, unless nothing is limited or it is part of what already runs; returns
  /// whether it did, and then the caller ends the limit.
  func startBudget() -> Bool {
    guard !limits.isEmpty, budget == nil else { return false }
    budget = makeBudget()
    return budget != nil
  }

  /// What a function that starts now may use up: what is left to the one that runs, or all that the limits allow.
  func makeBudget() -> Budget? {
    if let budget { return budget }
    guard !limits.isEmpty, let main else { return nil }
    return Budget(clua_get_context(main), of: self)
  }

  // MARK: - The end

  /// Closes the state, at once or when the running code has ended, and returns why its finalizers were stopped.
  @discardableResult
  func close() -> LuaError? {
    guard let main else { return nil }
    guard !clua_is_busy(clua_get_context(main)) else {
      closeLater()
      return nil
    }
    taskRunner?.cancelAll()
    // With its own timer, since finalizers may call functions that count no instructions.
    let startsBudget = startBudget()
    self.main = nil
    isClosing = true
    let stop = clua_close(main)
    isClosing = false
    if startsBudget { budget = nil }
    keptUntilClosed = []
    return limits.error(of: stop)
  }

  /// Closes the state once the code that runs, or the collector, has ended: its actor is free then.
  private func closeLater() {
    guard let owner else {
      preconditionFailure(
        "a Lua state made outside any actor can't be closed by a function that its code calls")
    }
    // Safe: the state lives on the actor, and the closure goes there.
    nonisolated(unsafe) let core = self
    Task { await core.close(on: owner) }
  }

  private func close(on owner: isolated any Actor) { close() }

  func keepUntilClosed(_ object: AnyObject) { keptUntilClosed.append(object) }

  /// Called when a script ends the process, with the status and why its finalizers were stopped; returns the exit
  /// status.
  var willExit: ((Int32, LuaError?) -> Int32)? {
    didSet {
      guard let main else { return }
      clua_set_exit_handler(clua_get_context(main)) { owner, status, isClosed, stop in
        let core = Unmanaged<StateCore>.fromOpaque(owner).takeUnretainedValue()
        if isClosed { core.main = nil }
        return core.willExit?(status, core.limits.error(of: stop)) ?? status
      }
    }
  }
}

/// What runs a state's tasks, as far as the state needs it.
protocol TaskRunner: AnyObject {
  /// Ends all tasks, since the state closes.
  func cancelAll()

  /// Stops the waiting tasks whose time is over.
  func stopOverdue()
}

/// What a suspended coroutine waits for.
struct WaitRequest {
  /// The coroutine that called the function; not always the task's own.
  let waiter: LuaStack

  /// The name of the function that waits, such as "todo.fetch".
  let function: String

  /// Waits, and returns what pushes the results.
  let operation: () async throws -> PushResults
}

/// Pushes a function's results and returns their number.
@usableFromInline
typealias PushResults = (LuaStack) throws -> Int32
