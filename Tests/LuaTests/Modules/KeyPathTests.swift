import Lua
import Testing

@MainActor
@Suite("Properties by key path")
struct KeyPathTests {
  let fixture: Fixture
  private let account = Account()

  init() throws {
    fixture = try Fixture()
    try fixture.state.setGlobal("account", to: account)
    try fixture.install()
  }

  @Test("a variable is read and assigned")
  func writable() throws {
    #expect(try fixture.call("account.balance = 5 return account.balance") == [5])
    #expect(account.balance == 5)
  }

  @Test("a constant and a computed property are read only")
  func readOnly() throws {
    #expect(try fixture.call("return account.owner, account.is_empty") == ["ann", true])
    #expect(try fixture.failure("account.owner = 'bob'").is(.readOnlyField))
    #expect(try fixture.failure("account.is_empty = false").is(.readOnlyField))
  }

  @Test("a path can lead through other properties")
  func nested() throws {
    #expect(try fixture.call("account.street = 'new' return account.street") == ["new"])
    #expect(account.address.street == "new")
  }

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
