import Foundation
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

/// `CRASH_TEST_ROUNDS` is the number of kills.
@Suite("A process that is killed at any moment", .serialized)
struct CrashTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["CRASH_TEST_ROUNDS"].flatMap { Int($0) } ?? 20

  @Test("leaves a file with everything it announced, and the beginning of the rest")
  func kill() async throws {
    var file = try SQLiteFile()
    var before = 0
    var announcements = 0
    for round in 0..<Self.rounds {
      // A new file now and then, because a process may also be killed while it creates the file.
      if round % 5 == 0 { (file, before) = (try SQLiteFile(), 0) }
      let announced = try await WriterProcess.appendUntilKilled(file.path) {
        // Any moment will do.
        try await Task.sleep(for: .microseconds(Int.random(in: 0..<150_000)))
      }
      if announced > 0 { announcements += 1 }
      let known = max(announced, before)
      let journal = try file.open()
      let store = try journal.openSession().store
      #expect(journal.takeNotices().isEmpty)
      // Of 10 actions, some may have been saved and not announced.
      #expect((known...known + 10).contains(store.position), "round \(round)")
      #expect(store.states[Notes.self].items.count == store.position)
      // Before the first save, the views show nothing.
      if store.position > 0 { try file.expectViews(store.states) }
      before = store.position
      try store.jump(to: store.reachable.lowerBound)
      #expect(store.states[Notes.self].items.count == store.position)
    }
    #expect(announcements > 0)
  }
}
