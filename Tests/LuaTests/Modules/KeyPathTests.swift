import Lua
import Testing
import TestSupport

@MainActor
@Suite("Properties by key path")
struct KeyPathTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    try fixture.state.setGlobal("account", to: Account())
    try fixture.install()
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- a variable is read and assigned
      account.balance = 5 return account.balance, account.is_empty --> 5 false
      -- a constant and a computed property are read only
      return account.owner, account.is_empty --> ann true
      account.owner = 'bob' --> read_only_field: …
      account.is_empty = false --> read_only_field: …
      -- a path can lead through other properties
      account.street = 'new' return account.street --> new
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test("documentation says which can be assigned")
  func documentation() {
    let writable = Account.luaMembers.filter { $0.kind == .property(isWritable: true) }
    #expect(writable.map(\.name) == ["balance", "street"])
    #expect(Account.luaMembers.first?.signature == "owner: string")
  }
}

private final class Account: LuaExposed {
  struct Address {
    var street = "old"
  }

  let owner = "ann"
  var balance = 0
  var address = Address()
  var isEmpty: Bool { balance == 0 }

  static var luaTypeName: String { "account" }

  static func describe(_ members: LuaClass<Account>) {
    members.property("owner", \.owner)
    members.property("balance", \.balance)
    members.property("is_empty", \.isEmpty)
    members.property("street", \.address.street)
  }
}
