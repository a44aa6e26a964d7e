import Synchronization
import TestSupport
import Testing

@testable import Domain
@testable import StateStore

@Suite("Cores shared by computations", .timeLimit(.minutes(5)))
struct ComputationCoresTests {
  /// Computations that report when they begin, and last until they are ended.
  private final class Computations: Sendable {
    let cores: ComputationCores
    private let started = Mutex<[String]>([])
    private let isOver = Mutex<Set<String>>([])

    init(_ cores: Int) { self.cores = ComputationCores(cores) }

    var log: [String] { started.withLock(\.self) }

    func end(_ name: String) { isOver.withLock { _ = $0.insert(name) } }

    func start(_ name: String) -> Task<Void, any Error> {
      Task {
        try await cores.use { cores in
          started.withLock { $0.append("\(name)\(cores)") }
          while !isOver.withLock({ $0.contains(name) }) {
            try await Task.sleep(for: .milliseconds(1))
          }
        }
      }
    }

    /// Waits until so many have begun.
    func wait(for count: Int) async throws {
      while log.count < count { try await Task.sleep(for: .milliseconds(1)) }
    }
  }

  /// Long enough for a computation to begin that shouldn't.
  private func pause() async throws { try await Task.sleep(for: .milliseconds(30)) }

  @Test("one computation alone uses all of them, and the others wait in their order")
  func order() async throws {
    let computations = Computations(4)
    var tasks = [computations.start("a")]
    try await computations.wait(for: 1)
    for name in ["b", "c", "d"] {
      tasks.append(computations.start(name))
      try await pause()
    }
    #expect(computations.log == ["a4"])
    computations.end("a")
    try await computations.wait(for: 4)
    // Three share four cores.
    #expect(computations.log == ["a4", "b1", "c1", "d2"])
    for name in ["b", "c", "d"] { computations.end(name) }
    for task in tasks { try await task.value }
  }

  @Test("one that is cancelled while it waits never starts, and the next one does")
  func cancelled() async throws {
    let computations = Computations(1)
    let first = computations.start("a")
    try await computations.wait(for: 1)
    let second = computations.start("b")
    try await pause()
    let third = computations.start("c")
    try await pause()
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    computations.end("a")
    try await computations.wait(for: 2)
    #expect(computations.log == ["a1", "c1"])
    computations.end("c")
    try await first.value
    try await third.value
  }

  @Test("one that fails or is cancelled releases its cores")
  func failure() async throws {
    let computations = Computations(1)
    for name in ["a", "b"] {
      let task = computations.start(name)
      try await computations.wait(for: name == "a" ? 1 : 2)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(computations.log == ["a1", "b1"])
  }

  @Test("thousands that wait are cancelled at once, however early or late")
  func manyCancelled() async throws {
    let computations = Computations(1)
    let first = computations.start("a")
    try await computations.wait(for: 1)
    let waiting = (0..<5_000).map { computations.start("w\($0)") }
    for task in waiting { task.cancel() }
    for task in waiting { await #expect(throws: CancellationError.self) { try await task.value } }
    computations.end("a")
    try await first.value
    #expect(computations.log == ["a1"])
  }
}
