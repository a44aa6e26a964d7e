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

  @Test("gives each view a name of its own, which no table and no database has taken")
  func views() throws {
    let schema = try StoreSchema(features: OddNames.features)
    let names = schema.views(besides: ["entries"], nameLength: 63).map(\.name)
    let long = "a_name_of_more_than_sixty_three_letters_which_postgresql_cuts_o"
    #expect(
      names == [
        "_sqlite_x", "cart_items", "cart_items_view", "entries_view", "order", long,
        long.dropLast(5) + "_view",
      ])
  }

  @Test("numbers the names that are still taken, in whatever case")
  func numberedNames() {
    var names = SQLNames(besides: ["a"], suffix: "_b", length: 6)
    #expect(
      ["a", "A", "a", "abcdefg", "abcdef"].map { names.name($0) }
        == ["a_b", "A_b_2", "a_b_3", "abcdef", "abcd_b"])
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
