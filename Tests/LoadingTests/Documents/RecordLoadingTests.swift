import FlyingFox
import Foundation
import StateStore
import Testing
import TestSupport

@testable import PrimereplLoading

private struct Person: Decodable, Sendable, Equatable {
  struct Address: Decodable, Equatable {
    let street: String
  }

  struct Refusal: CodedError {
    let code = "refused"
    let message = "an age is at most 150"
  }

  let name: String
  let age: Int
  var height: Double?
  var address: Address?
  var tags: [String]?

  private enum CodingKeys: String, CodingKey {
    case name, age, height, address, tags
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    age = try container.decode(Int.self, forKey: .age)
    height = try container.decodeIfPresent(Double.self, forKey: .height)
    address = try container.decodeIfPresent(Address.self, forKey: .address)
    tags = try container.decodeIfPresent([String].self, forKey: .tags)
    guard age <= 150 else { throw Refusal() }
  }
}

/// Loads records from a file with some content.
private func load<Record: Decodable & Sendable>(
  _ type: Record.Type, from content: Data
) async throws -> [Record] {
  let folder = try TemporaryFolder()
  let file = folder.path(of: "data.json")
  try content.write(to: URL(filePath: file))
  return try await DocumentAccess().records(of: type, from: file)
}

/// Loads persons from a file that must be refused.
private func refusal(
  of content: Data, sourceLocation: SourceLocation = #_sourceLocation
) async throws -> SourceError {
  let error = try #require(
    await #expect(throws: SourceError.self, sourceLocation: sourceLocation) {
      _ = try await load(Person.self, from: content)
    })
  #expect(error.message.contains("data.json: "), sourceLocation: sourceLocation)
  return error
}

@Suite("Records of a file", .timeLimit(.minutes(5)))
struct FileRecordsTests {
  @Test("come in their order")
  func records() async throws {
    let json = #"[{"name": "Majid", "age": 27}, {"name": "John", "age": 31, "height": 2}]"#
    let persons = try await load(Person.self, from: Data(json.utf8))
    #expect(persons.map(\.name) == ["Majid", "John"])
    #expect(persons.map(\.height) == [nil, 2])
  }

  @Test("may be none, and may follow a byte order mark")
  func emptyList() async throws {
    #expect(try await load(Person.self, from: Data("\u{FEFF} [ ]\n".utf8)).isEmpty)
  }

  @Test("are found from the working directory and from home")
  func relativePaths() async throws {
    for path in ["no-such-file.json", "~/no-such-file.json"] {
      let error = await #expect(throws: SourceError.self) {
        try await DocumentAccess().records(of: Person.self, from: path)
      }
      #expect(error == .notFound(path))
      #expect(error?.message.hasPrefix(path) == true)
    }
    let home = URL(fileURLWithPath: try #require(ProcessInfo.processInfo.environment["HOME"]))
    let name = ".RecordLoadingTests-\(UUID().uuidString).json"
    let file = home.appending(path: name)
    try Data(#"["a"]"#.utf8).write(to: file)
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
    #expect(try await DocumentAccess().records(of: String.self, from: "~/\(name)") == ["a"])
  }

  @Test(
    "aren't looked up at impossible paths",
    arguments: [
      "", "  ", "a\0b.json", "ftp://a.org/x.json", "file:///x.json", "http://", "https:///x",
    ])
  func badSource(source: String) async throws {
    let error = await #expect(throws: SourceError.self) {
      try await DocumentAccess().records(of: String.self, from: source)
    }
    #expect(error?.code == "source_bad_address")
    #expect(error?.message.contains("\0") == false)
  }

