import Foundation
import SampleFeatures
import Synchronization
import Testing

@testable import StateFile
@testable import StateStore

@Suite("Several processes on one state file", .serialized)
struct SeveralProcessesTests {
  private final class Ending: Sendable {
    let isDue = Mutex(false)
  }

  @Test("let a session save while others write constantly", .timeLimit(.minutes(5)))
  func fairness() async throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let path = file.path
    let ending = Ending()
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          _ = try await WriterProcess.appendUntilKilled(path) {
            while !ending.isDue.withLock(\.self) { try await Task.sleep(for: .milliseconds(10)) }
          }
        }
      }
      defer { ending.isDue.withLock { $0 = true } }
      let journal = try SQLiteJournal(at: path)
      let session = try journal.openSession()
      while session.store.position < 30 {
        try session.reload()
        try await Task.sleep(for: .milliseconds(10))
      }
      for count in 1...30 {
        _ = try journal.reserveIdentifiers(1, of: .person)
        try session.save(doing: .counter(.increment(by: 1)))
        #expect(session.store.state(of: Counter.self).count == count)
      }
      ending.isDue.withLock { $0 = true }
      try await group.waitForAll()
    }
  }
}
