import Foundation
import Lua
import Testing

@testable import Scripting
@testable import StateStore

/// A feature whose actions have values of every kind.
private enum Shop: ScriptableFeature {
  struct Item: Record, FieldRecord, ScriptableRecord {
    let id: Int
    var name: String
    var price = 0
    var isSold = false

    static let fields: [RecordField<Item>] = [
      .constant("id", \.id), .field("name", \.name), .field("price", \.price),
      .field("is_sold", \.isSold),
    ]
  }

  struct State: Codable, Equatable, Sendable {
    var items = RecordList<Item>()
    var query = ""
    var limit: Int?
  }

  enum Action: Codable, Equatable, Sendable {
    case add(id: Int, name: String)
    case insert(Item)
    case move(id: Int, to: Int, note: String?)
    case swap(Int, Int)
    case count(number: Int)
    case set(query: String)
    case setLimit(Int?)
    case setPrice(id: Int, price: Int)
    case setSold(id: Int, isSold: Bool)
    case setColor(id: Int, color: String)
    case pay(card: Secret)
    case weigh(grams: Double)
    case tag([String])
    case sort(key: String)
    case close(at: Date)
    case end
    case greet
  }

  static let name = "shop"
  static let help = "A shop."
  static let initial = State()
  static let fields: [Field<Shop>] = [
    .list(
      "items", \.items, .set(\.price) { .setPrice(id: $0, price: $1) },
      .set(\.isSold) { .setSold(id: $0, isSold: $1) }),
    .value("query", \.query) { .set(query: $0) }, .value("limit", \.limit) { .setLimit($0) },
    .request(order),
  ]

  static let order = Request<Shop, String?, [String]>(
    "order", ask: { [$0.question ?? "tea"] }, done: { _, _ in })

  static func reduce(_ state: inout State, _ action: Action) throws {
    if case .insert(let item) = action { try state.items.append(item) }
  }

  static func call(repeating action: Action, showing secret: (Secret) -> String) -> String? {
    action == .greet ? "shop.say(\"hello\") --> hello" : nil
  }

  static func describe(_ module: FeatureModule<Shop>) {
    module.function("add", "name", help: "Adds.", example: "shop.add('x')") { (_: String) in }
    module.function("insert", "price", "name", help: "Adds.", example: "shop.insert(1, 'x')") {
      (_: Int, _: String) in
    }
    module.function("move", "to", "id", "note", help: "Moves.", example: "shop.move(1, 2)") {
      (_: Int, _: Int, _: String?) in
    }
    module.function("swap", "a", "b", help: "Swaps.", example: "shop.swap(1, 2)") {
      (_: Int, _: Int) in
    }
    module.function("count", "n", help: "Counts.", example: "shop.count(1)") { (_: Int) in }
    module.function("sort", "field", "order", help: "Sorts.", example: "shop.sort()") {
      (_: String?, _: String?) in
    }
    module.function("set_color", "name", "shade", help: "Sets.", example: "shop.set_color()") {
      (_: String, _: String) in
    }
    module.request(order, "what") { (what: String?) in what }
  }
}

extension StoreAction {
  fileprivate static func shop(_ action: Shop.Action) -> StoreAction {
    StoreAction(.feature(FeatureAction<Shop>(action), at: nil))
  }
}

@Suite("The text of an action")
struct ActionTextTests {
  private let state: LuaState
  private let app: ScriptedApp

  init() throws {
    state = try LuaState()
    app = try ScriptedApp(
      in: state, store: Store(features: [Shop.self]), modules: [ScriptModule(Shop.self)])
  }

  private var texts: ActionTexts { app.texts }

  private func text(_ action: Shop.Action) -> String { texts.text(of: .shop(action)) }

  @Test("is a call of the function of its name, with the values in the order of the parameters")
  func functions() {
    #expect(text(.move(id: 1, to: 2, note: "up")) == #"shop.move(2, 1, "up")"#)
    #expect(text(.swap(3, 4)) == "shop.swap(3, 4)")
  }

  @Test("takes an unlabelled record apart, and leaves out what the function adds")
  func records() {
    #expect(
      text(.insert(Shop.Item(id: 7, name: "tea", price: 5))) == #"shop.insert(5, "tea")"#)
  }

