import Foundation
import TestSupport
import SampleFeatures
import Testing

@testable import StateFile
@testable import StateStore

/// A state file in a temporary folder, which is removed with it.
final class SQLiteFile {
  let folder: TemporaryFolder
  let path: String

  init(name: String = "session.sqlite") throws {
    folder = try TemporaryFolder()
    path = folder.url.appendingPathComponent(name).path
  }

  func open(busyTimeout: TimeInterval = 20) throws -> SQLiteJournal {
    try SQLiteJournal(
      of: Sample.schema, program: Sample.program, path: path, busyTimeout: busyTimeout)
  }

  /// Opens the file with other means.
  func connect() throws -> Database { try Database(path) }

  /// Runs SQL on the file, as people or other programs may.
  func execute(_ sql: String) throws {
    try connect().run(script: sql)
  }

  /// The rows of a query, each with its values as texts.
  func rows(_ sql: String) throws -> [[String]] {
    try connect().rows(sql).map { row in
      row.map { value in
        switch value {
        case .null: "NULL"
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .text(let text): text
        case .bytes(let bytes): "\(bytes)"
        }
      }
    }
  }

  /// Expects the views to have the rows of a state, and the table of fields its values.
  func expectViews(_ states: States) throws {
    let (counter, notes) = (states[Counter.self], states[Notes.self])
    #expect(
      try rows("SELECT position, number FROM numbers")
        == states[Numbers.self].list.enumerated().map { ["\($0 + 1)", "\($1.rawValue)"] })
    #expect(
      try rows("SELECT id, text, done FROM notes_items")
        == notes.items.map { ["\($0.id)", $0.text, $0.done ? "1" : "0"] })
    #expect(
      try rows("SELECT id, name, age FROM people")
        == states[People.self].list.map { ["\($0.id)", $0.name, "\($0.age)"] })
    #expect(
      try rows("SELECT query, last_text, filtering FROM notes")
        == [[notes.query, notes.lastText ?? "NULL", notes.query.isEmpty ? "0" : "1"]])
    let card = try rows("SELECT count, loading, alert, card FROM counter")
    #expect(card.count == 1)
    #expect(
      card.first?.dropLast() == [
        "\(counter.count)", states.isPending(Counter.ask) ? "1" : "0",
        counter.alert.map { StateValue.text($0.title).json }.map { "{\"title\":\($0)}" } ?? "NULL",
      ])
    #expect((card.first?.last != "NULL") == counter.isCardOpen)
  }

  /// The names of the files in the folder.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  /// The bytes of a file of the folder.
  func bytes(_ name: String = "session.sqlite") throws -> Data {
    try Data(contentsOf: folder.url.appendingPathComponent(name))
  }
}

extension Sample {
  static let program = Program("sample")
}

extension States {
  /// The initial states of the sample features.
  init() { self = Sample.schema.initial }

  subscript<F: Feature>(feature: F.Type) -> F.State {
    do throws(SchemaError) {
      return state(of: feature, at: try Sample.schema.index(of: feature))
    } catch {
      preconditionFailure(error.message)
    }
  }
}

extension States {
  func isPending<F, Question, Answer>(_ request: Request<F, Question, Answer>) -> Bool {
    Store(states: self).isPending(request)
  }
}

extension RandomActions<SeededGenerator> {
  init(seed: Int) { self.init(using: SeededGenerator(seed: UInt64(seed))) }
}

/// Runs something that must fail, and returns the code of its error.
func code(
  sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
) -> String? {
  let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try body() }
  return (error as? any CodedError)?.code
}

extension JournalEntry {
  /// An entry that the tests know by a number.
  static func numbered(_ number: Int, count: Int = 1, writer: UUID = UUID()) -> JournalEntry {
    JournalEntry(
      .action(.counter(.increment(by: number))), count: count,
      time: Date(timeIntervalSince1970: 1_000_000 + Double(number) / 2), writer: writer)
  }
}

extension Journal {
  /// Appends entries that change nothing that is shown.
  @discardableResult
  func append(_ entries: [JournalEntry], expecting head: Int) throws -> Int {
    try append(JournalBatch(entries: entries, changes: []), expecting: head)
  }
}

extension JournalCheckpoint {
  /// A checkpoint with another history.
  static func sample(head: Int) throws -> JournalCheckpoint {
    let store = Store()
    try store.send(.add(id: 1, text: "milk"), to: Notes.self)
    try store.send(.add(id: 2, text: "bread"), to: Notes.self)
    try store.send(.add(number: 7), to: Numbers.self)
    let action = HistorySnapshot.Action(
      action: .counter(.increment(by: 1)), time: Date(timeIntervalSince1970: 5))
    return JournalCheckpoint(
      head: head,
      history: HistorySnapshot(
        state: store.states, offset: 3, actions: [action, action], position: 4))
  }
}
