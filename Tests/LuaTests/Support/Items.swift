import Lua

/// A class exposed to Lua as a sequence of Codable elements that scripts can change.
final class Items: LuaExposed {
  struct Item: LuaCodable, Equatable {
    var a: Int
  }

  var items: [Item]

  private let token: LifeCounter.Token

  init(_ numbers: Int..., of counter: LifeCounter = LifeCounter()) {
    items = numbers.map(Item.init)
    token = counter.token()
  }

  static var luaTypeName: String { "items" }

  static func describe(_ members: LuaClass<Items>) {
    members.sequence(
      count: { $0.items.count }, element: { $0.items[$1] }, set: { $0.items[$1] = $2 },
      append: { $0.items.append($1) }, removeLast: { $0.items.removeLast() })
  }
}
