import Synchronization
import Testing

@testable import PrimereplDomain

@Suite("Turns of computations", .timeLimit(.minutes(5)))
struct ComputationTurnsTests {
  /// Computations that report when they begin, and last until they are ended.
  private final class Computations: Sendable {
    let turns = ComputationTurns()
    private let started = Mutex<[String]>([])
    private let ended = Mutex<Set<String>>([])

    var log: [String] { started.withLock(\.self) }

    func end(_ name: String) { ended.withLock { _ = $0.insert(name) } }

    func start(_ name: String) -> Task<Void, any Error> {
      Task {
        try await turns.perform {
          started.withLock { $0.append(name) }
          while !ended.withLock({ $0.contains(name) }) {
            try await Task.sleep(for: .milliseconds(1))
          }
        }
      }
    }

    /// Starts a computation, and waits until it waits for its turn.
    func startWaiting(_ name: String) async throws -> Task<Void, any Error> {
      let count = turns.waitingCount
      let task = start(name)
      while turns.waitingCount == count { try await Task.sleep(for: .milliseconds(1)) }
      return task
    }

    /// Waits until a number of them have begun.
    func wait(for count: Int) async throws {
      while log.count < count { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  @Test("one computes at a time, in the order of their arrival")
  func order() async throws {
    let computations = Computations()
    var tasks = [computations.start("a")]
    try await computations.wait(for: 1)
    for name in ["b", "c", "d"] { tasks.append(try await computations.startWaiting(name)) }
    #expect(computations.log == ["a"])
    for (count, name) in ["a", "b", "c", "d"].enumerated() {
      try await computations.wait(for: count + 1)
      #expect(computations.log.last == name)
      computations.end(name)
      try await tasks[count].value
    }
    #expect(computations.log == ["a", "b", "c", "d"])
  }

  @Test("one that is cancelled while it waits never starts, and the next one does")
  func cancelled() async throws {
    let computations = Computations()
    let first = computations.start("a")
    try await computations.wait(for: 1)
    let second = try await computations.startWaiting("b")
    let third = try await computations.startWaiting("c")
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    for name in ["a", "c"] { computations.end(name) }
    try await first.value
    try await third.value
    #expect(computations.log == ["a", "c"])
  }

  @Test("one that fails or is cancelled ends its turn")
  func failure() async throws {
    let computations = Computations()
    for (count, name) in ["a", "b"].enumerated() {
      let task = computations.start(name)
      try await computations.wait(for: count + 1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(computations.log == ["a", "b"])
  }

  @Test("many that wait are cancelled at once, however early or late")
  func manyCancelled() async throws {
    let computations = Computations()
    let first = computations.start("a")
    try await computations.wait(for: 1)
    let waiting = (0..<1_000).map { computations.start("w\($0)") }
    for task in waiting { task.cancel() }
    for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
    computations.end("a")
    try await first.value
    #expect(computations.log == ["a"])
  }
}
