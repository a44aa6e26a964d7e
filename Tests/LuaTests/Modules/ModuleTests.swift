import Lua
import Testing

@MainActor
@Suite("Modules")
struct ModuleTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    var count = 0
    let host = fixture.host
    host.property("count", get: { count }, set: { count = $0 })
    host.property("double") { count * 2 }
    host.property("many") { LuaVariadic([1, 2, 3]) }
    host.property("none") { LuaVariadic([]) }
    host.function("reset") { count = 0 }
    let words = Words("a", "b", "c")
    let list = LuaModule("list", help: "Words.")
    list.sequence(count: { words.words.count }, element: { words.words[$0] })
    try fixture.install()
    try fixture.state.setGlobal("list", to: list)
  }

  @Test("a property is read and assigned like a field")
  func properties() throws {
    #expect(try fixture.call("host.count = 5 return host.count, host.double") == [5, 10])
    #expect(try fixture.call("host.reset() return host.count") == [0])
  }

  @Test("assigning the wrong type names the property, and the expected and actual type")
  func wrongType() throws {
    let error = try fixture.failure("host.count = 'x'")
    #expect(error.is(.badArgument))
    #expect(error.message == "bad value for 'host.count' (integer expected, got string)")
    #expect(error.location == "test:1")
  }

  @Test("can have many members, each of which is added in constant time", .timeLimit(.minutes(1)))
  func many() throws {
    let large = LuaModule("large")
    for index in 0..<100_000 { large.property("p\(index)") { index } }
    try fixture.state.setGlobal("large", to: large)
    #expect(try fixture.call("return large.p0, large.p99999") == [0, 99_999])
  }

  @Test("names of parameters, help and examples can be left out")
  func undescribed() throws {
    let bare = LuaModule("bare")
    bare.function("add") { (a: Int, b: Int) in a &+ b }
    bare.function("first") { (table: LuaTable) in try table.get(1, as: LuaValue.self) }
    bare.property("answer") { 42 }
    try fixture.state.setGlobal("bare", to: bare)
    #expect(try fixture.call("return bare.add(1, 2), bare.answer, bare.first({7})") == [3, 42, 7])
    #expect(
      bare.documentation.map(\.signature).first == "add(arg1: integer, arg2: integer): integer")
    bare.function("scale", "n") { (n: Int, by: Int) in n * by }
    #expect(
      bare.documentation.map(\.signature).last == "scale(n: integer, arg2: integer): integer")
    #expect(
      try fixture.failure("bare.add(1, 'x')").message
        == "bad argument #2 to 'bare.add' (arg2: integer expected, got string)")
  }

  @Test("a property that can only be read, and a function, can't be assigned")
  func readOnly() throws {
    let property = try fixture.failure("host.double = 1")
    #expect(property.is(.readOnlyField))
    #expect(property.message == "host.double is read-only and can't be assigned")
    let function = try fixture.failure("host.reset = print")
    #expect(function.is(.readOnlyField))
    #expect(function.message == "host.reset is a function and can't be assigned")
  }

  @Test(
    "a field that doesn't exist can't be read or assigned, and the nearest name is offered",
    arguments: ["return host.coumt", "host.coumt = 1", "host.coumt()"])
  func unknownField(source: String) throws {
    let error = try fixture.failure(source)
    #expect(error.is(.unknownField))
    #expect(
      error.message
        == "host has no field 'coumt'; did you mean 'count'? "
        + "It has: count, double, many, none, reset")
  }

  @Test("a field far from every name gets no offer")
  func nothingNear() throws {
    #expect(
      try fixture.failure("return host.xyzzy").message
        == "host has no field 'xyzzy'. It has: count, double, many, none, reset")
    #expect(
      try fixture.failure("return host[('k'):rep(10000000)]").message
        == "host has no field '\(String(repeating: "k", count: 60))\u{2026}'. "
        + "It has: count, double, many, none, reset")
  }

  @Test("a field whose name isn't a string doesn't exist", arguments: ["1", "true", "{}", "1.5"])
  func oddKeys(key: String) throws {
    #expect(try fixture.failure("return host[\(key)]").is(.unknownField))
    #expect(try fixture.failure("host[\(key)] = 1").is(.unknownField))
  }

  @Test("pairs gives every member with its value, but for those that are nil")
  func pairs() throws {
    let values = try fixture.call(
      """
      host.count = 4
      local names = {}
      for name, value in pairs(host) do names[#names + 1] = name .. ':' .. type(value) end
      table.sort(names)
      return table.concat(names, ' ')
      """)
    #expect(values == ["count:number double:number many:number reset:function"])
  }

  @Test("pairs works even where the script has taken the global next away")
  func pairsWithoutNext() throws {
    let values = try fixture.call(
      """
      next = nil
      setmetatable(_G, {__index = function(_, name) error('undefined ' .. name) end})
      local n = 0
      for _ in pairs(host) do n = n + 1 end
      return n
      """)
    #expect(values == [4])
    #expect(try fixture.stackCount == 0)
  }

  @Test("a property has exactly one value")
  func oneValue() throws {
    #expect(try fixture.call("return host.many") == [1])
    #expect(try fixture.call("local value = host.none return value") == [.nil])
  }

  @Test("a sequence has a length, elements, and nil outside them")
  func sequence() throws {
    #expect(try fixture.call("return #list, list[1], list[3]") == [3, "a", "c"])
    #expect(
      try fixture.call("return list[0], list[4], list[-1], list[1.5], list[math.maxinteger]")
        == [.nil, .nil, .nil, .nil, .nil])
  }

  @Test("ipairs and pairs go through a sequence in order", arguments: ["ipairs", "pairs"])
  func iteration(iterator: String) throws {
    let values = try fixture.call(
      """
      local seen = {}
      for i, word in \(iterator)(list) do seen[#seen + 1] = i .. word end
      return table.concat(seen, ' ')
      """)
    #expect(values == ["1a 2b 3c"])
  }

  @Test("a sequence's elements can't be assigned")
  func elementsAreReadOnly() throws {
    let error = try fixture.failure("list[1] = 'x'")
    #expect(error.is(.readOnlyField))
    #expect(error.message == "the elements of list can't be assigned")
  }

  @Test("an error in a property's getter reaches the script")
  func failingGetter() throws {
    fixture.host.property("broken") { () throws -> Int in
      throw LuaError(.cancelled, "no value today")
    }
    try fixture.install()
    #expect(try fixture.failure("return host.broken").message == "no value today")
    #expect(try fixture.failure("for _ in pairs(host) do end").message == "no value today")
    #expect(try fixture.stackCount == 0)
  }
}
