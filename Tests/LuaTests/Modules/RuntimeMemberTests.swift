import Testing

@testable import Lua

/// An object of a class that is made in a test.
private final class Thing: LuaDynamicObject {
  let luaClass: LuaObjectClass
  var count = 0

  init(_ luaClass: LuaObjectClass) { self.luaClass = luaClass }

  static var luaTypeName: String { "thing" }
}

@MainActor
@Suite("Members that are known at run time")
struct RuntimeMemberTests {
  let fixture: Fixture

  /// A class with a member of each kind.
  private func makeClass(
    _ name: String, adding amount: Int, collected: @escaping (String) -> Void = { _ in }
  ) -> LuaObjectClass {
    LuaObjectClass(name, of: Thing.self) { members in
      let count = LuaMember(
        property: "count", type: Int.luaType, isWritable: true,
        help: "The count.", example: "\(name).count")
      members.property(count, get: { $0.count }) { thing, stack in
        thing.count = try stack.assignedValue(to: "\(name).count")
      }
      let add = LuaMember(
        function: "add", parameters: [LuaParameter(name: "n", type: Int.luaType)],
        types: [Int.luaType],
        help: "Adds.", example: "\(name):add(1)")
      members.method(add) { thing, arguments in
        thing.count += try arguments.read(1) + amount
        arguments.stack.push(thing.count)
        return 1
      }
      let later = LuaMember(
        function: "later", parameters: [], types: [Int.luaType], waits: true, help: "Waits.",
        example: "\(name):later()")
      members.asyncMethod(later) { thing, _ in
        { () async -> any LuaPushable in
          await Task.yield()
          return thing.count
        }
      }
      members.method("typed") { $0.count }
      members.text { "\(name) \($0.count)" }
      members.sequence(count: { $0.count }, element: { $1 * $0.count })
      members.dynamicFields { thing, field in field == "other" ? thing.count : nil }
      members.collected { _ in collected(name) }
    }
  }

  init() throws {
    fixture = try Fixture()
    for (name, amount) in [("cart", 0), ("item", 100)] {
      let thing = Thing(makeClass(name, adding: amount))
      fixture.host.property(name) { thing }
    }
  }

