import Foundation
import SampleFeatures
import StateFile
import StateStore
import Testing
import TestSupport

@testable import PrimereplLoading

@Suite("Exporting and importing the state")
struct StateDocumentFileTests {
  private let folder: TemporaryFolder
  private let store = Store()

  init() throws {
    folder = try TemporaryFolder()
    try store.send(.set(count: 7), to: Counter.self)
    try store.send(.add(id: 1, text: "milk"), to: Notes.self)
  }

  private func path(_ name: String) -> String { folder.path(of: name) }

  private func code(exportingTo path: String) -> String? {
    do throws(ExportError) {
      try export(to: path)
      return nil
    } catch {
      return error.code
    }
  }

  private func export(to path: String) throws(ExportError) {
    try DocumentAccess().write(StateDocument.json(of: store.states, store.schema), to: path)
  }

  private func importStates(from source: String) async throws {
    let (states, shown) = try await DocumentAccess().states(of: store.schema, from: source)
    try store.send(.restore(states, source: shown))
  }

  @Test("restores the state in one action, which can be undone")
  func roundTrip() async throws {
    try export(to: path("state.json"))
    try store.send(.set(count: 8), to: Counter.self)
    try store.send(.remove(id: 1), to: Notes.self)
    let before = store.states
    var changed: [String] = []
    try store.observe("") { changed += $0.fields.map(\.path) }
    try await importStates(from: path("state.json"))
    #expect(store.state(of: Counter.self).count == 7)
    #expect(store.state(of: Notes.self).items.map(\.text) == ["milk"])
    #expect(changed.contains("counter.count"))
    #expect(changed.contains("notes.items"))
    #expect(store.position == 5)
    try store.undo()
    #expect(store.states == before)
  }

  @Test("reads an address, whose password the history doesn't show")
  func address() async throws {
    try await StandInServer.run(.text(#"{"counter": {"count": 5}}"#)) { server in
      let address = server.url.absoluteString.replacing("http://", with: "http://ann:SECRET@")
      try await importStates(from: address)
      #expect(store.state(of: Counter.self).count == 5)
      #expect(try store.history().last?.recorded.action.restoredSource == server.url.absoluteString)
    }
  }

  @Test("gives a server less room than a file")
  func size() async throws {
    let content = "{}" + String(repeating: " ", count: DocumentAccess.maximumSize)
    try await importStates(from: folder.write(content, to: "large.json"))
    try await StandInServer.run(.text(content)) { server in
      let error = await #expect(throws: SourceError.self) {
        try await importStates(from: server.url.absoluteString)
      }
      #expect(error?.code == "source_too_large")
    }
  }

  @Test("writes a file that only its owner can read")
  func permissions() throws {
    try export(to: path("state.json"))
    let attributes = try FileManager.default.attributesOfItem(atPath: path("state.json"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("changes nothing if the document is invalid")
  func wrong() async throws {
    let file = try folder.write(#"{"counter": {"count": 5}, "numbers": [-8]}"#, to: "bad.json")
    let before = store.states
    await #expect(throws: SourceError.self) { try await importStates(from: file) }
    #expect(store.states == before)
    #expect(store.position == 2)
  }

  @Test(
    "doesn't replace a database, such as the session's, nor the files beside it",
    arguments: ["", "-wal", "-shm", "-journal"])
  func database(suffix: String) throws {
    let journal = try SQLiteJournal(
      of: Sample.schema, program: Program("sample"), path: path("session.sqlite"))
    _ = try journal.reserveIdentifiers(1, of: .person)
    #expect(code(exportingTo: path("session.sqlite" + suffix)) == "export_onto_database")
    #expect(try journal.reserveIdentifiers(1, of: .person) == 2...2)
  }

  @Test("follows links, even to a missing file, and long names")
  func names() throws {
    let target = path("target.json")
    try FileManager.default.createSymbolicLink(
      atPath: path("dangling.json"), withDestinationPath: "target.json")
    try export(to: path("dangling.json"))
    #expect(FileManager.default.fileExists(atPath: target))
    let long = path(String(repeating: "x", count: 255))
    try export(to: long)
    #expect(FileManager.default.fileExists(atPath: long))
    try FileManager.default.createSymbolicLink(
      atPath: path("link"), withDestinationPath: folder.makeFolder("a/b"))
    try export(to: path("link/../x.json"))
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
}
