import Lua
import Testing
import TestSupport

@MainActor
@Suite("Tampering with objects and modules", .timeLimit(.minutes(5)))
struct TamperingTests {
  let fixture: Fixture
  let counter = LifeCounter()
  let point: Point

  init() throws {
    fixture = try Fixture()
    point = Point(x: 3, y: 4, of: counter)
    let point = point
    let host = fixture.host
    host.property("point") { point }
    host.function("take", "p") { (point: Point) in point.x }
    host.function("count") { 1 }
    try fixture.install()
    try fixture.state.setGlobal("circle", to: Circle("c", radius: 1))
    try fixture.state.setGlobal("vector", to: Vector(x: 1, y: 2))
    try fixture.state.setGlobal("words", to: MutableWords("a"))
    var value: LuaValue = "before"
    let module = LuaModule("any")
    module.property("value", get: { value }, set: { value = $0 })
    module.property("calling") { [unowned state = fixture.state] in
      try state.global("within", as: LuaFunction.self).call(as: LuaValue.self)
    }
    try fixture.state.setGlobal("any", to: module)
    try fixture.call("point = host.point")
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- code that makes every global table strict, as Penlight does, leaves modules as they are
      for name, value in pairs(_G) do
        if type(value) == 'table' and value ~= _G then
          local mt = getmetatable(value)
          if not (mt and rawget(mt, '__declared')) then
            if mt == nil then mt = {} setmetatable(value, mt) end
            local old_index, old_newindex = mt.__index, mt.__newindex
            mt.__declared = {}
            mt.__index = function(t, key) error(name .. ' has no ' .. key) end
            mt.__newindex = function(t, key, new)
              if old_newindex then old_newindex(t, key, new) end
              rawset(t, key, new)
            end
          end
        end
      end
      setmetatable(_G, { __index = function(_, key) error('undeclared ' .. key) end })
      local _, e = pcall(function() return host.missing end)
      local _, own = pcall(function() return math.missing end)
      return host.count(), host.point.x, e.code, own, pcall(function() return nothing end)
      --> 1 3 unknown_field …math has no missing false …undeclared nothing
      -- a field set over a module's members affects only the script's own view of that table
      rawset(host, 'count', 5)
      local count = host.count
      rawset(host, 'count', nil)
      return count, host.count() --> 5 1
      -- an object's metatable on other values has no effect
      local own = debug.getmetatable(point)
      for _, value in ipairs({1, true, print, coroutine.create(print)}) do
        local old = debug.getmetatable(value)
        debug.setmetatable(value, own)
        assert(not pcall(function() return value.x end))
        assert(not pcall(function() value.y = 1 end))
        assert(not pcall(own.__tostring, value))
        debug.setmetatable(value, old)
      end
      return 'harmless' --> harmless
      -- the upvalues of Lua's own functions can be seen, as with the lua command, but not set
      local matches = ('text'):gmatch('t')
      local name, value = debug.getupvalue(matches, 1)
      return '(' .. name .. ')', value, (select('#', debug.getupvalue(print, 1))),
        (select('#', debug.setupvalue(matches, 1, 'other'))), matches() --> () text 0 0 t
      -- a script sees and sets the upvalues of its own functions
      local n = 1
      local function f() return n end
      local name, value = debug.getupvalue(f, 1)
      return name, value, debug.setupvalue(f, 1, 2), f() --> n 1 n 2
      debug.getupvalue(5, 1) --> …function expected…
      debug.setupvalue(5, 1, 2) --> …function expected…
      -- metamethods called by hand with other arguments do no harm
      for _, object in ipairs({point, circle, vector, words}) do
        for name, f in pairs(debug.getmetatable(object)) do
          if type(f) == 'function' then
            pcall(f) pcall(f, io.stdout) pcall(f, nil, nil, nil) pcall(f, 1, 2, 3, 4)
          end
        end
      end
      return point.x, circle.radius, vector.y, words[1] --> 3 1.0 2.0 a
      -- the finalizer refuses what isn't a host object
      local finalize = debug.getmetatable(point).__gc
      for _, value in ipairs({5, {}, io.stdout, 'x', print}) do
        assert(tostring(select(2, pcall(finalize, value))):match('host object expected'))
      end
      finalize() --> …host object expected…
      -- userdata without memory of its own isn't taken for a host object
      local guard
      local object = setmetatable({}, {__gc = function() end})
      for _, field in pairs(debug.getregistry()) do
        if type(field) == 'table' then guard = rawget(field, object) or guard end
      end
      assert(type(guard) == 'userdata')
      debug.setmetatable(guard, debug.getmetatable(point))
      for _, use in ipairs({
        function() host.take(guard) end, function() return guard.x end, function() guard.y = 1 end,
        function() guard:sum() end,
      }) do
        assert(tostring(select(2, pcall(use))):match('point expected'))
      end
      local _, problem = pcall(debug.getmetatable(point).__gc, guard)
      debug.setmetatable(guard, nil)
      return tostring(problem) --> …host object expected…
      -- a setter that is called without a value gets nil
      debug.getmetatable(any).__newindex(any, 'value') return any.value --> nil
      debug.getmetatable(point).__newindex(point, 'y')
      --> bad_argument: bad value for 'point.y' (integer expected, got nil)
      -- a script can't see the locals of functions that call Swift while these run
      function within()
        local found = 0
        local thread = coroutine.running()
        for i = -5, 5 do
          if debug.getlocal(2, i) or debug.getlocal(thread, 2, i) then found = found + 1 end
        end
        assert(debug.getinfo(2, 'S').what == 'C' and debug.getinfo(3, 'S').what ~= 'C')
        return found
      end
      return any.calling --> 0
      -- a script sees and sets the locals of its own functions, and sees those of others in C
      local own = 5
      local name, value = debug.getlocal(1, 1)
      local function f(a, b) end
      local inner
      table.sort({2, 1}, function() inner = select(2, debug.getlocal(2, 1)) end)
      return name, value, debug.getlocal(f, 2), type(inner), debug.setlocal(1, 1, 6), own
      --> own 5 b table own 6
      debug.getlocal(100, 1) --> …level out of range…
      debug.getlocal('x', 1) --> …number expected…
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test(
    "a script can't get at an object's metatable or its memory",
    arguments: [
      "setmetatable(point, {})", "rawset(point, 'x', 1)", "rawget(point, 'x')", "rawlen(point)",
      "next(point)", "setmetatable(host, {})", "string.format('%d', point)",
      "table.pack(point)[1]()",
      "io.close(point)", "coroutine.resume(point)", "debug.setuservalue(point)",
    ])
  func refused(source: String) throws {
    _ = try fixture.failure(source)
    #expect(
      try fixture.call("return next(getmetatable(point)), next(getmetatable(host))") == [
        .nil, .nil,
      ])
    #expect(try fixture.call("return point.x, point:sum()") == [3, 7])
    #expect(try fixture.stackCount == 0)
  }

