import Lua

// The types of the guide's code blocks: each block is what stands between two markers here or in GuideTests.

// guide: an object
final class Wallet: LuaExposed {
  private(set) var balance = 0

  static let luaTypeName = "wallet"

  static func describe(_ members: LuaClass<Wallet>) {
    members.property("balance", \.balance, help: "The balance.", example: "wallet.balance")
    members.method("deposit", "amount", help: "Adds to it.", example: "wallet:deposit(5)") {
      (wallet, amount: Int) in
      let (balance, overflow) = wallet.balance.addingReportingOverflow(amount)
      guard amount > 0, !overflow else { throw LuaError(.badArgument, "no such amount") }
      wallet.balance = balance
    }
    members.method("withdraw", "amount", help: "Takes from it.", example: "wallet:withdraw(5)") {
      (wallet, amount: Int) in
      guard amount > 0 else { throw LuaError(.badArgument, "no such amount") }
      guard amount <= wallet.balance else { throw Overdrawn(missing: amount - wallet.balance) }
      wallet.balance -= amount
    }
  }
}

struct Overdrawn: Error {
  let missing: Int
}
// guide end

// guide: a type of one's own
struct Percentage: LuaReadable, LuaPushable {
  var value: Int

  static let luaTypeName = "percentage"

  static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Percentage {
    let value = try Int.read(from: stack, at: index)
    guard (0...100).contains(value) else {
      throw LuaTypeMismatch(expected: "a percentage", got: "\(value)")
    }
    return Percentage(value: value)
  }

  func push(to stack: LuaStack) throws(LuaError) { stack.push(value) }
}
// guide end

// guide: a code
extension LuaError.Code {
  static let overdrawn: Self = "overdrawn"
}
// guide end

// guide: a value
struct Money: LuaExposedValue, Equatable {
  var cents: Int

  static let luaTypeName = "money"

  static func describe(_ members: LuaClass<LuaBox<Money>>) {
    members.property("cents", \.value.cents, help: "In cents.", example: "m.cents = 50")
    members.operator(.add) { (left: Money, right: Money) in
      try Money(left.cents.addingReportingOverflow(right.cents))
    }
    members.operator(.multiply) { (left: Money, right: Int) in
      try Money(left.cents.multipliedReportingOverflow(by: right))
    }
    members.operator(.equal) { (left: Money, right: Money) in left == right }
  }

  static func describeStatics(_ module: LuaModule) {
    module.callable("cents", help: "An amount.", example: "Money(150)") { (cents: Int) in
      Money(cents: cents)
    }
  }

  private init(_ result: (partialValue: Int, overflow: Bool)) throws(LuaError) {
    guard !result.overflow else { throw LuaError(.numberOutOfRange, "too much money") }
    cents = result.partialValue
  }

  init(cents: Int) { self.cents = cents }
}
// guide end

// guide: a class and its subclass
class Vehicle: LuaExposed {
  class var luaTypeName: String { "vehicle" }

  var speed = 50.0

  class func describe(_ members: LuaClass<Vehicle>) {
    members.property("speed", \.speed, help: "In km/h.", example: "vehicle.speed = 30")
  }
}

final class Truck: Vehicle {
  override class var luaTypeName: String { "truck" }

  private var load = 0

  override class func describe(_ members: LuaClass<Vehicle>) {
    super.describe(members)
    members.refine(Truck.self) { truck in
      truck.method("add", "weight", help: "Loads it.", example: "truck:add(100)") {
        (truck, weight: Int) -> Int in
        let (load, overflow) = truck.load.addingReportingOverflow(weight)
        guard weight > 0, !overflow else { throw LuaError(.badArgument, "no such weight") }
        truck.load = load
        return load
      }
    }
  }
}
// guide end

// guide: a list
final class Playlist: LuaExposed {
  private var songs: [String] = []

  static let luaTypeName = "playlist"

  static func describe(_ members: LuaClass<Playlist>) {
    members.sequence(
      count: { $0.songs.count }, element: { $0.songs[$1] }, set: { $0.songs[$1] = $2 },
      append: { $0.songs.append($1) }, removeLast: { $0.songs.removeLast() })
  }
}
// guide end

// guide: a Codable type
struct Order: LuaCodable {
  struct Item: Codable {
    var name: String
    var count: Int
  }

  var customer: String
  var items: [Item]
}
// guide end

// guide: options
struct SearchOptions: LuaOptions {
  enum Order: String, CaseIterable, LuaCodable {
    case newest, cheapest
  }

  var text = ""
  var order = Order.newest
  var limit: Int?

  static let options: [LuaOption<SearchOptions>] = [
    .required("text", \.text, help: "The text to find."),
    .option("order", \.order), .option("limit", \.limit, help: "The maximum number."),
  ]
}
// guide end

// guide: an object that holds a function
final class Button: LuaExposed {
  var onClick: LuaFunction?

  static let luaTypeName = "button"

  static func describe(_ members: LuaClass<Button>) {
    members.property("onClick", \.onClick, help: "Its handler.", example: "button.onClick = f")
  }
}
// guide end

// guide: an actor with a state
actor Engine {
  private let state: LuaState

  init() throws { state = try LuaState() }

  func load(_ path: String) async throws -> String {
    try await state.run(state.load("return 'loaded ' .. ..."), [path], as: String.self)
  }
}
// guide end

// guide: a class that stays on its caller's actor
final class Player {
  private let state: LuaState

  init() throws { state = try LuaState() }

  nonisolated(nonsending) func play(_ song: String) async throws -> String {
    try await state.run(state.load("return 'playing ' .. ..."), [song], as: String.self)
  }
}
// guide end
