import Testing

@testable import Domain
@testable import StateStore

@Suite("A schema")
struct SchemaTests {
  private enum Other: Feature {
    struct State: Codable, Equatable, Sendable {
      var count = 0
    }
    enum Action: Codable, Equatable, Sendable { case none }

    static let name = "counter"
    static var initial: State { State() }
    static func reduce(_ state: inout State, _ action: Action) {}
    static let fields: [Field<Other>] = [.value("count", \.count)]
  }

  private enum BadName: Feature {
    typealias State = Other.State
    typealias Action = Other.Action

    static let name = "Bad name"
    static var initial: State { State() }
    static func reduce(_ state: inout State, _ action: Action) {}
    static let fields: [Field<BadName>] = []
  }

  private enum TwoAlike: Feature {
    typealias State = Other.State
    typealias Action = Other.Action

    static let name = "alike"
    static var initial: State { State() }
    static func reduce(_ state: inout State, _ action: Action) {}
    static let fields: [Field<TwoAlike>] = [.value("count", \.count), .value("count", \.count)]
  }

  @Test("has features of different names")
  func duplicateFeature() {
    #expect(throws: SchemaError.duplicateFeature("counter")) {
      try Schema(features: [Counter.self, Other.self])
    }
  }

  @Test("has features and fields with valid names")
  func badName() {
    #expect(throws: SchemaError.badName("Bad name")) { try Schema(features: [BadName.self]) }
  }

  @Test("has fields of different paths")
  func duplicateField() {
    #expect(throws: SchemaError.duplicateField("alike.count")) {
      try Schema(features: [TwoAlike.self])
    }
    #expect(throws: SchemaError.duplicateField("counter.count")) {
      try Schema(
        features: [Counter.self],
        derived: [DerivedField("counter.count", of: Counter.self) { $0.count }])
    }
  }

  @Test("has no field at the path of the records that a list loses")
  func reservedField() {
    #expect(throws: SchemaError.reservedField("favorites.removed", list: "favorites")) {
      try Schema(
        features: [FavoritePrimes.self],
        derived: [DerivedField("favorites.removed", of: FavoritePrimes.self) { $0.count }])
    }
  }

  @Test("has the features on which derived fields depend")
  func missingFeature() {
    #expect(throws: SchemaError.unknownFeature("favorites")) {
      try Schema(features: [Counter.self], derived: [PrimeCard.field])
    }
  }

  private enum Unlisted: Feature {
    struct State: Codable, Equatable, Sendable {
      var count = 0
      var lastID = 0
    }
    typealias Action = Other.Action

    static let name = "unlisted"
    static var initial: State { State() }
    static func reduce(_ state: inout State, _ action: Action) {}
    static let fields: [Field<Unlisted>] = [.value("count", \.count)]
  }

  @Test("has fields for all stored properties, as exports would lose the others")
  func unlistedProperty() {
    let error = #expect(throws: SchemaError.self) { try Schema(features: [Unlisted.self]) }
    #expect(error?.code == "unlisted_property")
    #expect(error?.message.contains("The property lastID of the state of unlisted") == true)
    #expect(error?.message.contains(#".value("last_id", \.lastID), or .hidden(\.lastID)"#) == true)
  }

  @Test("has derived fields only in its features")
  func unknownGroup() {
    #expect(throws: SchemaError.unknownGroup("cuonter.twice", known: ["counter"])) {
      try Schema(
        features: [Counter.self],
        derived: [DerivedField("cuonter.twice", of: Counter.self) { 2 * $0.count }])
    }
  }

  private struct Book: Record, FieldRecord {
    let id: Int
    static let fields: [RecordField<Book>] = [.constant("id", \.id)]
  }

  /// A feature with two lists; `View` says how the second is named in the state file.
  private enum Shelf: Feature {
    struct State: Codable, Equatable, Sendable {
      var own = RecordList<Book>()
      var lent = RecordList<Book>()
    }
    typealias Action = Other.Action

    static let name = "shelf"
    static var initial: State { State() }
    static func reduce(_ state: inout State, _ action: Action) {}
    static let fields: [Field<Shelf>] = [
      .list("own", \.own).inView("books"), .list("lent", \.lent).inView("books"),
    ]
  }

  private enum Library: Feature {
    typealias State = Shelf.State
    typealias Action = Other.Action

    static let name = "library"
    static var initial: State { State() }
    static func reduce(_ state: inout State, _ action: Action) {}
    static let fields: [Field<Library>] = [
      .list("own", \.own).inView("counter"), .list("lent", \.lent),
    ]
  }

  @Test("has views of different names in the state file")
  func duplicateView() {
    #expect(throws: SchemaError.duplicateView("books", "shelf.own", "shelf.lent")) {
      try Schema(features: [Shelf.self])
    }
    #expect(throws: SchemaError.duplicateView("counter", "counter", "library.own")) {
      try Schema(features: [Counter.self, Library.self])
    }
  }

  @Test("describes its errors in words")
  func messages() {
    #expect(
      SchemaError.duplicateFeature("notes").message
        == "Two features have the name notes: give each its own name.")
    #expect(SchemaError.badName("a\nb").message.hasPrefix("\"a b\" can't name"))
  }
}

@Suite("Observing a part of a feature's state")
struct TypedObservationTests {
  private let store = Store()

  @Test("reports the new and the old value, for actions, undo and redo")
  func changes() throws {
    var seen: [String] = []
    let subscription = store.observe(\.count, of: Counter.self) { new, old in
      seen.append("\(old)->\(new)")
    }
    try store.send(.increment(by: 2), to: Counter.self)
    try store.send(.askIsPrime, to: Counter.self)
    try store.send(.add(id: 1, text: "milk"), to: Todo.self)
    try store.undo(3)
    try store.redo(1)
    subscription.cancel()
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(seen == ["0->2", "2->0", "0->2"])
  }

  @Test("takes turns with other observers")
  func order() throws {
    var seen: [String] = []
    store.observe(\.count, of: Counter.self) { new, _ in
      seen.append("first \(new)")
      if new == 1 { try store.send(.increment(by: 1), to: Counter.self) }
    }
    try store.observe("counter") { seen.append("all \($0.fields.count)") }
    store.observe(\.pendingRequest, of: Counter.self) { _, _ in seen.append("request") }
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(seen == ["first 1", "all 1", "first 2", "all 1"])
  }

  @Test("passes its errors to the handler")
  func errors() throws {
    var failures = 0
    store.onObserverFailure = { _ in failures += 1 }
    store.observe(\.count, of: Counter.self) { _, _ in throw CancellationError() }
    try store.send(.increment(by: 1), to: Counter.self)
    #expect(failures == 1)
  }
}
