import Foundation
import Testing

@testable import Domain
@testable import StateStore

/// `CRASH_TEST_ROUNDS` says how many times.
@Suite("A process that is killed at any moment", .serialized)
struct CrashTests {
  private static let rounds =
    ProcessInfo.processInfo.environment["CRASH_TEST_ROUNDS"].flatMap { Int($0) } ?? 20

  @Test("leaves a file with everything it announced, and a prefix of the rest")
  func kill() async throws {
    var file = try SQLiteFile()
    var before = 0
    var announcements = 0
    for round in 0..<Self.rounds {
      // Now and then a new one, since a process may also be killed while it makes the file.
      if round % 5 == 0 { (file, before) = (try SQLiteFile(), 0) }
      let announced = try await WriterProcess.appendUntilKilled(
        file.path, after: .microseconds(Int.random(in: 0..<150_000)))
      if announced > 0 { announcements += 1 }
      let known = max(announced, before)
      let journal = try file.open()
      let contents = try journal.load()
      #expect(journal.recovery == nil)
      // Whole batches of 10, of which one may have been committed and not announced.
      #expect([known, known + 10].contains(contents.head), "round \(round)")
      let state = try Store(App.schema, contents, of: "primerepl").states
      #expect(state.todo.items.count == contents.head)
      #expect(
        try file.rows("SELECT id FROM todos").map(\.[0]) == state.todo.items.map { "\($0.id)" })
      before = contents.head
    }
    #expect(announcements > 0)
  }
}
