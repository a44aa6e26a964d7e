internal import Synchronization

/// The runner of a state's tasks, as far as the state needs it.
protocol TaskRunner: AnyObject {
  /// Ends all tasks, since the state closes.
  func cancelAll()

  func stopOverdue()

  /// Whether the calling code runs on the state's actor, or has the state without one.
  func isOnActor() -> Bool

  /// Does something on the state's actor, a little later; called off that actor.
  func performLater(_ body: @escaping () -> Void)

  /// Starts an operation for a function that the running task calls.
  ///
  /// - Throws: The error of an operation that failed at once.
  func wait(on stack: LuaStack, in function: String, for operation: @escaping WaitingOperation)
    throws -> Int32
}

/// The destination of the results of an operation that the running task waits for.
@usableFromInline
protocol ResultDestination: AnyObject {
  /// The stack that takes the results while the calling function hasn't suspended; `nil` once it has.
  var stackAtOnce: LuaStack? { get }

  /// The stack that takes the results, once the operation has ended: on the state's actor, and before anything else is
  /// done there.
  ///
  /// - Throws: `off_actor` if the operation left that actor.
  func stackForResults() async throws -> LuaStack
}

/// Performs an operation, and pushes its results to the stack that their destination gives; returns their number.
@usableFromInline
typealias WaitingOperation = (any ResultDestination) async throws -> Int32

/// The actor that a state belongs to, as other threads see it, which stop what waits.
final class StateOwner: Sendable {
  private struct Storage {
    weak var actor: (any Actor)?
  }

  private let storage: Mutex<Storage>
  private let operationCount = Atomic<Int>(0)

  init(_ actor: (any Actor)?) { storage = Mutex(Storage(actor: actor)) }

  var hasOperations: Bool { operationCount.load(ordering: .relaxed) > 0 }

  func beginOperation() { operationCount.add(1, ordering: .relaxed) }

  /// Counts an operation that has ended, or that nothing waits for any longer.
  func endOperation() { operationCount.subtract(1, ordering: .relaxed) }

  /// The actor; `nil` until one is known.
  ///
  /// Operations hold it as long as they run.
  var actor: (any Actor)? {
    get { storage.withLock(\.actor) }
    set { storage.withLock { $0.actor = newValue } }
  }
}
