import Testing

@testable import Lua

@MainActor
@Suite("A scope")
struct ScopeTests {
  let fixture: Fixture
  let counter = LifeCounter()

  /// Something that scripts make, observe and change, with a function of theirs that Swift calls.
  private final class Model {
    var observer: LuaFunction?
    let token: LifeCounter.Token

    init(_ token: LifeCounter.Token) { self.token = token }

    /// Its module: `observe(fn)`, `change()`, `changeLater()`, and `part`, an object with `change()`.
    func module(in scope: LuaScope) -> LuaModule {
      let module = LuaModule("model", help: "A model.")
      module.function("observe", "fn") {
        [self] (function: LuaFunction) in observer = try scope.adopt(function)
      }
      module.function("change") { [self] in try observer?.call() }
      module.asyncFunction("changeLater") {
        {
          await Task.yield()
          try self.observer?.call()
        }
      }
      module.property("part") { [self] in Part(of: self) }
      return module
    }
  }

  private final class Part: LuaExposed {
    let model: Model

    init(of model: Model) { self.model = model }

    static var luaTypeName: String { "part" }

    static func describe(_ members: LuaClass<Part>) {
      members.method("change") { try $0.model.observer?.call() }
      members.property("again") { Part(of: $0.model) }
    }
  }

  init() throws {
    fixture = try Fixture()
    fixture.host.function("model") { [counter, weak state = fixture.state] in
      let scope = try LuaScope(in: try #require(state))
      return scope.owning(Model(counter.token()).module(in: scope))
    }
    try fixture.install()
  }

  @Test("is collected with its objects, even if its functions refer to them")
  func circle() throws {
    try fixture.call(
      "for i = 1, 10 do local m = host.model() m.observe(function() return m end) m.change() end")
    #expect(counter.alive > 0)
    try fixture.state.collectAll()
    #expect(counter.alive == 0)
  }

  @Test(
    "keeps its functions for as long as a script can reach any of its objects",
    arguments: [
      "local keep = host.model() keep.observe(observer) collect() keep.change()",
      "local m = host.model() m.observe(observer) local keep = m.change m = nil collect() keep()",
      "local m = host.model() m.observe(observer) local keep = m.part m = nil collect() keep:change()",
      """
      local m = host.model() m.observe(observer)
      local keep = m.part.again
      m = nil collect() keep:change()
      """,
      """
      local m = host.model() m.observe(observer)
      local keep = getmetatable(m.part) and m.part or m.part
      m = nil collect() keep = keep.again collect() keep:change()
      """,
    ])
  func reachable(source: String) throws {
    let results = try fixture.call(
      """
      local calls = 0
      local function observer() calls = calls + 1 end
      local function collect() collectgarbage() collectgarbage() end
      \(source)
      return calls
      """)
    #expect(results == [1])
  }

  @Test("keeps its functions while one of them waits")
  func waiting() async throws {
    let results = try await fixture.run(
      """
      local calls = 0
      local t
      do
        local m = host.model()
        m.observe(function() calls = calls + 1 end)
        t = task.spawn(m.changeLater)
      end
      collectgarbage() collectgarbage()
      t:await()
      return calls
      """)
    #expect(results == [1])
  }

  @Test("releases its functions when Swift does")
  func givenUp() throws {
    try fixture.call(
      """
      model = host.model()
      seen = setmetatable({}, {__mode = 'k'})
      for i = 1, 10 do local f = function() return i end seen[f] = true model.observe(f) end
      """)
    try fixture.state.collectGarbage()
    let results = try fixture.call(
      "collectgarbage() local n = 0 for _ in pairs(seen) do n = n + 1 end return n")
    #expect(results == [1])
  }

  @Test("raises an error in a call of a collected function")
  func collected() throws {
    let scope = try LuaScope(in: fixture.state)
    let adopted = try scope.adopt(
      fixture.state.load("return function() end").call(as: LuaFunction.self))
    try adopted.call()
    try fixture.state.collectGarbage()
    let error = #expect(throws: LuaError.self) { try adopted.call() }
    #expect(error?.is(.scopeCollected) == true)
  }

  @Test("may be permanent: its functions live as long as Swift holds it")
  func permanent() throws {
    let scope = try LuaScope(in: fixture.state, isPermanent: true)
    let adopted = try scope.adopt(
      fixture.state.load("return function() return 1 end").call(as: LuaFunction.self))
    try fixture.state.collectGarbage()
    #expect(try adopted.call() == [1])
    withExtendedLifetime(scope) {}
  }
}
