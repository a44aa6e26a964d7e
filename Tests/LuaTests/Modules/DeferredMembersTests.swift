import Testing

@testable import Lua

@MainActor
@Suite("A module that is described when it is first used")
struct DeferredMembersTests {
  private let fixture: Fixture
  private let descriptions = Descriptions()

  /// Counts how often modules are described.
  private final class Descriptions {
    var count = 0
  }

  init() throws {
    fixture = try Fixture()
    try fixture.install()
    let descriptions = descriptions
    try fixture.state.setGlobal("late", to: LuaModule("late") { Self.module("late", descriptions) })
    try fixture.state.setGlobal("list", to: LuaModule("list") { Self.list("list", descriptions) })
    try fixture.state.setGlobal("early", to: Self.module("early", Descriptions()))
    try fixture.state.setGlobal("sequence", to: Self.list("sequence", Descriptions()))
  }

  private static func module(_ name: String, _ descriptions: Descriptions) -> LuaModule {
    descriptions.count += 1
    let module = LuaModule(name, help: "A module.")
    var value = 5
    module.function("double", "n", help: "Doubles.", example: "late.double(2)") { (n: Int) in 2 * n
    }
    module.property(
      "value", help: "A number.", example: "late.value", get: { value }, set: { value = $0 })
    module.property("fixed", help: "A number.", example: "late.fixed") { 1 }
    return module
  }

  private static func list(_ name: String, _ descriptions: Descriptions) -> LuaModule {
    descriptions.count += 1
    let module = LuaModule(name, help: "A list.")
    var elements = [10, 20, 30]
    module.sequence(
      count: { elements.count }, element: { elements[$0] }, set: { elements[$0] = $1 },
      append: { elements.append($0) }, removeLast: { elements.removeLast() })
    module.callable("n", help: "Adds.", example: "list(1)") { (n: Int) in n + elements.count }
    return module
  }

