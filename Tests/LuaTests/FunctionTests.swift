import Lua
import Testing
import TestSupport

@MainActor
@Suite("Functions")
struct FunctionTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    let host = fixture.host
    host.function("add", "a", "b", help: "Adds.", example: "host.add(1, 2)") {
      (a: Int, b: Int?) in a + (b ?? 100)
    }
    host.function("pair") { (1, "two") }
    host.function("nothing") {}
    host.function("echo", "values") { (values: LuaVariadic) in values }
    host.function("each", "list", "fn") { (list: [Int], function: LuaFunction) in
      for element in list { try function.call(element) }
    }
    host.function("describe", "p") { (point: Point) in "\(point.x)" }
    try fixture.install()
    try fixture.state.setGlobal("point", to: Point(x: 1, y: 2))
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- arguments go in and results come out in order
      return host.add(1, 2), select('#', host.nothing()), host.pair() --> 3 0 1 two
      -- an optional argument may be nil or left out, and further arguments are ignored
      return host.add(1), host.add(1, nil), host.add(1, 2, 'more') --> 101 101 3
      -- any number of values passes through a variadic function
      return select('#', host.echo()), host.echo(1, nil, 'x', nil) --> 0 1 nil x nil
      local t = {} for i = 1, 5000 do t[i] = i end return select('#', host.echo(table.unpack(t)))
      --> 5000
      -- a bad argument's error names function, position, parameter, expected and actual type
      host.add('x')
      --> bad_argument: bad argument #1 to 'host.add' (a: integer expected, got string)
      host.add(1, {})
      --> bad_argument: bad argument #2 to 'host.add' (b: integer expected, got table)
      host.add(1.5) --> …#1 to 'host.add' (a: integer expected, got 1.5)
      host.add() --> …#1 to 'host.add' (a: integer expected, got no value)
      host.add(nil) --> …#1 to 'host.add' (a: integer expected, got nil)
      host.add(point) --> …#1 to 'host.add' (a: integer expected, got point)
      host.add(io.stdout) --> …#1 to 'host.add' (a: integer expected, got FILE*)
      host.describe({}) --> …#1 to 'host.describe' (p: point expected, got table)
      host.each({1, 'x'}, print)
      --> …#1 to 'host.each' (list: integer[] expected, got string at position 2)
      point:sum('x') --> …#1 to 'point:sum' (extra: integer expected, got string)
      -- a module's function called with a colon says to use a dot
      host:add(1)
      --> …#1 to 'host.add' (a: integer expected, got table); call it with a dot, not a colon:
      --> host.add(...)
      host:nothing()
      --> …#1 to 'host.nothing' (nothing expected, got table); call it with a dot, not a colon:
      --> host.nothing(...)
      return host.pair(1, {}, host) --> 1 two
      -- a method called with a dot says to use a colon
      point.sum()
      --> bad_argument: bad object for 'point:sum' (point expected, got no value); call it with a
      --> colon, not point.sum(...)
      point.sum(5) --> …'point:sum' (point expected, got number); call it with a colon…
      -- a function from Swift is one function, however it is reached
      local f = host.add return f == host.add, rawequal(f, host.add) --> true true
      for name, member in pairs(host) do assert(member == host[name]) end return 'same' --> same
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test("a Lua function called from Swift gives all its results, and holds its upvalues")
  func luaFunctions() throws {
    let function = try fixture.state.load(
      "local n = 0 return function(by) n = n + by return n, 'x' end"
    ).call(as: LuaFunction.self)
    #expect(try function.call(2) == [2, "x"])
    #expect(try function.call(3) == [5, "x"])
  }

  @Test("Swift and Lua call each other in turn up to Lua's limit, and then continue")
  func recursion() throws {
    fixture.host.function("again", "fn", "n") { (function: LuaFunction, depth: Int) in
      LuaVariadic(try function.call(depth))
    }
    try fixture.install()
    let source = """
      depth = 0
      local function f(n) depth = n return host.again(f, n + 1) end
      f(1)
      """
    #expect(try fixture.failure(source).message.contains("C stack overflow"))
    #expect(try fixture.stackCount == 0)
    let depth: Int = try fixture.state.global("depth")
    #expect(depth > 20)
    #expect(try fixture.call("return host.again(function(n) return n end, 5)") == [5])
  }

  @Test("a function can have more results than Lua reserves stack for")
  func manyResults() throws {
    fixture.host.function("many") {
      (
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, [16], 17, 18, 19, 20, 21, 22, 23, 24,
        25, 26, 27, 28, ["x": 29], "thirty"
      )
    }
    try fixture.install()
    #expect(
      try fixture.call(
        """
        local function deep(n)
          if n > 0 then return (deep(n - 1)) end
          local values = {host.many()}
          assert(values[16][1] == 16 and values[28] == 28 and values[29].x == 29)
          return #values .. values[30]
        end
        for n = 1, 200 do assert(coroutine.wrap(deep)(n) == '30thirty') end
        return deep(0)
        """) == ["30thirty"])
    #expect(try fixture.stackCount == 0)
  }

  @Test("a variadic argument of a call from Swift is all its values")
  func variadicArguments() throws {
    let function = try fixture.state.load("return ...")
    #expect(try function.call(0, LuaVariadic([1, .nil, 2]), 3) == [0, 1, .nil, 2, 3])
    #expect(try function.call(LuaVariadic([]), 3) == [3])
    let many = LuaVariadic((1...1000).map { .integer($0) })
    let following = [many] + Array(repeating: 7, count: 100) as [any LuaPushable]
    #expect(try function.call(with: following).count == 1100)
    #expect(try fixture.stackCount == 0)
  }

  @Test("a variadic parameter that isn't the last is a mistake of the program")
  func variadicFirst() async {
    await #expect(processExitsWith: .failure) {
      let host = LuaModule("host", help: "A test.")
      host.function("sum", "values", "n") { (values: LuaVariadic, n: Int) in n }
    }
  }

  @Test("a call from Swift returns its first result as the requested type")
  func typedResults() throws {
    let multiply = try fixture.state.load("return ... and 6 * ...")
    #expect(try multiply.call(7, as: Int.self) == 42)
    #expect(try multiply.call(as: Int?.self) == nil)
    #expect(
      try problem { try multiply.call(1.25, as: Int.self) }
        == "wrong_type: result: integer expected, got 7.5")
    let nothing = try fixture.state.load("")
    #expect(throws: LuaError.self) { try nothing.call(as: Int.self) }
    #expect(try fixture.stackCount == 0)
  }

  @Test("a result of the wrong type is an error that says which one")
  func wrongResults() throws {
    let function = try fixture.state.load("return 1, 'two', ...")
    #expect(
      try problem { try function.call(as: (Int, Bool).self) }
        == "wrong_type: result #2: boolean expected, got string")
    #expect(
      try problem { try function.call(as: (Int, String, Point).self) }
        == "wrong_type: result #3: point expected, got nil")
    #expect(try fixture.stackCount == 0)
  }

  @Test("a call from Swift can drop the results")
  func droppedResults() throws {
    let function = try fixture.state.load("called = ...; return 1, 2")
    try function.call("yes", as: Void.self)
    #expect(try fixture.state.global("called", as: String.self) == "yes")
    #expect(try fixture.stackCount == 0)
  }

  @Test("a call from Swift takes many arguments and returns many results")
  func manyArguments() throws {
    let function = try fixture.state.load("return ...")
    let rows = [[1, 2], [3]]
    let values = try function.call(
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
      rows, rows, rows, rows, rows, rows, rows, rows, rows, rows, rows, rows, rows, rows, rows, "x")
    #expect(values.count == 42)
    #expect(values[25] == 26 && values[41] == "x")
    #expect(try values[40].as([[Int]].self) == rows)
    #expect(try fixture.stackCount == 0)
  }

  @Test("an argument that can't be pushed leaves the stack as it was")
  func unpushableArgument() throws {
    let function = try fixture.state.load("return ...")
    let foreign = try LuaState().load("return 1")
    #expect(
      try problem { try function.call(1, foreign, as: Int.self) }.hasPrefix("foreign_value: "))
    #expect(throws: LuaError.self) { try function.call(UInt64.max) }
    #expect(try fixture.stackCount == 0)
  }

  @Test("every function of a module describes itself")
  func documentation() {
    let signatures = fixture.host.documentation.map(\.signature)
    #expect(
      signatures == [
        "add(a: integer, [b: integer]): integer", "pair(): integer, string", "nothing()",
        "echo(values: any...): any...", "each(list: integer[], fn: function)",
        "describe(p: point): string",
      ])
    #expect(fixture.host.documentation[0].help == "Adds.")
    #expect(fixture.host.documentation[0].example == "host.add(1, 2)")
  }
}
