import Lua
import Scripting
import StateStore

/// A feature whose list is the module itself for scripts, and has another path in the state.
enum Cart: Feature {
  struct Item: Record, FieldRecord {
    let id: Int
    let text: String
    var quantity = 1

    static let fields: [RecordField<Item>] = [
      .constant("id", \.id), .constant("text", \.text), .field("quantity", \.quantity),
    ]
  }

  struct State: Codable, Equatable, Sendable {
    var items = RecordList<Item>()
    var note = ""
    var problem: String?
  }

  enum Action: Codable, Equatable, Sendable {
    case add(Item)
    case setQuantity(id: Int, quantity: Int)
    case remove(id: Int)
    case setNote(String)
    case fail(String)
  }

  static let name = "cart"
  static var initial: State { State() }
  static let fields: [Field<Cart>] = [
    .list("all", \.items), .value("note", \.note), .value("problem", \.problem),
  ]

  static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let item):
      try state.items.append(item)
    case .setQuantity(let id, let quantity):
      guard state.items.update(id: id, { $0.quantity = quantity }) else {
        throw CartError.notFound
      }
    case .remove(let id):
      guard state.items.remove(id: id) != nil else { throw CartError.notFound }
    case .setNote(let text): state.note = text
    case .fail(let reason): state.problem = reason
    }
  }
}

typealias CartError = PlainError<Cart>

extension CartError {
  static var notFound: Self { Self("not_found", "The cart has no such item.") }
  static var refused: Self { Self("refused", "The order was refused.") }
}

extension Cart: ScriptableFeature {
  static let help = "A cart."

  static func describe(_ module: FeatureModule<Cart>) {
    module.sequence(
      of: module.records(
        \.items, missing: { _ in CartError.notFound },
        assigning: .assign(\.quantity) { .setQuantity(id: $0, quantity: $1) }))
    module.function("add", "text", help: "Adds an item.", example: "cart.add(\"tea\")") {
      (text: String) in
      _ = try module.sendWithNewID { .add(Item(id: $0, text: text)) }
    }
    module.function(
      "change", "id", "quantity", help: "Sets a quantity.", example: "cart.change(1, 2)"
    ) { (id: Int, quantity: Int) in try module.send(.setQuantity(id: id, quantity: quantity)) }
    module.function("remove", "id", help: "Removes an item.", example: "cart.remove(1)") {
      (id: Int) in try module.send(.remove(id: id))
    }
    module.property(
      "note", help: "A note; assignable.", example: "cart.note = \"soon\"",
      get: { module.state.note }, set: { try module.send(.setNote($0)) })
    module.property("problem", help: "Why the last order failed.", example: "print(cart.problem)") {
      module.state.problem
    }
    module.function("order", help: "Orders, and is refused.", example: "cart.order()") { () in
      try module.send(.fail("refused"))
      throw CartError.refused
    }
  }
}

extension Cart.Item: ScriptableRecord {
  static let luaTypeName = "cart item"
  static let luaListName = "cart"

  var luaText: String { text }
}

/// The services of an app that has nothing but the cart, and no files.
struct CartServices: ScriptServices {
  var identifiers: any IdentifierSource = SequentialIdentifiers()
  var clock: any Clock<Duration>
  var stubs: any ServiceStubs

  func checkWaiting() {}

  func export(_ text: String, to path: String) throws { throw CartError.refused }

  func importStates(
    of schema: Schema, from path: String
  ) async throws -> (states: States, source: String?) { throw CartError.refused }
}
