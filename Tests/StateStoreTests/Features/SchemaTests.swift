import SampleFeatures
import Testing

@testable import StateStore

private struct Values: Codable, Equatable, Sendable {
  var count = 0
  var books = RecordList<Book>()
}

private struct Book: Record, FieldRecord {
  let id: Int
  var title: String
  var shelf: Int

  static let fields: [RecordField<Book>] = [
    .constant("id", \.id), .constant("title", \.title), .field("shelf", \.shelf),
  ]
}

private enum NoAction: Codable, Equatable, Sendable { case nothing }

/// A feature whose declaration matters alone.
private protocol Declaration: Feature where State == Values, Action == NoAction {}

extension Declaration {
  static var initial: Values { Values() }
  static func reduce(_ state: inout Values, _ action: NoAction) {}
}

private enum OtherCounter: Declaration {
  static let name = "counter"
  static let fields: [Field<OtherCounter>] = [.value("count", \.count), .hidden(\.books)]
}

private enum BadName: Declaration {
  static let name = "Bad name"
  static let fields: [Field<BadName>] = []
}

private enum TwoAlike: Declaration {
  static let name = "alike"
  static let fields: [Field<TwoAlike>] = [
    .value("count", \.count), .value("count", \.count), .hidden(\.books),
  ]
}

private enum SameRequest: Declaration {
  static let name = "twice"
  static let fetch = Request<SameRequest, NoQuestion, Int>(
    "fetch", ask: { _ in 1 }, done: { _, _ in })
  static let fields: [Field<SameRequest>] = [
    .hidden(\.count), .hidden(\.books), .request(fetch),
    .request(fetch, pending: "loading", error: nil),
  ]
}

private enum MisnamedRequest: Declaration {
  static let name = "misnamed"
  static let fetch = Request<MisnamedRequest, NoQuestion, Int>(
    "fetchAll", ask: { _ in 1 }, done: { _, _ in })
  static let fields: [Field<MisnamedRequest>] = [
    .hidden(\.count), .hidden(\.books), .request(fetch, pending: nil, error: nil),
  ]
}

private enum Unlisted: Declaration {
  static let name = "unlisted"
  static let fields: [Field<Unlisted>] = [.value("count", \.count)]
}

private enum BadAssignment: Declaration {
  static let name = "shelf"
  static let fields: [Field<BadAssignment>] = [
    .hidden(\.count),
    .list("books", \.books, .set(\.shelf) { _, _ in .nothing }, .set(\.title) { _, _ in .nothing }),
  ]
}

private struct RefusedSchema: CustomTestStringConvertible {
  let testDescription: String
  let features: [any Feature.Type]
  let derived: [DerivedField]
  let error: SchemaError
  let code: String

  init(
    _ title: String, _ features: [any Feature.Type], derived: [DerivedField] = [],
    _ error: SchemaError, _ code: String
  ) {
    (testDescription, self.features, self.derived) = (title, features, derived)
    (self.error, self.code) = (error, code)
  }
}

@Suite("A schema")
struct SchemaTests {
  private static let refused = [
    RefusedSchema(
      "two features with the same name", [Counter.self, OtherCounter.self],
      .duplicateFeature("counter"), "duplicate_feature"),
    RefusedSchema("an invalid name", [BadName.self], .badName("Bad name"), "bad_name"),
    RefusedSchema(
      "two fields with the same path", [TwoAlike.self], .duplicateField("alike.count"),
      "duplicate_field"),
    RefusedSchema(
      "a derived field with the path of another", [Counter.self],
      derived: [DerivedField("counter.count", of: Counter.self) { $0.count }],
      .duplicateField("counter.count"), "duplicate_field"),
    RefusedSchema(
      "a field with the path of the records removed from a list", [Numbers.self],
      derived: [DerivedField("numbers.removed", of: Numbers.self) { $0.list.count }],
      .reservedField("numbers.removed", list: "numbers"), "reserved_field"),
    RefusedSchema(
      "a derived field of a feature that it lacks", [Counter.self],
      derived: [DerivedField("counter.sum", of: Counter.self, Numbers.self) { $0.count + $1.sum }],
      .unknownFeature("numbers"), "unknown_feature"),
    RefusedSchema(
      "a derived field outside its features", [Counter.self],
      derived: [DerivedField("cuonter.twice", of: Counter.self) { 2 * $0.count }],
      .unknownGroup("cuonter.twice", known: ["counter"]), "unknown_group"),
    RefusedSchema(
      "two requests with the same name", [SameRequest.self], .duplicateRequest("twice.fetch"),
      "duplicate_request"),
    RefusedSchema(
      "a request whose name isn't in snake case", [MisnamedRequest.self], .badName("fetchAll"),
      "bad_name"),
    RefusedSchema(
      "the assignment of a part that isn't a field to assign", [BadAssignment.self],
      .notAssignable("title", in: "shelf"), "not_assignable"),
    RefusedSchema(
      "a stored property without a field, as exports would lose it", [Unlisted.self],
      .unlistedProperty("books", of: "unlisted"), "unlisted_property"),
    RefusedSchema(
      "a value with a property that none of its fields shows", [Holder<Place>.self],
      .unlistedProperty("holder.value.postCode"), "unlisted_property"),
    RefusedSchema(
      "a list of such values", [Holder<[Place]>.self],
      .unlistedProperty("holder.value.postCode"), "unlisted_property"),
    RefusedSchema(
      "records with such a value", [Lister<Person>.self],
      .unlistedProperty("lister.place.postCode"), "unlisted_property"),
    RefusedSchema(
      "records with a property that none of their fields shows", [Lister<Nameless>.self],
      .unlistedProperty("lister.id"), "unlisted_property"),
  ]

  @Test("refuses", arguments: refused)
  private func refusal(schema: RefusedSchema) {
    let error = #expect(throws: schema.error) {
      try StoreSchema(features: schema.features, derived: schema.derived)
    }
    #expect(error?.code == schema.code)
  }

  @Test("says how to list a property")
  func remedies() {
    let ofState = SchemaError.unlistedProperty("lastID", of: "cart").message
    #expect(ofState.hasSuffix(#": add .value("last_id", \.lastID), or .hidden(\.lastID)."#))
    let ofRecord = SchemaError.unlistedProperty("cart.place.postCode").message
    #expect(
      ofRecord.hasSuffix(#"add .field("post_code", \.postCode) to them, or .constant for a let."#))
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
    typealias Action = NoAction

    static var name: String { "holder" }
    static var initial: State { State() }
    static func reduce(_ state: inout State, _ action: Action) {}
    static var fields: [Field<Self>] { [.value("value", \.value)] }
  }

  private enum Lister<Element: Record>: Feature {
    struct State: Codable, Equatable, Sendable { var list = RecordList<Element>() }
    typealias Action = NoAction

    static var name: String { "lister" }
    static var initial: State { State() }
    static func reduce(_ state: inout State, _ action: Action) {}
    static var fields: [Field<Self>] { [.list("", \.list)] }
  }

  @Test("that replaces another one has the features of Swift types at the same places")
  func places() throws {
    let store = Store()
    let place = try #require(store.schema.place(of: "counter"))
    let other = try StoreSchema(features: Sample.features)
    store.adopt(try store.reloaded(with: other))
    try store.reset()
    #expect(try store.box(at: place) === store.states.slots[0])
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

  @Test("abbreviates a long name in the message that refuses it")
  func messages() {
    #expect(SchemaError.badName(String(repeating: "a", count: 1_000_000)).message.count < 1_000)
  }
}
