internal import CLuaTrampolines
internal import Dispatch
internal import Synchronization

/// The memory that a limit counts.
public enum CountedMemory: Sendable {
  /// The state's Lua objects.
  case luaObjects

  /// Everything that the process's heap grows by from now on, including what the host keeps for scripts, such as
  /// texts and records.
  ///
  /// For a process that runs one state, such as a command: what anything else in the process keeps counts as well.
  case process
}

// Limits cost nothing until they are set.
extension LuaState {
  /// Makes an interrupter, which stops the state's code from any thread.
  ///
  /// - Throws: `state_closed`.
  public func interrupter() throws(LuaError) -> LuaInterrupter {
    LuaInterrupter(context: clua_get_context(try core.stack().pointer))
  }

  /// Limits the number of instructions that code may execute.
  ///
  /// The limit holds for each function that Swift calls, runs or starts, together with the tasks that it starts: a
  /// function that exceeds it is stopped, whatever it catches, with the error `instruction_limit`. The state can be
  /// used again at once. Counting makes Lua code about twice as slow. Instructions are counted by the hundred, and
  /// starting a coroutine counts as a hundred; what a function of the host or of a C library does isn't counted.
  /// Scripts can't set debug hooks then.
  ///
  /// - Parameter count: The limit, from the next function on; `nil` for none.
  public func limitInstructions(to count: Int?) {
    core.limits.instructions = count.map { Swift.max(0, $0) }
  }

  /// The number of instructions that code may execute; `nil` for any.
  public var instructionLimit: Int? { core.limits.instructions }

  /// Limits the time that code may take by the wall clock, waits included.
  ///
  /// The limit holds for each function that Swift calls, runs or starts, together with the tasks that it starts: a
  /// function that exceeds it is stopped, whatever it catches, with the error `time_limit`. The state can be used
  /// again at once. Like an interrupt, it can't stop a function of the host or of a C library: the code stops when
  /// that returns.
  ///
  /// - Parameter time: The limit, from the next function on; `nil` for none.
  public func limitTime(to time: Duration?) {
    core.limits.time = time
    core.limits.whenStuck = nil
  }

  /// Limits the time that code may take, and ends what a function of a C library waits for.
  ///
  /// - Parameters:
  ///   - time: The limit, from the next function on.
  ///   - whenStuck: Called on another thread when code exceeds the limit, and again until it has stopped.
  package func limitTime(to time: Duration, whenStuck: @escaping @Sendable () -> Void) {
    core.limits.time = time
    core.limits.whenStuck = whenStuck
  }

  /// The time that code may take; `nil` for any.
  public var timeLimit: Duration? { core.limits.time }

  /// Limits the memory that the state may take.
  ///
  /// Lua code that needs more gets the error `out_of_memory`, which it can catch, and the state stays usable. What
  /// Swift makes in the state is never refused, but counts.
  ///
  /// - Parameters:
  ///   - bytes: The limit; `nil` for none.
  ///   - content: What counts. Measuring the process adds some nanoseconds to each call of a function of the host.
  /// - Throws: `state_closed`.
  public func limitMemory(to bytes: Int?, counting content: CountedMemory = .luaObjects)
    throws(LuaError)
  {
    let limit = bytes.map { Swift.max(0, $0) }
    clua_limit_memory(
      clua_get_context(try core.stack().pointer), limit ?? Int.max,
      limit != nil && content == .process)
    core.memoryLimit = limit
  }

  /// The number of bytes that the state may take; `nil` for any.
  public var memoryLimit: Int? { core.memoryLimit }

  /// Makes a gauge, by which any thread finds out how much memory is left within the limit.
  ///
  /// - Throws: `state_closed`.
  public func memoryGauge() throws(LuaError) -> LuaMemoryGauge {
    LuaMemoryGauge(context: clua_get_context(try core.stack().pointer))
  }

  /// Checks whether the running code is to stop; for functions of the host that take long.
  ///
  /// - Throws: ``LuaError`` (`interrupted`, `time_limit` or `instruction_limit`) if it is: the function then ends,
  ///   too; `out_of_memory` if what it made exceeds a limit that counts the process's memory; `state_closed`.
  public func checkStop() throws(LuaError) { try core.currentStack().checkStop() }

  /// The number of bytes that the state's Lua objects take.
  public func memoryUsed() throws(LuaError) -> Int {
    Int(clua_memory_used(clua_get_context(try core.stack().pointer)))
  }

  /// The number of bytes that were allocated for the state's Lua objects so far, including those that were freed.
  package func memoryAllocated() throws(LuaError) -> Int {
    Int(clua_memory_allocated(clua_get_context(try core.stack().pointer)))
  }

  /// Collects all garbage at once.
  public func collectGarbage() throws(LuaError) {
    // A finalizer's errors don't get out of the collector: Lua turns them into warnings.
    try core.withStack { stack in clua_collect_garbage(stack.pointer) }
  }
}

/// Measures the memory left within a state's limit, on any thread: for data that the host loads while scripts wait, such as
/// answers of servers.
///
/// It follows limits that are set later, and knows only those that count the process's memory.
public final class LuaMemoryGauge: Sendable {
  // Safe: only clua_has_shared_room uses it, which any thread may call.
  nonisolated(unsafe) private let context: OpaquePointer

  init(context: OpaquePointer) {
    clua_retain(context)
    self.context = context
  }

  deinit { clua_release_context(context) }

  /// Whether the process may take a number of bytes more.
  ///
  /// - Complexity: O(1) without a limit; otherwise the allocator is asked, which can take microseconds.
  public func hasRoom(for byteCount: Int) -> Bool {
    clua_has_shared_room(context, Swift.max(0, byteCount))
  }
}

