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
    let error = #expect(throws: SchemaError.duplicateFeature("counter")) {
      try StoreSchema(features: [Counter.self, Other.self])
    }
    #expect(error?.code == "duplicate_feature")
  }

  @Test("refuses invalid names")
  func badName() {
    let error = #expect(throws: SchemaError.badName("Bad name")) {
      try StoreSchema(features: [BadName.self])
    }
    #expect(error?.code == "bad_name")
  }

  @Test("refuses two fields with the same path")
  func duplicateField() {
    let error = #expect(throws: SchemaError.duplicateField("alike.count")) {
      try StoreSchema(features: [TwoAlike.self])
    }
    #expect(error?.code == "duplicate_field")
    #expect(throws: SchemaError.duplicateField("counter.count")) {
      try StoreSchema(
        features: [Counter.self],
        derived: [DerivedField("counter.count", of: Counter.self) { $0.count }])
    }
  }

  @Test("reserves the path of the records removed from a list")
  func reservedField() {
    let error = #expect(throws: SchemaError.reservedField("numbers.removed", list: "numbers")) {
      try StoreSchema(
        features: [Numbers.self],
        derived: [DerivedField("numbers.removed", of: Numbers.self) { $0.list.count }])
    }
    #expect(error?.code == "reserved_field")
  }

  @Test("refuses a derived field of a feature that it lacks")
  func missingFeature() {
    let error = #expect(throws: SchemaError.unknownFeature("numbers")) {
      try StoreSchema(
        features: [Counter.self],
        derived: [DerivedField("counter.sum", of: Counter.self, Numbers.self) { $0.count + $1.sum }]
      )
    }
    #expect(error?.code == "unknown_feature")
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

  /// A record and a value with a property that no field shows; the value is part of the record.
  private struct Place: FieldRecord, Codable, Equatable, Sendable {
    var city = ""
    var postCode = 0

    static let fields: [RecordField<Place>] = [.field("city", \.city)]
  }

  private struct Person: Record, FieldRecord {
    let id: Int
    var place: Place?

    static let fields: [RecordField<Person>] = [.constant("id", \.id), .field("place", \.place)]
  }

  private struct Nameless: Record, FieldRecord {
    let id: Int
    var name = ""

    static let fields: [RecordField<Nameless>] = [.field("name", \.name)]
  }

  private enum Holder<Value: FieldValue & Codable & Equatable & Sendable>: Feature {
    struct State: Codable, Equatable, Sendable { var value: Value? }
    typealias Action = Other.Action

    static var name: String { "holder" }
    static var initial: State { State() }
    static func reduce(_ state: inout State, _ action: Action) {}
    static var fields: [Field<Self>] { [.value("value", \.value)] }
  }

  private enum Lister<Element: Record>: Feature {
    struct State: Codable, Equatable, Sendable { var list = RecordList<Element>() }
    typealias Action = Other.Action

    static var name: String { "lister" }
    static var initial: State { State() }
    static func reduce(_ state: inout State, _ action: Action) {}
    static var fields: [Field<Self>] { [.list("", \.list)] }
  }

  @Test(
    "refuses a stored property of a record or value that none of its fields shows",
    arguments: [
      (
        Holder<Place>.self, "postCode of the type of holder.value",
        #".field("post_code", \.postCode)"#
      ),
      (Holder<[Place]>.self, "postCode of the type of holder.value", ""),
      (Lister<Person>.self, "postCode of the type of lister.place", ""),
      (Lister<Nameless>.self, "id of the type of lister", #".field("id", \.id)"#),
    ] as [(any Feature.Type, String, String)])
  func unlistedInValues(feature: any Feature.Type, place: String, remedy: String) {
    let error = #expect(throws: SchemaError.self) { try StoreSchema(features: [feature]) }
    #expect(error?.code == "unlisted_property")
    #expect(error?.message.contains("The property \(place) is in none of its fields") == true)
    #expect(remedy.isEmpty || error?.message.contains(remedy) == true)
  }

  @Test("refuses a derived field outside its features")
  func unknownGroup() {
    let error = #expect(throws: SchemaError.unknownGroup("cuonter.twice", known: ["counter"])) {
      try StoreSchema(
        features: [Counter.self],
        derived: [DerivedField("cuonter.twice", of: Counter.self) { 2 * $0.count }])
    }
    #expect(error?.code == "unknown_group")
  }

  @Test("gives each view a name of its own, which no table and no database has taken")
  func views() throws {
    let schema = try StoreSchema(features: OddNames.features)
    let names = schema.views(besides: ["history"], nameLength: 63).map(\.name)
    let long = "a_name_of_more_than_sixty_three_letters_which_postgresql_cuts_o"
    #expect(
      names == [
        "_sqlite_x", "cart_items", "cart_items_view", "history_view", "order", long,
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
