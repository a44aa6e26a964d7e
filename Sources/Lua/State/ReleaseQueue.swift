internal import Synchronization

/// Registry references to be given up.
///
/// A reference may be dropped on any thread (it travels in errors), and only the thread that runs the state may touch
/// the registry; so they wait here for it.
final class ReleaseQueue: Sendable {
  private let references = Mutex<[Int32]>([])
  private let isEmpty = Atomic<Bool>(true)

  func append(_ reference: Int32) {
    references.withLock { $0.append(reference) }
    isEmpty.store(false, ordering: .releasing)
  }

  /// Takes all that wait.
  ///
  /// Complexity: O(1) when none do.
  func take() -> [Int32] {
    guard !isEmpty.load(ordering: .acquiring) else { return [] }
    return references.withLock { waiting in
      isEmpty.store(true, ordering: .relaxed)
      defer { waiting = [] }
      return waiting
    }
  }
}