  @Test("aren't read from a directory, a pipe or a device")
  func otherKinds() async throws {
    let folder = try TemporaryFolder()
    let pipe = folder.path(of: "pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    for source in [folder.path, pipe, "/dev/zero", "/dev/null"] {
      let error = await #expect(throws: SourceError.self) {
        try await DocumentAccess().records(of: String.self, from: source)
      }
      #expect(error?.code == "not_readable")
      #expect(error?.message.contains(source) == true)
    }
  }

  @Test("aren't read without permission", .enabled(if: geteuid() != 0, "root may read anything"))
  func noPermission() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("[]", to: "data.json")
    try #require(chmod(file, 0) == 0)
    let error = await #expect(throws: SourceError.self) {
      try await DocumentAccess().records(of: String.self, from: file)
    }
    #expect(error?.code == "not_readable")
  }

  @Test("have 10 MB by default")
  func defaultSize() async throws {
    let error = try await refusal(of: Data(repeating: 0x20, count: 10_000_001))
    #expect(error.code == "source_too_large")
    #expect(error.message.contains("10000000"))
  }

  @Test(
    "must be JSON, and the error names the place",
    arguments: [
      ("", "is empty"), (" \n ", "is empty"), ("[\n  1,\n  x]", "line 3, column 3"),
      ("[\"éé🎉\", x]", "line 1, column 9"), ("[1] 2", "line 1, column 5"),
      ("[1", "line 1, column 3: not JSON: expected \",\" or \"]\", found the end of the text"),
      (String(repeating: "[", count: 100_000), "nested"), ("{\"a\": }", "line 1, column 7"),
    ])
  func notJSON(content: String, words: String) async throws {
    let error = try await refusal(of: Data(content.utf8))
    #expect(error.code == "source_not_json")
    #expect(error.message.contains(words))
  }

  @Test("must be UTF-8, and the error names the place")
  func notUTF8() async throws {
    for (content, words) in [
      (Data("[\n\"é".utf8) + [0xFF, 0x22, 0x5D], "line 2, column 3"),
      (Data([0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00]), "line 1, column 1"),
    ] {
      let error = try await refusal(of: content)
      #expect(error.code == "source_not_json")
      #expect(error.message.contains(words))
      #expect(error.message.contains("UTF-8"))
    }
  }

  @Test(
    "must have the right shape, and the error names record and field",
    arguments: LuaCase.pairs(
      """
      {"name": "x"} --> expected a list, found an object
       "x" --> expected a list, found text
      17 --> expected a list, found a number
      null --> expected a list, found null
      [17] --> record 1: expected an object, found a number
      [{"name": "x", "age": 1}, {"name": 17, "age": 1}]
      --> record 2: name: expected text, found a number
      [{"name": "x"}] --> record 1: age: is missing
      [{"name": "x", "age": null}] --> record 1: age: expected a whole number, found null
      [{"name": "x", "age": "1"}] --> record 1: age: expected a whole number, found text
      [{"name": "x", "age": 1.5}] --> record 1: a number is out of range,
      --> or has a fraction where none is allowed
      [{"name": "x", "age": 1e99}] --> record 1: a number is out of range,
      --> or has a fraction where none is allowed
      [{"name": "x", "age": 1, "height": true}]
      --> record 1: height: expected a number, found true or false
      [{"name": "x", "age": 1, "address": []}]
      --> record 1: address: expected an object, found a list
      [{"name": "x", "age": 1, "address": {"street": {}}}]
      --> record 1: address.street: expected text, found an object
      [{"name": "x", "age": 1, "tags": ["a", 2]}]
      --> record 1: tags.2: expected text, found a number
      [{"name": "x", "age": 1, "tags": "a"}] --> record 1: tags: expected a list, found text
      [{"name": "x", "age": 151}] --> record 1: an age is at most 150
      """))
  func wrongShape(json: String, words: String) async throws {
    let error = try await refusal(of: Data(json.utf8))
    #expect(error.code == "source_wrong_shape")
    #expect(error.message.contains(words))
  }

  @Test("aren't loaded for a cancelled task")
  func cancelled() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("[]", to: "data.json")
    let loading = Task {
      // Only a cancellation ends this wait.
      do { try await Task.sleep(for: .seconds(3_600)) } catch {}
      return try await DocumentAccess().records(of: String.self, from: file)
    }
    loading.cancel()
    let error = await #expect(throws: SourceError.self) { try await loading.value }
    #expect(error?.code == "cancelled")
  }
}

@Suite("Records of an address", .timeLimit(.minutes(5)))
struct WebRecordsTests {
  private let documents = DocumentAccess(timeout: .seconds(3600), clock: RecordingClock())

  private func refusal(of source: String) async -> SourceError? {
    await #expect(throws: SourceError.self) {
      try await documents.records(of: String.self, from: source, maximumSize: 1_000)
    }
  }

  @Test("come in their order, after a redirect to another server too")
  func records() async throws {
    try await StandInServer.run(.text(#"["a", "b"]"#)) { server in
      let moved = HTTPResponse.text("", status: 302, headers: [.location: "\(server.url)/x?y=%2B"])
      try await StandInServer.run(moved) { first in
        let records = try await documents.records(
          of: String.self, from: "\(first.url)/todos.json")
        #expect(records == ["a", "b"])
        #expect(server.targets == ["/x?y=%2B"])
      }
    }
  }

  @Test("may be refused by the server", arguments: [301, 401, 404, 500])
  func status(status: Int) async throws {
    try await StandInServer.run(.text("", status: status)) { server in
      let error = await refusal(of: "\(server.url)/todos.json")
      #expect(error == .httpStatus("\(server.url)/todos.json", status: status))
      #expect(error?.code == "source_http_status")
      #expect(error?.status == status)
    }
  }

  @Test("must be JSON of a limited size")
  func content() async throws {
    for (body, code) in [
      ("<html>", "source_not_json"), ("{}", "source_wrong_shape"),
      (String(repeating: " ", count: 1_001), "source_too_large"),
    ] {
      try await StandInServer.run(.text(body)) { server in
        let error = await refusal(of: server.url.absoluteString)
        #expect(error?.code == code)
        #expect(error?.message.hasPrefix(server.url.absoluteString) == true)
      }
    }
  }

  @Test("may be unreachable, and no message shows an address's password")
  func noConnection() async throws {
    for source in ["http://user:SECRET@127.0.0.1:1/x@y", "HTTP://SECRET@127.0.0.1:1/x@y"] {
      let error = await refusal(of: source)
      #expect(error?.code == "source_connection_failed")
      #expect(error?.message.contains("//127.0.0.1:1/x@y") == true)
      #expect(error?.message.contains("SECRET") == false)
    }
  }
}