// MARK: - What code may use up

/// The limits of code that Swift starts, with all tasks that it starts; `nil` for no limit.
struct RunLimits {
  var instructions: Int?

  /// Waits included.
  var time: Duration?

  /// Ends what code waits for that has exceeded the time, in a function that can't be stopped.
  var whenStuck: (@Sendable () -> Void)?

  var isEmpty: Bool { instructions == nil && time == nil }

  /// The error for stopped code; `nil` if it wasn't stopped.
  func error(of stop: clua_stop) -> LuaError? {
    switch stop {
    case clua_stop_none:
      nil
    case clua_stop_instructions:
      LuaError(
        .instructionLimit,
        "stopped: it exceeded its limit"
          + (instructions.map { " of \($0) instructions" } ?? ""))
    case clua_stop_time:
      LuaError(
        .timeLimit, "stopped: it exceeded its limit" + (time.map { " of \($0)" } ?? ""))
    case clua_stop_memory:
      LuaError(.outOfMemory, "stopped: it exceeded its limit of memory")
    default:
      LuaError(.interrupted, "interrupted")
    }
  }
}

/// The remaining budget of code that Swift started, together with all tasks that it starts.
final class Budget {
  let pointer: OpaquePointer
  private var alarm: Int?

  init(_ context: OpaquePointer, of core: StateCore) {
    pointer = clua_make_budget(context)
    guard let time = core.limits.time else { return }
    let interrupter = LuaInterrupter(context: context)
    let waiting = WaitingTasks(of: core)
    let whenStuck = core.limits.whenStuck
    alarm = TimeLimitAlarms.shared.add(after: time) {
      if interrupter.interrupt(for: clua_stop_time) == .idle {
        waiting.stopOverdue()
      } else {
        whenStuck?()
      }
    }
  }

  deinit {
    if let alarm { TimeLimitAlarms.shared.remove(alarm) }
    clua_free_budget(pointer)
  }

  var isOverdue: Bool { clua_is_overdue(pointer) }
}

/// The deadlines of all states in the process, which share a timer.
///
/// Most code ends long before its deadline, and setting a timer for each takes several system calls. Here the timer is
/// set again only for a deadline before all others, or when it fires.
private final class TimeLimitAlarms: Sendable {
  private struct Storage {
    var lastNumber = 0
    var alarms: [Int: (deadline: ContinuousClock.Instant, action: @Sendable () -> Void)] = [:]
    /// When the timer fires; nil if it isn't set.
    var firing: ContinuousClock.Instant?
  }

  static let shared = TimeLimitAlarms()

  private let storage = Mutex(Storage())

  // Safe: any thread may use a source of Dispatch's.
  nonisolated(unsafe) private let timer = DispatchSource.makeTimerSource(queue: queue)

  /// Code that can't be stopped at the moment is asked again.
  private static let interval = Duration.milliseconds(50)

  // Dispatch's timers fire even if Lua code keeps all threads of Swift's tasks busy.
  private static let queue = DispatchQueue(label: "Lua time limits")

  private init() {
    timer.setEventHandler { [unowned self] in fire() }
    timer.activate()
  }

  /// Does something after a time, and again until the alarm of the returned number is removed.
  func add(after time: Duration, _ action: @escaping @Sendable () -> Void) -> Int {
    let now = ContinuousClock.now
    return storage.withLock { storage in
      storage.lastNumber += 1
      let deadline = now + .nanoseconds(time.clampedNanoseconds)
      storage.alarms[storage.lastNumber] = (deadline, action)
      schedule(deadline, from: now, &storage)
      return storage.lastNumber
    }
  }

  func remove(_ number: Int) { storage.withLock { $0.alarms[number] = nil } }

  /// Sets the timer to fire at a time, unless it fires earlier.
  private func schedule(
    _ deadline: ContinuousClock.Instant, from now: ContinuousClock.Instant,
    _ storage: inout Storage
  ) {
    if let firing = storage.firing, firing <= deadline { return }
    storage.firing = deadline
    timer.schedule(
      deadline: .now() + .nanoseconds(Int(clamping: (deadline - now).clampedNanoseconds)),
      leeway: .milliseconds(1))
  }

  private func fire() {
    let now = ContinuousClock.now
    let due = storage.withLock { storage in
      storage.firing = nil
      let due = storage.alarms.filter { $0.value.deadline <= now }
      for number in due.keys { storage.alarms[number]?.deadline = now + Self.interval }
      if let next = storage.alarms.values.map(\.deadline).min() {
        schedule(next, from: now, &storage)
      }
      return due.values.map(\.action)
    }
    for action in due { action() }
  }
}

/// The waiting tasks of a state, to be stopped from another thread.
private final class WaitingTasks: Sendable {
  // Safe: it is read on the state's actor only.
  nonisolated(unsafe) private weak var core: StateCore?
  private let owner: StateOwner

  /// Whether the actor was asked to stop them, and hasn't done so yet.
  private let isAsked = Atomic<Bool>(false)

  init(of core: StateCore) {
    self.core = core
    owner = core.sharedOwner
  }

  /// Without an actor, what tasks wait for hasn't begun.
  func stopOverdue() {
    guard let owner = owner.actor, !isAsked.exchange(true, ordering: .relaxed) else { return }
    Task { await stopOverdue(on: owner) }
  }

  private func stopOverdue(on owner: isolated any Actor) {
    isAsked.store(false, ordering: .relaxed)
    core?.taskRunner?.stopOverdue()
  }
}

extension Duration {
  /// From 0 to the maximum of the integer type.
  var clampedNanoseconds: Int64 {
    Swift.max(0, Int64(clamping: attoseconds / 1_000_000_000))
  }
}
