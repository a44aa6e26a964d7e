internal import CLua
internal import CLuaTrampolines

/// The core that a state, its tables, functions and tasks share.
///
/// Tables and functions hold the core, not the state, so that a Swift closure stored in Lua that holds a Lua function
/// doesn't keep its own state alive. After `close` the core is all that is left of the state.
final class StateCore {
  /// The main coroutine; `nil` once the state is closed.
  private(set) var main: OpaquePointer?

  /// The actor that the state belongs to, where its async functions run; `nil` until one is known.
  ///
  /// Usually it holds the state, so the state doesn't hold it, unless it is the state's own.
  private(set) weak var owner: (any Actor)?
  private var ownActor: (any Actor)?

  /// The owner, for other threads.
  let sharedOwner: StateOwner

  let released = ReleaseQueue()
  var describeError: (any Error) -> LuaErrorDescription? = { _ in nil }
  let classes = ClassRegistry()

  /// Runs the state's tasks; `nil` before the first one.
  var taskRunner: (any TaskRunner)?

  /// Whether Lua is freeing the state's objects.
  private(set) var isClosing = false

  /// Whether the state is to be closed once the code that runs has ended.
  private var isClosePending = false

  /// Whether closing has begun: what it cancels may ask for it again.
  private var isEnding = false

  /// The number of functions of Swift that use the stack, one within the other.
  private var useCount = 0

  /// Objects that Lua's finalizers made while the state closed.
  private var keptUntilClosed: [AnyObject] = []

  init(owner: (any Actor)?, libraries: LuaLibraries) throws(LuaError) {
    self.owner = owner
    sharedOwner = StateOwner(owner)
    let object = Unmanaged.passUnretained(self).toOpaque()
    guard let main = clua_open(object, libraries.rawValue) else {
      throw LuaError(.outOfMemory, "not enough memory for a Lua state")
    }
    self.main = main
  }

  /// Assigns the state to an actor; `isOwn` says that nothing else holds it.
  func setOwner(_ actor: any Actor, isOwn: Bool) {
    owner = actor
    ownActor = isOwn ? actor : nil
    sharedOwner.actor = actor
  }

  // MARK: - Stacks

  @inline(__always)
  func stack() throws(LuaError) -> LuaStack {
    if sharedOwner.hasOperations, hasLeftActor { throw LuaError(.offActor, Self.offActorMessage) }
    guard let main else { throw LuaError(.stateClosed, "the Lua state is closed") }
    if !released.isEmpty { releaseUnused(main) }
    return LuaStack(main)
  }

  /// Whether the calling code left the state's actor, as the operation of an async function does that Swift takes off it.
  ///
  /// Called while operations run.
  private var hasLeftActor: Bool {
    // Only a Swift task can leave its actor.
    guard let main, let taskRunner, !clua_runs_here(clua_get_context(main)),
      withUnsafeCurrentTask(body: { $0 != nil })
    else { return false }
    return !taskRunner.isOnActor()
  }

  private static let offActorMessage =
    "the Lua state is used off its actor: in Swift 6.3 an async closure with a capture list leaves the actor, and so does "
    + "a local function; write the list at the closure around it, or a closure instead of the function"

  /// Runs a body that can't throw: at once, or later on the state's actor if the calling code has left that.
  func performOnActor(_ body: @escaping () -> Void) {
    if sharedOwner.hasOperations, hasLeftActor {
      taskRunner?.performLater(body)
    } else {
      body()
    }
  }

  /// The stack of the coroutine that is running, or the main one.
  ///
  /// Swift calls Lua on the running coroutine, so that tracebacks show how it got there.
  @inline(__always)
  func currentStack() throws(LuaError) -> LuaStack {
    let stack = try stack()
    guard let running = clua_get_running(clua_get_context(stack.pointer)) else { return stack }
    return LuaStack(running)
  }

  /// Uses the stack of the running coroutine, with room for some values, and puts it back as it was.
  func withStack<Result>(_ body: (LuaStack) throws(LuaError) -> Result) throws(LuaError) -> Result {
    let stack = try currentStack()
    let top = stack.count
    beginUse()
    defer {
      lua_settop(stack.pointer, top)
      endUse()
    }
    try stack.reserve(8)
    return try body(stack)
  }

  /// Records that a function of Swift uses the stack: until it ends that, the state isn't closed.
  @inline(__always)
  func beginUse() { useCount += 1 }

  @inline(__always)
  func endUse() {
    useCount -= 1
    if isClosePending { _ = closeHere() }
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

  var limits = RunLimits() {
    didSet {
      guard let main else { return }
      clua_set_limits(
        clua_get_context(main), limits.instructions.map { Int64($0) } ?? -1,
        limits.time?.clampedNanoseconds ?? -1)
    }
  }

  /// In bytes; `nil` for any.
  var memoryLimit: Int?

  /// The remaining budget of the running code; `nil` where nothing is limited, or nothing runs.
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
  @inline(__always)
  func startBudget() -> Bool {
    guard !limits.isEmpty, budget == nil else { return false }
    budget = makeBudget()
    return budget != nil
  }

  /// The budget of a function that starts now: the rest of the running one's, or all that the limits allow.
  func makeBudget() -> Budget? {
    if let budget { return budget }
    guard !limits.isEmpty, let main else { return nil }
    return Budget(clua_get_context(main), of: self)
  }

  // MARK: - The end

  /// Closes the state, at once or when the running code has ended, and returns why its finalizers were stopped.
  @discardableResult
  func close() -> LuaError? {
    var stop: LuaError?
    performOnActor { stop = self.closeHere() }
    return stop
  }

  private func closeHere() -> LuaError? {
    // Objects held by the tasks may hold the state itself.
    guard let main, !isEnding else { return nil }
    guard useCount == 0, !clua_is_busy(clua_get_context(main)) else {
      isClosePending = true
      return nil
    }
    isClosePending = false
    isEnding = true
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
