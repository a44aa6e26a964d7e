import FlyingFox
import Foundation
import PrimereplBridge
import PrimereplDomain
import PrimereplLoading
import StateStore
import Testing
import TestSupport

/// A way to read a JSON document, and the document's form.
enum JSONReader: CaseIterable, Sendable {
  case decode, http, todo, persons, landmarks, storeImport

  /// A document with a placeholder for a name.
  var document: String {
    switch self {
    case .decode, .http, .persons: #"[{"name": NAME, "age": 3}]"#
    case .todo: #"[{"text": NAME}]"#
    case .landmarks:
      #"[{"name": NAME, "id": 1, "park": "", "state": "", "category": "", "latitude": 1, "longitude": 1, "is_favorite": false, "is_featured": false}]"#
    case .storeImport: #"{"persons": [{"id": 1, "name": NAME, "age": 3}]}"#
    }
  }

  /// The name of the member with the name.
  var member: String { self == .todo ? "text" : "name" }

  /// Lua code that reads the document at `place`, or the text `text`, and returns the name.
  var code: String {
    switch self {
    case .decode: "return json.decode(text)[1].name"
    case .http: "return http.get(place).json[1].name"
    case .todo: "todo.fetch(place) return todo.items[1].text"
    case .persons: "persons.fetch(place) return persons[1].name"
    case .landmarks: "landmarks.load(place) return landmarks.all[1].name"
    case .storeImport: "store.import(place) return persons[1].name"
    }
  }
}

/// A rule on what JSON is, for a document with a name.
struct JSONRule: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// The text in place of the name, as JSON.
  var name = #""Ann""#
  /// Makes a document of the rule from a plain one.
  var change: @Sendable (String) -> [UInt8] = { Array($0.utf8) }
  /// The name that is read; nil if the document isn't JSON.
  let result: String?

  init(
    _ description: String, name: String = #""Ann""#, gives result: String?,
    _ change: @escaping @Sendable (String) -> [UInt8] = { Array($0.utf8) }
  ) {
    (testDescription, self.name, self.result, self.change) = (description, name, result, change)
  }

  static let all: [JSONRule] = [
    .init("plain", gives: "Ann"),
    .init("a byte order mark", gives: "Ann") { [0xEF, 0xBB, 0xBF] + Array($0.utf8) },
    .init("text after it", gives: nil) { Array("\($0) x".utf8) },
    .init("half of a surrogate pair", name: #""\ud800""#, gives: nil),
    .init("a name twice, once with an escape", name: #""Bob", "MEMBERX": "Ann""#, gives: "Ann") {
      let escaped = $0.contains("text") ? #"t\u0065xt"# : #"n\u0061me"#
      return Array(
        $0.replacing("nameX", with: escaped).replacing("textX", with: escaped).utf8)
    },
    .init("a depth of 1000", name: String(repeating: "[", count: 1000), gives: nil),
  ]
}

@MainActor
@Suite("A document of JSON", .timeLimit(.minutes(5)))
struct JSONReaderTests {
  @Test("is the same to every reader", arguments: JSONRule.all)
  func rule(rule: JSONRule) async throws {
    for reader in JSONReader.allCases {
      let name = rule.name.replacing("MEMBER", with: reader.member)
      let document = rule.change(reader.document.replacing("NAME", with: name))
      #expect(try await result(of: reader, document) == rule.result, "\(reader)")
    }
  }

  /// The name that a reader finds; nil if it says that the document isn't JSON.
  private func result(of reader: JSONReader, _ document: [UInt8]) async throws -> String? {
    let app = try AppInLua(documents: DocumentAccess(timeout: .seconds(3600)))
    guard reader == .http else {
      let folder = try TemporaryFolder()
      let place = folder.path(of: "document.json")
      try Data(document).write(to: URL(filePath: place))
      return try await Self.name(reader, document, at: place, in: app)
    }
    var result: String?
    try await StandInServer.run(HTTPResponse(statusCode: .ok, body: Data(document))) { server in
      result = try await Self.name(reader, document, at: server.url.absoluteString, in: app)
    }
    return result
  }

  private static func name(
    _ reader: JSONReader, _ document: [UInt8], at place: String, in app: AppInLua
  ) async throws -> String? {
    try app.state.setGlobal("text", to: document)
    try app.state.setGlobal("place", to: place)
    if let error = await app.failure("result = (function() \(reader.code) end)()") {
      #expect(["bad_json", "source_not_json"].contains(error.code.rawValue), "\(error)")
      #expect(error.message.contains("line "), "\(error)")
      return nil
    }
    return try await app.text("return result")
  }
}