  @Test(
    "what getmetatable gives of a module or an object can be changed without effect on it",
    arguments: [
      "rawset(mt, '__index', evil) rawset(mt, '__newindex', evil) rawset(mt, '__metatable', nil)",
      "mt.__index = evil mt.__len = evil mt.__call = evil mt.__gc = evil mt.__name = 'evil'",
      "setmetatable(mt, { __index = evil, __newindex = evil, __mode = 'kv' })",
      "debug.setmetatable(mt, { __index = evil }) mt.__declared = {}",
    ])
  func harmlessMetatable(change: String) throws {
    try fixture.call(
      """
      local function evil() error('evil') end
      for _, value in ipairs({ host, point, vector, words }) do
        local mt = getmetatable(value)
        \(change)
      end
      collectgarbage()
      """)
    #expect(
      try fixture.call("return host.count(), point.x, point:sum(), vector.x == 1, #words")
        == [1, 3, 7, true, 1])
    #expect(try fixture.failure("host.missing = 1").is(.unknownField))
    #expect(try fixture.failure("setmetatable(host, {})").message.contains("protected metatable"))
    #expect(try fixture.stackCount == 0)
  }

  @Test("a module that is given again has its members, whatever a script has set over them")
  func givenAgain() throws {
    try fixture.call("rawset(host, 'point', 5)")
    try fixture.install()
    #expect(try fixture.call("return host.point == point") == [true])
  }

  @Test(
    "another class's metatable doesn't make an object one of that class",
    arguments: [
      ("circle", "point"), ("point", "circle"), ("vector", "point"), ("point", "vector"),
      ("point", "words"), ("words", "point"), ("io.stdout", "point"),
    ])
  func swappedMetatables(victim: String, donor: String) throws {
    let values = try fixture.call(
      """
      local victim, own = \(victim), debug.getmetatable(\(victim))
      debug.setmetatable(victim, debug.getmetatable(\(donor)))
      local worked = false
      local function try(f) worked = pcall(f) or worked end
      for _, name in ipairs({'x', 'y', 'radius', 'name', 'value'}) do
        try(function() return victim[name] end)
        try(function() victim[name] = 1 end)
      end
      try(function() return victim:sum() end)
      try(function() return victim:area() end)
      try(function() return #victim end)
      try(function() return victim[1] end)
      try(function() victim[1] = 'x' end)
      try(function() return victim * 2 end)
      try(function() return tostring(victim) end)
      try(function() for _ in pairs(victim) do end end)
      local taken = pcall(host.take, victim)
      debug.setmetatable(victim, own)
      return worked, taken
      """)
    // `host.take` doesn't look at the metatable.
    #expect(values.last == .boolean(victim == "point"))
    if donor != "words" { #expect(values.first == false) }
    #expect(try fixture.call("return host.take(point), words[1], circle.radius") == [3, "a", 1.0])
  }

  @Test(
    "a script can't see or set the upvalues of our functions",
    arguments: [
      "host.count", "point.sum", "debug.getmetatable(point).__index",
      "debug.getmetatable(point).__newindex", "coroutine.wrap(print)",
    ])
  func hiddenUpvalues(function: String) throws {
    for value in [
      "nil", "5", "'text'", "{}", "point", "io.stdout", "debug.upvalueid(host.take, 1)",
    ] {
      #expect(
        try fixture.call(
          """
          local f = \(function)
          return select('#', debug.getupvalue(f, 1)) + select('#', debug.setupvalue(f, 1, \(value)))
            + select('#', debug.getupvalue(f, 2)) + select('#', debug.setupvalue(f, 2, \(value)))
          """) == [0])
      #expect(
        try fixture.call("point.y = 4 return host.count(), point:sum(), point.y") == [1, 7, 4])
    }
  }

  @Test("an object released by hand can't be used any more, and Swift still has it")
  func releasedByHand() throws {
    try fixture.call(
      """
      local mt = debug.getmetatable(point)
      mt.__gc(point) mt.__gc(point)
      """)
    #expect(counter.alive == 1)
    let property = try fixture.failure("return point.x")
    #expect(property.is(.badArgument))
    #expect(property.underlying is LuaTypeMismatch)
    #expect(property.message == "point expected, got a point that was released already")
    #expect(
      try fixture.failure("point:sum()").message.contains("got a point that was released already"))
    #expect(try fixture.failure("point.y = 1").is(.badArgument))
    #expect(try fixture.failure("tostring(point)").is(.badArgument))
    #expect(
      try fixture.failure("host.take(point)").message
        == "bad argument #1 to 'host.take' (p: point expected, got a point that was released already)"
    )
    // The object comes to Lua as a new userdata.
    #expect(try fixture.call("return host.point.x, host.point == point") == [3, false])
  }

  @Test("light userdata isn't taken for the guard of a finalizer")
  func lightGuard() throws {
    try fixture.call("function own() return own end")
    for value in ["debug.upvalueid(own, 1)", "nil", "5", "io.stdout", "{}", "point"] {
      #expect(
        try fixture.failure(
          """
          local guard = debug.getregistry()['finalizer guard']
          local value = \(value)
          if type(value) == 'userdata' and value ~= io.stdout and value ~= point then
            debug.setmetatable(value, guard)
          end
          guard.__gc(value)
          """
        ).message.contains("finalizer guard expected"))
    }
    try fixture.call("debug.setmetatable(debug.upvalueid(own, 1), nil)")
  }

  @Test("operations that Swift protects do no harm if scripts call them with anything")
  func protectedOperations() throws {
    try fixture.call(
      """
      local found = {}
      local function note()
        for level = 1, 10 do
          local info = debug.getinfo(level, 'fS')
          if info and info.what == 'C' then found[#found + 1] = info.func end
        end
      end
      probe = setmetatable({}, {__index = note, __newindex = note, __len = note, __tostring = note})
      function finish()
        for _, f in ipairs(found) do
          pcall(f) pcall(f, nil) pcall(f, 1) pcall(f, {}) pcall(f, {}, 1) pcall(f, {}, 1, 2, 3)
        end
        return #found
      end
      """)
    let probe = try fixture.state.global("probe", as: LuaTable.self)
    _ = try? probe.get("x", as: Int?.self)
    _ = try? probe.set("x", to: 1)
    _ = try? probe.length()
    _ = try? fixture.state.text(of: probe)
    let count = try #require(try fixture.call("return finish()").first?.as(Int.self))
    #expect(count > 0)
    #expect(try fixture.stackCount == 0)
  }
}
