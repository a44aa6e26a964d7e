import Lua
import Testing
import TestSupport

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
    let broken = LuaModule("broken")
    broken.property("x") { () throws -> Int in throw LuaError(.cancelled, "no value today") }
    try fixture.state.setGlobal("broken", to: broken)
    try fixture.install()
    try fixture.state.setGlobal("list", to: list)
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- a property is read and assigned like a field
      host.count = 5 return host.count, host.double --> 5 10
      host.count = 5 host.reset() return host.count --> 0
      -- assigning the wrong type names the property, and the expected and actual type
      host.count = 'x' --> bad_argument: bad value for 'host.count' (integer expected, got string)
      -- a property that can only be read, and a function, can't be assigned
      host.double = 1 --> read_only_field: host.double is read-only and can't be assigned
      host.reset = print --> read_only_field: host.reset is a function and can't be assigned
      -- a field that doesn't exist can't be read or assigned, and the nearest name is offered
      return host.coumt
      --> unknown_field: host has no field 'coumt'; did you mean 'count'? It has: count, double,
      --> many, none, reset
      host.coumt = 1 --> unknown_field: host has no field 'coumt'; did you mean 'count'?…
      host.coumt() --> unknown_field: host has no field 'coumt'; did you mean 'count'?…
      -- a field far from every name gets no offer
      return host.xyzzy
      --> unknown_field: host has no field 'xyzzy'. It has: count, double, many, none, reset
      return host[('k'):rep(10000000)]
      --> unknown_field: host has no field '\(String(repeating: "k", count: 60))\u{2026}'. It has:
      --> count, double, many, none, reset
      -- a field whose name isn't a string doesn't exist
      return host[1] --> unknown_field: …
      return host[true] --> unknown_field: …
      host[{}] = 1 --> unknown_field: …
      host[1.5] = 1 --> unknown_field: …
      -- pairs gives every member with its value, but for those that are nil
      host.count = 4
      local names = {}
      for name, value in pairs(host) do names[#names + 1] = name .. ':' .. type(value) end
      table.sort(names)
      return table.concat(names, ' ') --> count:number double:number many:number reset:function
      -- pairs works even where the script has taken the global next away
      next = nil
      setmetatable(_G, {__index = function(_, name) error('undefined ' .. name) end})
      local n = 0
      for _ in pairs(host) do n = n + 1 end
      return n --> 4
      -- a property has exactly one value
      return host.many --> 1
      local value = host.none return value --> nil
      -- an error in a property's getter reaches the script
      return broken.x --> cancelled: no value today
      for _ in pairs(broken) do end --> cancelled: no value today
      -- a sequence has a length, elements, and nil outside them
      return #list, list[1], list[3] --> 3 a c
      return list[0], list[4], list[-1], list[1.5], list[math.maxinteger] --> nil nil nil nil nil
      -- ipairs and pairs go through a sequence in order
      local seen = {}
      for i, word in ipairs(list) do seen[#seen + 1] = i .. word end
      return table.concat(seen, ' ') --> 1a 2b 3c
      local seen = {}
      for i, word in pairs(list) do seen[#seen + 1] = i .. word end
      return table.concat(seen, ' ') --> 1a 2b 3c
      -- a sequence's elements can't be assigned
      list[1] = 'x' --> read_only_field: the elements of list can't be assigned
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

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
}
