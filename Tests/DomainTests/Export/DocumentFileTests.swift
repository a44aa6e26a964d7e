import Foundation
import TestSupport
import Testing

@testable import Domain
@testable import StateStore

@Suite("Exporting and importing the state")
struct DocumentFileTests {
  private let folder: TemporaryFolder
  private let store = Store()
  private let logic: DocumentFiles

  init() throws {
    folder = try TemporaryFolder()
    logic = DocumentFiles(store: store, services: Services(wolfram: .init(configuration: .init())))
    try store.send(.set(count: 7), to: Counter.self)
    try store.send(.add(id: 1, text: "milk"), to: Todo.self)
  }

  private func path(_ name: String) -> String { folder.url.appendingPathComponent(name).path }

  private func code(exportingTo path: String) -> String? {
    do {
      try logic.exportJSON(to: path)
      return nil
    } catch {
      return (error as? any CodedError)?.code
    }
  }

  @Test("restores the state in one action, which can be undone")
  func roundTrip() async throws {
    try logic.exportJSON(to: path("state.json"))
    try store.send(.set(count: 8), to: Counter.self)
    try store.send(.remove(id: 1), to: Todo.self)
    let before = store.states
    var changed: [String] = []
    try store.observe("") { changed += $0.fields.map(\.path) }
    try await logic.importJSON(from: path("state.json"))
    #expect(store.state(of: Counter.self).count == 7)
    #expect(store.state(of: Todo.self).items.map(\.text) == ["milk"])
    #expect(changed.contains("counter.count"))
    #expect(changed.contains("todo.items"))
    #expect(store.position == 5)
    try store.undo()
    #expect(store.states == before)
  }

  @Test("changes nothing if the document is invalid")
  func wrong() async throws {
    let file = try folder.write(#"{"counter": {"count": 5}, "favorites": [8]}"#, to: "bad.json")
    let before = store.states
    await #expect(throws: SourceError.self) { try await logic.importJSON(from: file) }
    #expect(store.states == before)
    #expect(store.position == 2)
  }

  @Test("replaces the file that a link names, and keeps the link")
  func link() throws {
    let file = try folder.write("old", to: "state.json")
    try FileManager.default.createSymbolicLink(
      atPath: path("link.json"), withDestinationPath: file)
    try logic.exportJSON(to: path("link.json"))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link.json")) == file)
    #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("{"))
  }

  @Test("doesn't replace a database, such as the session's own file")
  func database() throws {
    let journal = try SQLiteJournal(
      of: App.schema, program: App.program, path: path("session.sqlite"))
    try journal.append([.numbered(1)], expecting: 0)
    #expect(code(exportingTo: path("session.sqlite")) == "export_onto_database")
    #expect(try journal.load().head == 1)
  }

  @Test("doesn't replace the files beside a database", arguments: ["-wal", "-shm", "-journal"])
  func companions(suffix: String) throws {
    let journal = try SQLiteJournal(
      of: App.schema, program: App.program, path: path("session.sqlite"))
    try journal.append([.numbered(1)], expecting: 0)
    #expect(code(exportingTo: path("session.sqlite" + suffix)) == "export_onto_database")
    #expect(try journal.load().head == 1)
  }

  @Test("follows links, even to a missing file, and long names")
  func names() throws {
    let target = path("target.json")
    try FileManager.default.createSymbolicLink(
      atPath: path("dangling.json"), withDestinationPath: "target.json")
    try logic.exportJSON(to: path("dangling.json"))
    #expect(FileManager.default.fileExists(atPath: target))
    let long = path(String(repeating: "x", count: 255))
    try logic.exportJSON(to: long)
    #expect(FileManager.default.fileExists(atPath: long))
    try FileManager.default.createDirectory(atPath: path("a"), withIntermediateDirectories: false)
    try FileManager.default.createDirectory(atPath: path("a/b"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: path("link"), withDestinationPath: path("a/b"))
    try logic.exportJSON(to: path("link/../x.json"))
    #expect(FileManager.default.fileExists(atPath: path("a/x.json")))
  }

  @Test(
    "is refused for a path that can't be written",
    arguments: [
      ("", "export_bad_path"), ("a\0b", "export_bad_path"), ("http://x/y", "export_bad_path"),
      ("/dev/null", "export_unwritable"), ("/no/such/folder/x.json", "export_unwritable"),
    ])
  func refused(path: String, expected: String) {
    #expect(code(exportingTo: path) == expected)
  }

  @Test("is refused without permission")
  func sandbox() async throws {
    let services = Services(
      wolfram: .init(configuration: .init()), sources: .refusing, exports: .refusing)
    let logic = DocumentFiles(store: store, services: services)
    #expect(throws: ExportError.notAllowed(path("x.json"))) {
      try logic.exportJSON(to: path("x.json"))
    }
    let file = try folder.write("{}", to: "y.json")
    await #expect(throws: SourceError.notAllowed(file)) { try await logic.importJSON(from: file) }
    #expect(!FileManager.default.fileExists(atPath: path("x.json")))
  }
}

/// What `store.export` and `store.import` do, without Lua.
private struct DocumentFiles {
  let store: Store
  let services: Services

  func exportJSON(to path: String) throws {
    try services.exports.write(StateDocument.json(of: store.states, store.schema), to: path)
  }

  func importJSON(from path: String) async throws {
    let (states, source) = try await services.sources.states(of: store.schema, from: path)
    try store.send(.restore(states, source: source))
  }
}
