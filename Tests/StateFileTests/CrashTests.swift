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

  @Test("leaves a file with everything it announced, and a prefix of the rest")
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
      let contents = try journal.load()
      #expect(journal.takeNotices().isEmpty)
      // Whole batches of 10, of which one may have been committed and not announced.
      #expect([known, known + 10].contains(contents.head), "round \(round)")
      let states = try Store(Sample.schema, contents, of: "sample").states
      #expect(states[Notes.self].items.count == contents.head)
      #expect(
        try file.rows("SELECT id FROM notes_items").map(\.[0])
          == states[Notes.self].items.map { "\($0.id)" })
      before = contents.head
    }
    #expect(announcements > 0)
  }
}
