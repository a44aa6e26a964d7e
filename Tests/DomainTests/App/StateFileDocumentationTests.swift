import Foundation
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateFile
@testable import StateStore

@Suite("The documentation of the state file")
struct StateFileDocumentationTests {
  private struct Example {
    let sql: String
    let output: [String]
  }

  /// The queries of the blocks of text, each with the output below it.
  private static func examples() throws -> [Example] {
    let document = URL(fileURLWithPath: #filePath)
      .appendingPathComponent("../../../../Documentation/state-file.md").standardized
    let blocks = try String(contentsOf: document, encoding: .utf8).components(separatedBy: "```")
    return blocks.filter { $0.hasPrefix("text\n") }
      .flatMap { $0.dropFirst("text\n".count).components(separatedBy: "\n\n") }
      .map { example in
        let lines = example.split(separator: "\n").map(String.init)
        let sql = lines[0].components(separatedBy: "\"")[1]
        #expect(lines[0] == "$ sqlite3 session.sqlite \"\(sql)\"")
        return Example(sql: sql, output: Array(lines.dropFirst()))
      }
  }

  private static let actions: [(action: StoreAction, count: Int)] = [
    (.todo(.add(id: 1, text: "buy milk")), 1),
    (.todo(.add(id: 2, text: "buy bread")), 1),
    (.counter(.increment(by: 1)), 17),
    (.counter(.askIsPrime), 1),
    (.favorites(.add(number: 17)), 1),
    (.favorites(.add(number: 5)), 1),
    (.todo(.add(id: 3, text: "call grandma")), 1),
    (.todo(.complete(id: 2)), 1),
    (.persons(.add(Persons.Person(id: 1, name: "Ada", age: 36))), 1),
    (.persons(.add(Persons.Person(id: 2, name: "Alan", age: 35))), 1),
    (.asked(Landmarks.load, Source(), number: 1), 1),
    (
      .answered(
        Landmarks.load,
        [
          Landmark(
            id: 1001, name: "Turtle Rock", park: "Joshua Tree National Park", state: "California",
            category: "Rivers", latitude: 34.011286, longitude: -116.166868, isFavorite: true),
          Landmark(
            id: 1002, name: "Silver Salmon Creek", park: "Lake Clark National Park and Preserve",
            state: "Alaska", category: "Lakes", latitude: 59.980167, longitude: -152.665167),
        ], number: 1), 1
    ),
  ]

  @Test("shows the real output of sqlite3")
  func examples() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "session.sqlite")
    let session = try JournaledSession(
      App.schema, in: SQLiteJournal(of: App.schema, program: App.program, path: path),
      now: { Date(timeIntervalSince1970: 1e9) })
    session.store.describe = { action in
      if case .add(_, let text)? = action.action(of: Todo.self) { return "todo.add(\"\(text)\")" }
      return action.featureName == Counter.name ? "counter.increment()" : ""
    }
    for (action, count) in Self.actions {
      for _ in 0..<count { try session.store.send(action) }
    }
    try session.save()
    let examples = try Self.examples()
    #expect(examples.count == 14)
    let database = try Database(path)
    for example in examples {
      let output = try database.rows(example.sql).map { row in
        row.map(\.shown).joined(separator: "|")
      }
      #expect(output == example.output, "\(example.sql)")
    }
  }
}

extension DatabaseValue {
  /// The value as sqlite3 prints it.
  fileprivate var shown: String {
    switch self {
    case .null: ""
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)"
    case .text(let value): value
    }
  }
}
