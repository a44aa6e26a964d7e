internal import CLuaTrampolines
internal import Synchronization

/// Swift tasks that begin at once where they are started on their actor.
enum ImmediateTask {
  /// Starts a task; on the actor, it runs until it first suspends before this returns, elsewhere it begins later.
  @discardableResult
  static func start(on owner: any Actor, _ operation: @escaping () async -> Void) -> Task<
    Void, Never
  > {
    // Safe: it belongs to the owner, and the task runs there.
    nonisolated(unsafe) let operation = operation
    return assume(owner) { owner in
      Task.immediate {
        // Without the actor in the closure, the closure would leave it.
        _ = owner
        await operation()
      }
    }
  }

  /// Starts a task in code that may run on its actor, or elsewhere.
  static func assume(
    _ owner: any Actor, _ start: @escaping (isolated any Actor) -> Task<Void, Never>
  ) -> Task<Void, Never> {
    // Safe: Swift runs the task on its actor, at once or later. Swift 6.3 has no plainer way. `Actor.assumeIsolated` does the
    // same, but ends the process elsewhere, and nothing says beforehand whether the code is on the actor: its executor's
    // `isIsolatingCurrentContext()` doesn't know. A `Task.immediate` whose closure isn't isolated, and calls a function
    // that is, always begins later. A closure made where the actor is known would keep the actor alive.
    typealias Start = (any Actor) -> Task<Void, Never>
    return unsafeBitCast(start, to: Start.self)(owner)
  }

  /// Whether the calling code runs on an actor.
  static func runs(on owner: any Actor) -> Bool {
    let probe = Probe()
    // Elsewhere the task begins on another thread, perhaps at the same time.
    start(on: owner) { probe.thread.store(Probe.currentThread, ordering: .relaxed) }
    return probe.thread.load(ordering: .relaxed) == Probe.currentThread
  }

  /// Continues on an actor, also where the compiler takes the code to be there.
  static func hop(to owner: any Actor) async {
    await withCheckedContinuation { continuation in
      start(on: owner) { continuation.resume() }
    }
    await arrive(on: owner)
  }

  private static func arrive(on owner: isolated any Actor) async {
    // Without a call here that needs the actor, Swift 6.3 doesn't go there.
    owner.preconditionIsolated()
  }

  private final class Probe: Sendable {
    /// The thread on which the task has begun; 0 if it hasn't.
    let thread = Atomic<UInt>(0)

    static var currentThread: UInt { UInt(bitPattern: clua_thread_mark()) }
  }
}
