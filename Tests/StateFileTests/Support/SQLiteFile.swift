import Foundation
import SampleFeatures
import Testing
import TestSupport

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

  func open(
    _ schema: StoreSchema = Sample.schema, busyTimeout: TimeInterval = 20
  ) throws -> SQLiteJournal {
    try SQLiteJournal(of: schema, program: Sample.program, path: path, busyTimeout: busyTimeout)
  }

  /// Opens the session in the file, as another process would.
  func session(_ schema: StoreSchema = Sample.schema) throws -> JournaledSession {
    try JournaledSession(schema, in: open(schema))
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
      try rows("SELECT query, last_text FROM notes") == [[notes.query, notes.lastText ?? "NULL"]])
    let alert = counter.alert.map { StateValue.text($0.title).json }
    #expect(
      try rows("SELECT count, alert FROM counter")
        == [["\(counter.count)", alert.map { "{\"title\":\($0)}" } ?? "NULL"]])
  }

  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  func bytes(_ name: String = "session.sqlite") throws -> Data {
    try Data(contentsOf: folder.url.appendingPathComponent(name))
  }

  /// Overwrites the file, as `cp` does.
  func overwrite(with bytes: Data) throws {
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.truncate(atOffset: 0)
    try handle.write(contentsOf: bytes)
    try handle.close()
  }
}

extension Sample {
  static let program = Program("sample")
}

extension SQLiteJournal {
  /// Opens the session of the sample features in a file.
  convenience init(at path: String) throws {
    try self.init(of: Sample.schema, program: Sample.program, path: path)
  }
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

/// Runs something that must fail, and returns the code of its error.
func code(
  sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Void
) -> String? {
  let error = #expect(throws: (any Error).self, sourceLocation: sourceLocation) { try body() }
  return (error as? any CodedError)?.code
}

extension Journal {
  /// Appends actions that change nothing, and returns the number of the last one.
  @discardableResult
  func append(_ count: Int = 1) throws -> Int {
    let session = try load()
    let position = session.extent.position + count
    let entries = (session.extent.position + 1...position).map { number in
      SavedEntry(
        number: number, time: Date(timeIntervalSince1970: 1_000_000 + Double(number) / 2),
        author: nil, text: "", action: #"{"feature":"counter","action":{"openCard":{}}}"#,
        changes: "[]")
    }
    let write = SessionWrite(
      common: session.extent.position, entries: entries, extent: HistoryExtent(position: position),
      changes: [])
    let reply = try exchange(write, after: session.point)
    guard case .saved = reply else {
      Issue.record("It wasn't saved: \(reply)")
      return 0
    }
    return position
  }
}

/// Expects two states to be the same, except for the texts of secrets, which only the session has that got them.
func expectSame(
  _ left: States, _ right: States, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let isSame = try StateCoding.areSame(left, right) && left.unused == right.unused
  #expect(
    isSame, "\(Sample.schema.differences(from: left, to: right).map(\.path))",
    sourceLocation: sourceLocation)
}