  @Test("isn't described by code that only looks at its table")
  func untouched() throws {
    let results = try fixture.call(
      """
      local alias, found = late, {}
      for name, value in pairs(_G) do if value == late then found[#found + 1] = name end end
      setmetatable(_G, {__index = function(_, name) error(name) end})
      return type(late), rawget(_G, 'late') == alias, found[1], #found, next(late), rawlen(list),
        tostring(late):match('^late: 0x') ~= nil, type(getmetatable(late)),
        pcall(setmetatable, late, {})
      """)
    #expect(
      results == [
        "table", true, "late", 1, .nil, 0, true, "table", false,
        "cannot change a protected metatable",
      ])
    #expect(descriptions.count == 0)
  }

  @Test(
    "is described once by whatever uses it first",
    arguments: [
      ("return late.double(4), late.double(5)", "8 10"),
      ("local f = late.double return f == late.double, f(3)", "true 6"),
      ("return late.value, late.value", "5 5"),
      ("late.value = 7 return late.value", "7"),
      ("local n = 0 for name in pairs(late) do n = n + 1 end return n, late.fixed", "3 1"),
      ("return #list, list[2], list[4]", "3 20 nil"),
      ("return list[3], #list", "30 3"),
      ("local n = 0 for _, x in ipairs(list) do n = n + x end return n", "60"),
      ("local n = 0 for _, x in pairs(list) do n = n + x end return n", "60"),
      ("list[1] = 1 return list[1]", "1"),
      ("table.insert(list, 40) return #list, table.remove(list)", "4 40"),
      ("return list(5), list(6)", "8 9"),
      ("return table.concat(list, ' ')", "10 20 30"),
    ])
  func firstUse(source: String, text: String) throws {
    let results = try fixture.call(
      """
      local results = table.pack((function() \(source) end)())
      for i = 1, results.n do results[i] = tostring(results[i]) end
      return table.concat(results, ' ')
      """)
    #expect(results == [.string(LuaString(text))])
    #expect(descriptions.count == 1)
    #expect(try fixture.stackCount == 0)
  }

  @Test(
    "raises the errors of a module that was described before",
    arguments: [
      "late.missing()", "late.missing = 1", "late.fixed = 2", "late.double = 2", "late.value = 'x'",
      "late[1] = 1", "return late[{}]", "late()", "local l = late; l()", "({late})[1]()",
      "return late + 1", "return late .. 'x'", "return late < late", "late:double(1)",
      "late.double('x')", "list.missing = 1", "list[5] = 1", "list('x')", "list[1] = 'x'",
    ])
  func errors(source: String) throws {
    let early = source.replacing("late", with: "early").replacing("list", with: "sequence")
    let expected = try fixture.failure(early)
    let error = try fixture.failure(source)
    #expect(
      error.message.replacing("late", with: "early").replacing("list", with: "sequence")
        == expected.message)
    #expect(error.code == expected.code)
    #expect(try fixture.stackCount == 0)
  }

  @Test("has no length and isn't called if the described module has neither")
  func absentEvents() throws {
    #expect(try fixture.call("return #late, rawlen(late), late.value") == [0, 0, 5])
    #expect(
      try fixture.call("rawset(late, 1, 'x') return #late, late[1], late.value") == [1, "x", 5])
  }

  @Test("has its members' metatable for tools")
  func tools() throws {
    let table = try fixture.state.global("late", as: LuaTable.self)
    guard case .table(let functions)? = try table.metatable()?.rawGet("__index") else {
      Issue.record("a table of functions expected")
      return
    }
    #expect(try [functions.rawGet("double")] == fixture.call("return late.double"))
    #expect(try table.metatable()?.rawGet("__len") == .nil)
    #expect(descriptions.count == 1)
  }

  @Test("keeps what getmetatable gave a script")
  func stableMetatable() throws {
    #expect(
      try fixture.call(
        """
        local mt = getmetatable(late)
        mt.__declared = true
        return late.value, getmetatable(late) == mt, getmetatable(late).__declared
        """) == [5, true, true])
  }

  @Test("gives Swift its help and members without a script's use")
  func documentation() throws {
    let module = LuaModule("late") { Self.module("late", descriptions) }
    #expect(module.help == "A module.")
    #expect(module.documentation.map(\.name) == ["double", "value", "fixed"])
    #expect(descriptions.count == 1)
  }

  @Test(
    "what the debug library does to it beforehand changes nothing of others",
    arguments: [
      "mt.__index(5, 'double')", "mt.__index({}, 'double')", "mt.__index(list, 'double')",
      "mt.__len()", "mt.__call(_G)", "mt.__describe(setmetatable({}, mt))",
      "late.value = 1 mt.__index(late, 'double')",
      "debug.setupvalue(mt.__index, 2, 'x') late.value = 1",
      "debug.setupvalue(mt.__index, 1, 5) late.value = 1",
      "debug.setupvalue(mt.__describe, 1, 5) late.value = 1",
      "setmetatable(mt, {__index = error, __newindex = error}) mt.__describe = nil late.value = 1",
      "debug.setmetatable(late, nil) late.value = 1", "debug.setmetatable(list, mt) list.value = 1",
      "for name in pairs(mt) do mt[name] = nil end late.value = 1",
      "mt.__describe = function() error('no') end late.value = 1",
      "mt.__metatable = nil late.value = 1", "mt.__metatable = 5 mt.__name = nil late()",
    ])
  func tampering(source: String) throws {
    try fixture.call("local mt = debug.getmetatable(late) pcall(function() \(source) end)")
    #expect(try fixture.call("return early.value, sequence[1], #sequence") == [5, 10, 3])
    for name in ["late", "list"] {
      guard case .table(let table) = try fixture.state.globals().rawGet(name) else { continue }
      do throws(LuaError) {
        _ = try table.metatable()
      } catch {
        #expect(error.message == "the host function was replaced by another value")
      }
    }
    #expect(try fixture.call("collectgarbage() return early.double(2)") == [4])
    #expect(try fixture.stackCount == 0)
  }

  @Test("can be first used by a finalizer while the state closes")
  func closing() throws {
    let state = try LuaState()
    let descriptions = descriptions
    try state.setGlobal("late", to: LuaModule("late") { Self.module("late", descriptions) })
    try state.load(
      "setmetatable({}, {__gc = function() assert(late.double(2) == 4) late.value = 1 end})",
      name: .text("test")
    ).call()
    state.close()
    #expect(descriptions.count == 1)
  }

  @Test(
    "is released with its table, whether or not it was used",
    arguments: ["", "local _ = late.value", "local _ = pairs(late)"])
  func lifetime(use: String) throws {
    weak var released: LuaModule?
    do {
      let module = LuaModule("late") { [descriptions] in Self.module("late", descriptions) }
      released = module
      try fixture.state.setGlobal("late", to: module)
    }
    try fixture.call("\(use) late = nil collectgarbage() collectgarbage()")
    #expect(released == nil)
  }
}
