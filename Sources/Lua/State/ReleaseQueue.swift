internal import Synchronization

/// References to be given up.
///
/// A reference may be dropped on any thread (it travels in errors), and only the thread that runs the state may touch
/// the tables that hold them; so they wait here for it.
final class ReleaseQueue: Sendable {
  /// The place of a reference.
  struct Place: Sendable {
    /// The key in its table.
    let key: Int32

    /// The number of the scope that is the table; 0 for the registry.
    let scope: Int32
  }

  private let places = Mutex<[Place]>([])
  private let isEmpty = Atomic<Bool>(true)

  func append(_ place: Place) {
    places.withLock { $0.append(place) }
    isEmpty.store(false, ordering: .releasing)
  }

  /// Takes all that wait.
  ///
  /// Complexity: O(1) when none do.
  func take() -> [Place] {
    guard !isEmpty.load(ordering: .acquiring) else { return [] }
    return places.withLock { waiting in
      isEmpty.store(true, ordering: .relaxed)
      defer { waiting = [] }
      return waiting
    }
  }
}