  @Test("leaves out the id that the function gives a new record")
  func newIDs() { #expect(text(.add(id: 7, name: "tea")) == #"shop.add("tea")"#) }

  @Test("gives an only value to an only parameter, whatever their names")
  func onlyValues() { #expect(text(.count(number: 7)) == "shop.count(7)") }

  @Test("ends with the last value that isn't nil")
  func trailingNils() { #expect(text(.move(id: 1, to: 2, note: nil)) == "shop.move(2, 1)") }

  @Test("is the assignment of a property that the action sets")
  func properties() {
    #expect(text(.set(query: "a \"b\"")) == #"shop.query = "a \"b\"""#)
    #expect(text(.setLimit(.min)) == "shop.limit = math.mininteger")
    #expect(text(.setLimit(nil)) == "shop.limit = nil")
  }

  @Test("is the assignment of a record's field that the action sets")
  func recordFields() {
    #expect(text(.setPrice(id: 7, price: 5)) == "shop.items:get(7).price = 5")
    #expect(text(.setSold(id: 7, isSold: true)) == "shop.items:get(7).is_sold = true")
  }

  @Test("follows from the encoding, if nothing in the module repeats it")
  func encodings() {
    #expect(text(.setColor(id: 7, color: "red")) == #"shop.set_color({color = "red", id = 7})"#)
    #expect(text(.sort(key: "name")) == #"shop.sort("name")"#)
    #expect(text(.weigh(grams: .infinity)) == #"shop.weigh("inf")"#)
    #expect(text(.tag(["a", "b"])) == #"shop.tag({"a", "b"})"#)
    #expect(ActionTexts().text(of: .shop(.swap(3, 4))) == "shop.swap(3, 4)")
  }

  @Test("has dates as Lua has them, in seconds since 1970")
  func dates() {
    #expect(text(.close(at: Date(timeIntervalSince1970: 86_400))) == "shop.close(86400)")
  }

  @Test("shows bullets for secrets, or the given texts")
  func secrets() {
    let action = StoreAction.shop(.pay(card: Secret("12345")))
    #expect(texts.text(of: action) == #"shop.pay("•••••")"#)
    #expect(texts.text(of: action) { _ in "secret 1" } == #"shop.pay("secret 1")"#)
  }

  @Test("can be the feature's own")
  func own() { #expect(text(.greet) == #"shop.say("hello") --> hello"#) }

  @Test("is always code that Lua can load")
  func loadable() throws {
    let actions: [Shop.Action] = [
      .add(id: 1, name: "\n"), .insert(Shop.Item(id: 7, name: "]]")), .setLimit(nil),
      .setPrice(id: .min, price: 5), .setColor(id: 7, color: "--"), .weigh(grams: .nan),
      .weigh(grams: 1e300), .tag([]), .end, .greet,
    ]
    for action in actions {
      #expect(throws: Never.self, "\(text(action))") {
        try state.load(text(action), name: .text("action"))
      }
    }
    #expect(text(.end) == #"shop["end"]()"#)
  }

  @Test("of a record's field is one that repeats the action")
  func repeated() async throws {
    try app.store.send(.insert(Shop.Item(id: 7, name: "tea")), to: Shop.self)
    let code = text(.setPrice(id: 7, price: 5))
    _ = try await state.run(state.load(code, name: .text("action")))
    let last = try #require(app.store.history(last: 1).first)
    #expect(last.recorded.action == .shop(.setPrice(id: 7, price: 5)))
    #expect(app.texts.text(of: last.recorded.action) == code)
  }

  @Test("of a request is the call that asks, with the answer or the failure after an arrow")
  func requests() async throws {
    _ = try await state.run(state.load("shop.order() shop.order('milk')", name: .text("test")))
    #expect(
      try app.store.history().map { texts.text(of: $0.recorded.action) } == [
        "shop.order()", "shop.order() --> 1 item", #"shop.order("milk")"#,
        "shop.order() --> 1 item",
      ])
  }

  @Test(
    "of an unknown feature follows from its encoding, without the kit's own values",
    arguments: [
      (["a b": .integer(1)], "old.do_it(1)"),
      (["name": .text("pen"), "#ids": .list([.integer(1)])], #"old.do_it("pen")"#),
      (["#ids": .list([.integer(1)]), "#version": .integer(2)], "old.do_it()"),
      (["_0": .integer(1), "_1": .integer(2), "#version": .integer(2)], "old.do_it(1, 2)"),
    ] as [([String: JSONValue], String)])
  func unknownFeatures(values: [String: JSONValue], text: String) {
    let action = StoreAction(
      .feature(UnknownAction(.object(["doIt": .object(values)]), of: "old"), at: nil))
    #expect(texts.text(of: action) == text)
  }
}
