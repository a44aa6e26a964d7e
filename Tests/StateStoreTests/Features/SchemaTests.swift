import SampleFeatures
import Testing

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

  @Test("refuses two features with the same name")
  func duplicateFeature() {
    #expect(throws: SchemaError.duplicateFeature("counter")) {
      try StoreSchema(features: [Counter.self, Other.self])
    }
  }

  @Test("refuses invalid names")
  func badName() {
    #expect(throws: SchemaError.badName("Bad name")) { try StoreSchema(features: [BadName.self]) }
  }

  @Test("refuses two fields with the same path")
  func duplicateField() {
    #expect(throws: SchemaError.duplicateField("alike.count")) {
      try StoreSchema(features: [TwoAlike.self])
    }
    #expect(throws: SchemaError.duplicateField("counter.count")) {
      try StoreSchema(
        features: [Counter.self],
        derived: [DerivedField("counter.count", of: Counter.self) { $0.count }])
    }
  }

  @Test("reserves the path of the records removed from a list")
  func reservedField() {
    #expect(throws: SchemaError.reservedField("numbers.removed", list: "numbers")) {
      try StoreSchema(
        features: [Numbers.self],
        derived: [DerivedField("numbers.removed", of: Numbers.self) { $0.list.count }])
    }
  }

  @Test("refuses a derived field of a feature that it lacks")
  func missingFeature() {
    #expect(throws: SchemaError.unknownFeature("numbers")) {
      try StoreSchema(
        features: [Counter.self],
        derived: [DerivedField("counter.sum", of: Counter.self, Numbers.self) { $0.count + $1.sum }]
      )
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

  @Test("refuses a stored property without a field, as exports would lose it")
  func unlistedProperty() {
    let error = #expect(throws: SchemaError.self) { try StoreSchema(features: [Unlisted.self]) }
    #expect(error?.code == "unlisted_property")
    #expect(error?.message.contains("The property lastID of the state of unlisted") == true)
    #expect(error?.message.contains(#".value("last_id", \.lastID), or .hidden(\.lastID)"#) == true)
  }

  @Test("refuses a derived field outside its features")
  func unknownGroup() {
    #expect(throws: SchemaError.unknownGroup("cuonter.twice", known: ["counter"])) {
      try StoreSchema(
        features: [Counter.self],
        derived: [DerivedField("cuonter.twice", of: Counter.self) { 2 * $0.count }])
    }
  }

  private struct Book: Record, FieldRecord {
    let id: Int
    static let fields: [RecordField<Book>] = [.constant("id", \.id)]
  }

  /// A feature with two lists, whose views have the same name.
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

  @Test("refuses two views of the state file with the same name")
  func duplicateView() {
    #expect(throws: SchemaError.duplicateView("books", "shelf.own", "shelf.lent")) {
      try StoreSchema(features: [Shelf.self])
    }
    #expect(throws: SchemaError.duplicateView("counter", "counter", "library.own")) {
      try StoreSchema(features: [Counter.self, Library.self])
    }
  }

  @Test("describes its errors in plain sentences")
  func messages() {
    #expect(
      SchemaError.duplicateFeature("notes").message
        == "Two features have the name notes: give each its own name.")
    #expect(SchemaError.badName("a b").message.hasPrefix("\"a b\" can't name"))
    #expect(SchemaError.badName(String(repeating: "a", count: 1_000_000)).message.count < 1_000)
  }
}
