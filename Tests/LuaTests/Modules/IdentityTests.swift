import Lua
import Testing
import TestSupport

@MainActor
@Suite("Identity of objects", .timeLimit(.minutes(5)))
struct IdentityTests {
  let fixture: Fixture
  let counter = LifeCounter()
  let points: [Point]

  init() throws {
    fixture = try Fixture()
    let points = (0..<5000).map { [counter] in Point(x: $0, of: counter) }
    self.points = points
    fixture.host.function("point", "i") { (index: Int) in points[index] }
    fixture.host.function("weakly") { [weak point = points[7]] () in point }
    try fixture.install()
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- an object is the same userdata however Swift came by it, for as long as Lua holds that
      local p = host.point(7)
      for _ = 1, 10 do
        collectgarbage()
        assert(rawequal(p, host.point(7)) and rawequal(p, host.weakly()))
      end
      return p == host.point(8) --> false
      -- objects that were dropped, and come again, are usable, and those that weren't the same
      local all, kept = {}, {}
      for i = 0, 4999 do all[i] = host.point(i) end
      for i = 0, 4999, 50 do kept[i] = all[i] end
      all = nil
      collectgarbage() collectgarbage()
      -- More objects than fit into what is left of the table.
      for round = 1, 3 do
        for i = 0, 4999 do
          local p = host.point(i)
          assert(p.x == i and (not kept[i] or rawequal(p, kept[i])))
          if i % 7 == 0 then kept[i] = p end
        end
        collectgarbage()
      end
      for i, p in pairs(kept) do assert(rawequal(p, host.point(i))) end
      return host.point(4999).x --> 4999
      -- an object that comes again while Lua collects its userdata gets one that stays usable
      local new
      do
        local p = host.point(7)
        setmetatable({p = p}, {__gc = function() new = host.point(7) end})
      end
      for _ = 1, 4 do collectgarbage() end
      return new.x, rawequal(new, host.point(7)), new:sum() --> 7 true 7
      -- an object that a finalizer pushes while Swift pushes it is one userdata
      local current, pushed
      local mt = {__gc = function() pushed = host.point(current) end}
      local count = 0
      for i = 0, 4999 do
        current, pushed = i, nil
        setmetatable({}, mt)
        pushed = nil
        local p = host.point(i)
        if pushed then
          assert(rawequal(p, pushed))
          count = count + 1
        end
      end
      return count > 0 --> true
      -- a finalizer called by hand frees the object's place, and it comes again as a new userdata
      local p = host.point(7)
      local finalize = debug.getmetatable(p).__gc
      for _ = 1, 2000 do
        finalize(p)
        local new = host.point(7)
        assert(new ~= p and rawequal(new, host.point(7)))
        p = new
      end
      return p.x --> 7
      -- a table that a script got at by the debug library and filled with other values does no harm
      local p = host.point(7)
      local registry = debug.getregistry()
      for key, value in pairs(registry) do
        if type(value) == 'table' and rawequal(value[1], p) then
          for place = 1, 100 do value[place] = io.stdout end
          setmetatable(value, nil)
        end
        if math.type(key) == 'integer' then registry[key] = 5 end
      end
      return host.point(7).x, host.point(8).x, p.x --> 7 8 7
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test("objects of more classes than the C side remembers keep their members")
  func manyClasses() throws {
    try fixture.state.setGlobal("circle", to: Circle("c", radius: 1))
    try fixture.state.setGlobal("vector", to: Vector(x: 1, y: 2))
    try fixture.state.setGlobal("words", to: MutableWords("a"))
    #expect(
      try fixture.call("return circle.radius, vector.y, words[1], host.point(3).x")
        == [1.0, 2.0, "a", 3])
  }

  @Test("closing a state releases every object once")
  func closing() throws {
    let local = LifeCounter()
    let state = try LuaState()
    try state.setGlobal("points", to: (0..<3000).map { Point(x: $0, of: local) })
    try state.load("for i = 1, 2900 do points[i] = nil end collectgarbage()").call()
    try state.setGlobal("more", to: (0..<2000).map { Point(x: $0, of: local) })
    #expect(local.alive >= 2100)
    state.close()
    #expect(local.alive == 0)
  }
}
