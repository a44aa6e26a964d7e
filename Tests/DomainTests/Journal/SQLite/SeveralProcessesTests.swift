import Foundation
import Testing

@testable import Domain
@testable import StateStore

@Suite("Several processes on one state file", .serialized)
struct SeveralProcessesTests {
  @Test("take turns, even if some write constantly")
  func fairness() async throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let path = file.path
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask { _ = try await WriterProcess.appendUntilKilled(path, after: .seconds(3)) }
      }
      let journal = try SQLiteJournal(
        of: App.schema, program: App.program, path: path, busyTimeout: 2)
      let end = ContinuousClock.now + .seconds(2)
      while .now < end {
        // Each waits for two seconds at most.
        _ = try journal.reserveIdentifiers(1, of: .person)
      }
      try await group.waitForAll()
    }
  }

  @Test("lose nothing that any of them adds", .timeLimit(.minutes(5)))
  func fourWriters() async throws {
    let file = try SQLiteFile()
    defer { withExtendedLifetime(file) {} }
    let path = file.path
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          let lines = try await WriterProcess.run(path, "append=1000")
          #expect(
            lines.count == 100 && lines.allSatisfy { Int($0) != nil },
            "\(lines.count) lines, the last of which is \(lines.last ?? "")")
        }
      }
      try await group.waitForAll()
    }
    let journal = try file.open()
    let contents = try journal.load()
    #expect(contents.entries.count == 4_000)
    let counts = Dictionary(grouping: contents.entries, by: \.writer).mapValues(\.count)
    #expect(Array(counts.values) == [1_000, 1_000, 1_000, 1_000])
    let state = try Store(App.schema, contents, of: "primerepl").states
    #expect(state.todo.items.count == 4_000)
    #expect(
      try file.rows("SELECT id FROM todos").map(\.[0]) == state.todo.items.map { "\($0.id)" })
  }
}
