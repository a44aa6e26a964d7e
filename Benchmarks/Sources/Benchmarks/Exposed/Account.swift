internal import Lua

/// A class with properties and methods, as `account` in Objects.c.
final class Account: LuaExposed {
  private var balance = 0

  static var luaTypeName: String { "account" }

  static func describe(_ members: LuaClass<Account>) {
    members.property("owner", help: "Whose it is.", example: "account.owner") { _ in "nobody" }
    members.property("is_empty", help: "Whether there is nothing.", example: "account.is_empty") {
      $0.balance == 0
    }
    members.property(
      "balance", help: "What there is.", example: "account.balance = 1",
      get: { $0.balance }, set: { $0.balance = $1 })
    members.method(
      "deposit", "amount", help: "Adds to the balance.", example: "account:deposit(1)"
    ) { (account: Account, amount: Int) in account.deposit(amount) }
  }

  private func deposit(_ amount: Int) -> Int {
    balance &+= amount
    return balance
  }
}