  @Test("objects of one Swift type have the members of their own classes")
  func classes() async throws {
    try fixture.install()
    #expect(try fixture.call("return host.cart:add(1), host.item:add(1)") == [1, 101])
    #expect(try fixture.call("return host.cart.count, host.item.count") == [1, 101])
    #expect(try fixture.call("host.cart.count = 7 return #host.cart, host.cart[2]") == [7, 7])
    #expect(
      try fixture.call("return tostring(host.cart), 'a ' .. host.item") == ["cart 7", "a item 101"])
    #expect(
      try fixture.call("return host.cart == host.cart, host.cart == host.item") == [true, false])
    #expect(try fixture.call("return host.cart.other, host.item:typed()") == [7, 101])
    #expect(try await fixture.run("return host.cart:later()") == [7])
  }

  @Test(
    "a member refuses an object of another class",
    arguments: [
      ("host.cart.add(host.item, 1)", "cart:add", "item"),
      ("host.cart.typed(host.item)", "cart:typed", "item"),
      ("host.cart.later(host.item)", "cart:later", "item"),
      ("host.cart.add(1)", "cart:add", "number"),
      ("m(host.cart).__index(host.item, 'count')", "cart.count", "item"),
      ("m(host.cart).__newindex(host.item, 'count', 1)", "cart.count", "item"),
      ("m(host.cart).__index(host.item, 1)", "cart", "item"),
      ("m(host.cart).__index(host.item, 'other')", "cart", "item"),
      ("m(host.cart).__newindex(host.item, 1, 1)", "cart", "item"),
      ("m(host.cart).__tostring(host.item)", "cart", "item"),
      ("m(host.cart).__len(host.item)", "cart", "item"),
      ("m(host.cart).__pairs(host.item)", "cart", "item"),
      ("pairs(host.cart)(host.item, 0)", "cart", "item"),
    ])
  func otherClass(call: String, name: String, got: String) throws {
    try fixture.install()
    let error = try fixture.failure("m = debug.getmetatable; \(call)")
    let message = "bad object for '\(name)' (cart expected, got \(got))"
    #expect(error.message.hasPrefix(message))
    #expect(error.is(.badArgument))
  }

  @Test("arguments are read at run time, with the usual messages")
  func arguments() async throws {
    let parameters = [
      LuaParameter(name: "id", type: Int.luaType), LuaParameter(name: "by", type: Int?.luaType),
    ]
    let add = LuaMember(
      function: "add", parameters: parameters, types: [Int.luaType], help: "Adds.",
      example: "host.add(1)")
    fixture.host.function(add) { arguments in
      let by = try arguments.read(2, as: Int?.self)
      arguments.stack.push(try arguments.read(1) + (by ?? 1))
      arguments.stack.push(arguments.count)
      return 2
    }
    let clear = LuaMember(
      function: "clear", parameters: [], types: [], help: "Clears.", example: "host.clear()")
    fixture.host.function(clear) { _ in 0 }
    let later = LuaMember(
      function: "later", parameters: parameters, types: [.variadic], waits: true, help: "Waits.",
      example: "host.later(1)")
    fixture.host.asyncFunction(later) { arguments in
      let id: Int = try arguments.read(1)
      return { () async -> any LuaPushable in
        await Task.yield()
        return LuaVariadic([.integer(Int64(id)), 2])
      }
    }
    try fixture.install()
    #expect(try fixture.call("return host.add(1)") == [2, 1])
    #expect(try fixture.call("return host.add(1, 2)") == [3, 2])
    #expect(try fixture.call("return host.clear()") == [])
    #expect(try await fixture.run("return host.later(1)") == [1, 2])
    #expect(
      try fixture.failure("host.add('x')").message
        == "bad argument #1 to 'host.add' (id: integer expected, got string)")
    #expect(
      try fixture.failure("host:add(1)").message.hasSuffix(
        "call it with a dot, not a colon: host.add(...)"))
    #expect(try fixture.failure("host:clear()").message.contains("call it with a dot"))
    #expect(
      try fixture.failure("host.cart:add('x')").message
        == "bad argument #1 to 'cart:add' (n: integer expected, got string)")
    #expect(
      fixture.host.documentation.contains {
        $0.signature == "add(id: integer, [by: integer]): integer"
      })
  }

  @Test("a function written in Lua is a member as it is")
  func luaFunction() throws {
    try fixture.call("function double(n) return 2 * n end")
    let double: LuaFunction = try fixture.state.global("double")
    let member = LuaMember(
      function: "double", parameters: [LuaParameter(name: "n", type: Int.luaType)],
      types: [Int.luaType], help: "Doubles.", example: "host.double(1)")
    fixture.host.function(member, double)
    try fixture.install()
    #expect(try fixture.call("return host.double == double, host.double(4)") == [true, 8])
    #expect(try fixture.failure("host.double = 1").is(.readOnlyField))
    #expect(
      try fixture.call(
        "for k, v in pairs(host) do if k == 'double' then return v == double end end") == [true])
    let other = try Fixture()
    try other.state.setGlobal("host", to: fixture.host)
    #expect(try other.failure("host.double(1)").is(.foreignValue))
  }

  @Test(
    "a class lives as long as the state that had its objects, and knows when they are collected")
  func lifetime() throws {
    var collected: [String] = []
    weak var cart: LuaObjectClass?
    do {
      let fixture = try Fixture()
      let names = ["cart", "item"]
      let classes = names.map { makeClass($0, adding: 0) { collected.append($0) } }
      cart = classes.first
      for objectClass in classes { try fixture.state.setGlobal("x", to: Thing(objectClass)) }
      try fixture.call("x = nil")
      try fixture.state.collectGarbage()
      #expect(collected.sorted() == names)
    }
    #expect(cart == nil)
    #expect(try fixture.stackCount == 0)
  }
}
