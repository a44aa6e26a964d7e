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
  enum ErrorCode: String, FeatureErrorCode { case notFound, refused }
  static let fields: [Field<Cart>] = [
    .list(
      "all", \.items, missing: { _ in CartError.notFound },
      .set(\.quantity) { .setQuantity(id: $0, quantity: $1) }),
    .value("note", \.note, help: "A note; assignable.") { .setNote($0) },
    .value("problem", \.problem, help: "Why the last order failed."),
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

typealias CartError = FeatureError<Cart>

extension CartError {
  static var notFound: Self { Self(.notFound, "The cart has no such item.") }
  static var refused: Self { Self(.refused, "The order was refused.") }
}

extension Cart: ScriptableFeature {
  static let help = "A cart."

  static func describe(_ module: FeatureModule<Cart>) {
    let items = module.records(\.items)
    module.sequence(count: { module.state.items.count }) { items[module.state.items[$0].id] }
    module.function("add", "text", help: "Adds an item.", example: "cart.add(\"tea\")") {
      (text: String) in
      _ = try module.add(to: items) { .add(Item(id: $0, text: text)) }
    }
    module.action(
      "change", "id", "quantity", help: "Sets a quantity.", example: "cart.change(1, 2)"
    ) { (id: Int, quantity: Int) in .setQuantity(id: id, quantity: quantity) }
    module.action("remove", "id", help: "Removes an item.", example: "cart.remove(1)") {
      (id: Int) in .remove(id: id)
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
