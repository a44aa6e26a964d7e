import Lua
import Testing

@Suite struct LuaDecoderMetamethodTests {
  let state: LuaState

  init() throws { state = try LuaState() }

  private final class Numbers: LuaExposed {
    static var luaTypeName: String { "numbers" }

    static func describe(_ members: LuaClass<Numbers>) {
      members.sequence(count: { _ in 3 }, element: { 10 * ($1 + 1) })
    }
  }

  private final class Handle: LuaExposed {
    static var luaTypeName: String { "handle" }

    static func describe(_ members: LuaClass<Handle>) {
      members.property("name") { _ in "h" }
    }
  }

  private struct Named: Decodable, Equatable {
    var name: String
    var note: String?
  }

  @Test("a live collection is a sequence") func liveSequence() throws {
    try state.setGlobal("numbers", to: Numbers())
    #expect(try state.decode([Int].self, "numbers") == [10, 20, 30])
    #expect(try state.decode([Int: Int].self, "numbers") == [1: 10, 2: 20, 3: 30])
  }

  @Test("a module is a record of its properties") func module() throws {
    let module = LuaModule("thing", help: "A thing.")
    module.property("name") { "t" }
    module.sequence(count: { 2 }, element: { $0 })
    try state.setGlobal("thing", to: module)
    #expect(try state.decode(Named.self, "thing") == Named(name: "t"))
    #expect(try state.decode([Int].self, "thing") == [0, 1])
  }

  @Test("an object is a record, and no sequence") func object() throws {
    try state.setGlobal("handle", to: Handle())
    #expect(try state.decode(Named.self, "handle") == Named(name: "h"))
    #expect(
      try state.failure([Int].self, "handle") == "wrong_type: sequence expected, got handle")
    #expect(
      try state.failure(Item.self, "handle") == "wrong_type: id: missing")
    #expect(try state.failure(Item.self, "io.stdout").hasSuffix("id: missing"))
  }

  @Test(
    "__index, __len and __pairs are followed",
    arguments: [
      "setmetatable({}, {__index = {name = 'm'}})",
      "setmetatable({}, {__index = function(_, key) return key == 'name' and 'm' or nil end})",
      "setmetatable({name = 'm'}, {__tostring = error})",
    ])
  func index(expression: String) throws {
    #expect(try state.decode(Named.self, expression) == Named(name: "m"))
  }

  @Test("a proxy's own length and keys count") func proxies() throws {
    let proxy = """
      setmetatable({}, {__len = function() return 2 end, __index = function(_, i) return i * 5 end})
      """
    #expect(try state.decode([Int].self, proxy) == [5, 10])
    let pairs = """
      (function() local t = {a = 1} return setmetatable({}, {__index = t,
      __pairs = function() return next, t, nil end}) end)()
      """
    #expect(try state.decode([String: Int].self, pairs) == ["a": 1])
    #expect(try state.decode(KeyList.self, pairs).values == ["a": 1])
  }

  @Test("a length without elements is refused") func emptyLength() throws {
    let proxy = "setmetatable({7}, {__len = function() return math.maxinteger end})"
    #expect(try state.failure([Int?].self, proxy) == "wrong_type: [2]: missing")
  }

  @Test("a negative length is that of an empty sequence") func negativeLength() throws {
    let proxy = "setmetatable({7}, {__len = function() return -1 end})"
    #expect(try state.decode([Int].self, proxy) == [])
  }

  @Test("null has no fields, and says so") func nullFields() throws {
    try state.setGlobal("null", to: LuaNull.null)
    let message = try state.evaluate(
      "return select(2, pcall(function() return null.x end)).message")
    #expect(message == .string("null has no fields (field 'x')"))
  }

  @Test("a metamethod's error is thrown unchanged, with the traceback")
  func raised() throws {
    for (type, metamethod) in [
      (Named.self as any Decodable.Type, "__index"), ([Int].self, "__len"),
      ([String: Int].self, "__pairs"), (KeyList.self, "__pairs"),
    ] {
      let value = try state.evaluate(
        "return setmetatable({}, {\(metamethod) = function() error('broken') end})")
      let error = try #require(throws: LuaError.self) {
        try LuaDecoder().decode(type, from: value, in: state)
      }
      #expect(error.is(.runtime))
      #expect(error.message == "test:1: broken")
      #expect(error.traceback?.contains("stack traceback") == true)
    }
  }

  @Test("a metamethod that changes the table meanwhile does no harm") func mutation() throws {
    let source = """
      (function() local outer = {}
      for i = 1, 50 do outer['k' .. i] = setmetatable({}, {__index = function(_, key)
        for name in pairs(outer) do outer[name] = nil end collectgarbage()
        for j = 1, 100 do outer['n' .. j] = 1 end
        return key end}) end
      return outer end)()
      """
    // After the first element all other keys are gone, so the next value is nil.
    let failure = try state.failure([String: Named].self, source)
    #expect(failure.hasSuffix("table expected, got nil"), "\(failure)")
  }

  @Test("the debug library can't change what a decoder holds while a metamethod runs")
  func setLocal() throws {
    let module = LuaModule("probe", help: "Decodes.")
    module.function("decode", "list") { (list: LuaCoded<[Named]>) in list.value.map(\.name) }
    try state.setGlobal("probe", to: module)
    let source = """
      local item = setmetatable({}, {__index = function(_, key)
        for level = 3, 6 do
          if (debug.getinfo(level) or {}).what == 'C' then
            for place = 1, 40 do debug.setlocal(level, place, 7) end
          end
        end
        return key
      end})
      return table.concat(probe.decode({item, item}), ' ')
      """
    #expect(try state.evaluate(source) == .string("name name"))
  }
}
