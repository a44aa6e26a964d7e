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

  /// Registry references whose Swift owners are gone, to be given up by the thread that runs the state.
  let released = ReleaseQueue()

  /// Turns an error of the host into what scripts see of it.
  var describeError: (any Error) -> LuaErrorDescription? = { _ in nil }

  /// The error value last thrown from Swift into Lua with a traceback of its own, which covers the calls inside Swift.
  var rethrown: (value: LuaReference, traceback: String)?

  /// Whether Lua frees the state's objects now.
  private(set) var isClosing = false

  /// What Lua's finalizers made while the state closed.
  private var keptUntilClosed: [AnyObject] = []

  let classes = ClassRegistry()
  private(set) lazy var scheduler = Scheduler(core: self)

  init(owner: (any Actor)?) throws(LuaError) {
    self.owner = owner
    guard let main = clua_open(Unmanaged.passUnretained(self).toOpaque()) else {
      throw LuaError(.outOfMemory, "not enough memory for a Lua state")
    }
    self.main = main
  }

  /// The main coroutine's stack.
  func stack() throws(LuaError) -> LuaStack {
    guard let main else { throw LuaError(.stateClosed, "the Lua state is closed") }
    giveUpReleased(main)
    return LuaStack(main)
  }

  /// The stack of the coroutine that is running, or the main one.
  ///
  /// Swift calls Lua on the running coroutine, so that tracebacks show how it got there.
  func currentStack() throws(LuaError) -> LuaStack {
    let stack = try stack()
    guard let running = clua_get_context(stack.pointer).pointee.running else { return stack }
    return LuaStack(running)
  }

  func close() {
    guard let main else { return }
    precondition(
      clua_get_context(main).pointee.running == nil,
      "a Lua state can't be closed by a function that its own code calls")
    scheduler.cancelAll()
    self.main = nil
    isClosing = true
    clua_close(main)
    isClosing = false
    keptUntilClosed = []
  }

  /// Keeps an object alive until the state has closed.
  func keepUntilClosed(_ object: AnyObject) { keptUntilClosed.append(object) }

  /// Gives up the registry references whose Swift owners are gone.
  func giveUpReleased(_ stack: OpaquePointer) {
    for reference in released.take() { luaL_unref(stack, clua_registry_index, reference) }
  }
}
