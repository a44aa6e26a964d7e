import Synchronization

/// Counts the objects that are alive.
final class LifeCounter: Sendable {
  /// An object whose life is counted: something for a closure to capture, or an error to throw.
  final class Token: Error {
    private let counter: LifeCounter

    fileprivate init(of counter: LifeCounter) {
      self.counter = counter
      counter.count.add(1, ordering: .relaxed)
    }

    deinit { counter.count.subtract(1, ordering: .relaxed) }
  }

  private let count = Atomic<Int>(0)

  var alive: Int { count.load(ordering: .relaxed) }

  func token() -> Token { Token(of: self) }
}
