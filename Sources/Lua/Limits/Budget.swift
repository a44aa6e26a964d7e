internal import CLuaTrampolines
internal import Dispatch
internal import Synchronization

/// What the code that Swift started, and all tasks that this code starts, may still use up.
final class Budget {
  /// Where the code that runs finds it.
  let pointer: OpaquePointer
  private var timer: (any DispatchSourceTimer)?

  /// Starts to count, and the clock, by the limits of a state's context.
  init(_ context: OpaquePointer, of core: StateCore) {
    pointer = clua_make_budget(context)
    guard let time = core.limits.time else { return }
    startTimer(
      after: time.clampedNanoseconds, stopping: core, LuaInterrupter(context: context))
  }

  deinit {
    timer?.cancel()
    clua_free_budget(pointer)
  }

  /// Whether its time is over.
  var isOverdue: Bool { clua_is_overdue(pointer) }

  /// At the deadline, and again until all is stopped, interrupts the code that runs, or stops the tasks that wait.
  ///
  /// Dispatch's timers fire though Lua code keeps all threads of Swift's tasks busy.
  private func startTimer(
    after nanoseconds: Int64, stopping core: StateCore, _ interrupter: LuaInterrupter
  ) {
    let timer = DispatchSource.makeTimerSource(queue: Self.queue)
    timer.schedule(
      deadline: .now() + .nanoseconds(Int(clamping: nanoseconds)), repeating: .milliseconds(50),
      leeway: .milliseconds(1))
    let waiting = WaitingTasks(of: core)
    timer.setEventHandler {
      if interrupter.interrupt(for: clua_stop_time) == .idle { waiting.stopOverdue() }
    }
    timer.activate()
    self.timer = timer
  }

  private static let queue = DispatchQueue(label: "Lua time limits")
}

/// The tasks of a state that wait, to be stopped from another thread.
private final class WaitingTasks: Sendable {
  // Safe: it is read on the state's actor only.
  nonisolated(unsafe) private weak var core: StateCore?
  private let owner: (any Actor)?

  /// Whether the actor was asked, and hasn't come to it yet.
  private let isAsked = Atomic<Bool>(false)

  init(of core: StateCore) {
    self.core = core
    owner = core.owner
  }

  /// Without an actor no task waits.
  func stopOverdue() {
    guard let owner, !isAsked.exchange(true, ordering: .relaxed) else { return }
    Task { await stopOverdue(on: owner) }
  }

  private func stopOverdue(on owner: isolated any Actor) {
    isAsked.store(false, ordering: .relaxed)
    core?.scheduler.stopOverdue()
  }
}

extension Duration {
  /// In nanoseconds, from 0 to the most that an integer holds.
  var clampedNanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowOfSum) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    if overflow || overflowOfSum { return seconds < 0 ? 0 : .max }
    return Swift.max(0, sum)
  }
}
