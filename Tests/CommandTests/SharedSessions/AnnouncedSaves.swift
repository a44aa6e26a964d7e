import Foundation
import Subprocess
import Testing
import TestSupport

/// A process that adds todos to a shared session, and announces each save when `store.save()` has returned.
struct AnnouncingWriter: Sendable {
  /// The number of todos in each save.
  static let batchSize = 3

  let name: String
  let process: SessionProcess

  /// - Parameters:
  ///   - name: The beginning of the todos' texts, which no other writer uses.
  ///   - address: The session's address.
  ///   - gate: Opened to end it.
  init(_ name: String, on address: String, until gate: Gate) {
    self.name = name
    process = SessionProcess(
      on: address,
      """
      local count = 0
      repeat
        for _ = 1, \(Self.batchSize) do
          count = count + 1
          todo.add('\(name)-' .. count)
        end
        store.save()
        print(count)
        io.flush()
      until \(gate.isOpen)
      """)
  }

  /// The number of todos that it has announced.
  var announced: Int { process.lines.last.flatMap { Int($0) } ?? 0 }

  /// Waits until it has announced something new.
  func waitForSave() async throws {
    let before = announced
    try await wait(for: "a save of \(name)") { announced > before }
  }

  /// The number of messages that the connection is lost, and that it is there again.
  var reconnections: (lost: Int, found: Int) {
    let messages = process.messages
    return (
      messages.count { $0.hasSuffix("continues in memory, and is saved once the server is back") },
      messages.count { $0.hasSuffix("connected again") }
    )
  }
}

extension SharedSessionFixture {
  /// Expects that each todo of a writer is there once: all that it announced, and perhaps the beginning of one more batch.
  func expectSaves(of writer: AnnouncingWriter, _ comment: Comment = "") async throws {
    let numbers = try await query(
      """
      SELECT split_part(value::jsonb ->> 'text', '-', 2) FROM records
      WHERE list = 'todo.items' AND value::jsonb ->> 'text' LIKE '\(writer.name)-%'
      """
    ).compactMap { Int($0[0]) }.sorted()
    #expect(numbers == Array(1..<numbers.count + 1), "\(writer.name): \(comment)")
    let announced = writer.announced
    #expect(
      (announced...announced + AnnouncingWriter.batchSize).contains(numbers.count),
      "\(writer.name): \(comment)")
  }

  /// Expects that the session, opened again, has what its tables show.
  func expectReopening() async throws { try await expectTables(exportedState()) }
}
