import PrimereplLoading
import Testing
import TestSupport

@testable import PrimereplDomain
@testable import StateStore

@MainActor @Suite("Loading landmarks")
struct LandmarksLoadTests {
  let store = Store()

  private var all: [Landmark] { Array(store.state(of: Landmarks.self).all) }

  private nonisolated static let fields = [
    "id": "1", "name": #""Denali""#, "park": #""P""#, "state": #""Alaska""#,
    "category": #""Mountains""#, "latitude": "63.069", "longitude": "-151", "is_favorite": "true",
    "is_featured": "false",
  ]

  /// The JSON of a landmark, with some fields replaced, or left out where they are nil.
  private nonisolated static func json(_ changes: [String: String?] = [:]) -> String {
    let fields = Self.fields.merging(changes.compactMapValues(\.self)) { $1 }
      .filter { changes[$0.key] != .some(nil) }
    return "{\(fields.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", "))}"
  }

  private func load(_ source: String? = nil) async throws {
    try await store.ask(Landmarks.load, Source(source), in: .forTests())
  }

  private func failure(ofLoading content: String) async throws -> SourceError? {
    let directory = try TemporaryFolder()
    let path = try directory.write(content, to: "places.json")
    let error = await #expect(throws: SourceError.self) { try await load(path) }
    #expect(error?.message.hasPrefix("\(path): ") == true)
    return error
  }

  @Test("the built-in ones are a dozen, some favorites and some featured, each where it can be")
  func builtIn() async throws {
    try await load()
    #expect(all.count == 12)
    #expect(all.prefix(2).map(\.row) == ["★ Turtle Rock", "☆ Silver Salmon Creek"])
    #expect(Set(all.map(\.isFavorite)).count == 2)
    #expect(Set(all.map(\.isFeatured)).count == 2)
    for landmark in all {
      // All are in the United States.
      #expect((24.0...72.0).contains(landmark.latitude))
      #expect((-170.0 ... -66.0).contains(landmark.longitude))
      for text in [landmark.name, landmark.park, landmark.state, landmark.category] {
        #expect(!text.isEmpty)
      }
    }
  }

  @Test("a file has a JSON array of landmarks, whose favorites are kept")
  func loadsFile() async throws {
    let directory = try TemporaryFolder()
    let path = try directory.write(
      "[\(Self.json()), \(Self.json(["id": "-5", "is_favorite": "false"]))]", to: "places.json")
    try await load(path)
    #expect(
      all.first
        == Landmark(
          id: 1, name: "Denali", park: "P", state: "Alaska", category: "Mountains",
          latitude: 63.069, longitude: -151, isFavorite: true, isFeatured: false))
    #expect(all.map(\.id) == [1, -5])
    #expect(all.map(\.isFavorite) == [true, false])
  }

  @Test("loading again replaces changes by the file's content")
  func reloads() async throws {
    try await load()
    try store.send(.setFavorite(id: 1, isFavorite: false), to: Landmarks.self)
    try await load()
    #expect(all[0].isFavorite)
  }

  @Test(
    "a missing field is named with its record, and the old list stays",
    arguments: fields.keys.sorted())
  func missingField(name: String) async throws {
    try await load()
    try store.send(.select(id: 2), to: Landmarks.self)
    let before = store.state(of: Landmarks.self)
    let error = try await failure(ofLoading: "[\(Self.json()), \(Self.json([name: nil]))]")
    #expect(error?.code == "source_wrong_shape")
    #expect(error?.message.hasSuffix("record 2: \(name): is missing") == true)
    #expect(store.state(of: Landmarks.self) == before)
  }

  @Test(
    "a field that can't be is named with its record",
    arguments: [
      ("name", "\" \"", "is empty"), ("latitude", "90.01", "90.01 isn't from -90 to 90"),
      ("latitude", "-91", "-91.0 isn't from -90 to 90"),
      ("longitude", "180.5", "180.5 isn't from -180 to 180"),
      ("longitude", "-1e300", "-1e+300 isn't from -180 to 180"),
      ("latitude", "\"1\"", "expected a number, found text"),
      ("is_favorite", "1", "expected true or false, found a number"),
      ("id", "\"1\"", "expected a whole number, found text"),
    ])
  func wrongField(name: String, value: String, problem: String) async throws {
    let error = try await failure(
      ofLoading: "[\(Self.json()), \(Self.json([name: value]))]")
    #expect(error?.code == "source_wrong_shape")
    #expect(
      error?.message.hasSuffix("record 2: \(name): \(problem)") == true, "\(error?.message ?? "")")
    #expect(all.isEmpty)
  }

  @Test("the poles and the antimeridian are places")
  func extremes() async throws {
    let directory = try TemporaryFolder()
    let path = try directory.write(
      "[\(Self.json(["latitude": "-90", "longitude": "180"])), "
        + "\(Self.json(["id": "2", "latitude": "90", "longitude": "-180"]))]", to: "places.json")
    try await load(path)
    #expect(all.count == 2)
  }

  @Test("an id that comes twice is named with both records, and the old list stays")
  func duplicateID() async throws {
    try await load()
    let before = store.state(of: Landmarks.self)
    let error = try await failure(
      ofLoading: "[\(Self.json(["id": "9"])), \(Self.json()), \(Self.json(["id": "9"]))]")
    #expect(error?.code == "source_wrong_shape")
    #expect(error?.message.hasSuffix("record 3: id: 9 is the id of record 1 already") == true)
    #expect(store.state(of: Landmarks.self) == before)
  }

  @Test("invalid JSON is reported with its place, and the old list stays")
  func notJSON() async throws {
    try await load()
    let error = try await failure(ofLoading: "[{]")
    #expect(error?.code == "source_not_json")
    #expect(all.count == 12)
  }

  @Test("without permission to read files, the built-in landmarks still load")
  func refusing() async throws {
    let services = ServiceContext(
      Services(wolfram: WolframClient(configuration: .init()), documents: .refusing))
    let refused = await code {
      _ = try await store.ask(Landmarks.load, Source("/etc/passwd"), in: services)
    }
    #expect(refused == "source_not_allowed")
    try await store.ask(Landmarks.load, Source(), in: services)
    #expect(all.count == 12)
  }
}
