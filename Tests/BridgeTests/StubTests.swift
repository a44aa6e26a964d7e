import Lua
import Scripting
import StateStore
import TestSupport
import Testing

@testable import Bridge

@MainActor
@Suite("Functions of the app with stubs")
struct StubTests {
  private let app: AppInLua
  private let stubs: LuaStubs

  init() throws {
    app = try AppInLua { LuaStubs(in: $0) }
    stubs = try #require(app.stubs as? LuaStubs)
  }

  private func stub(_ name: String, _ source: String) throws {
    stubs.set(
      try app.state.load("return \(source)", name: .text("stub")).call(as: LuaFunction.self),
      for: name)
  }

  @Test("are those that ask a service")
  func stubbable() {
    #expect(
      Set(app.session.stubbable) == [
        "counter.ask_nth_prime", "todo.fetch", "persons.fetch", "landmarks.load", "prime.nth",
        "prime.count", "wolfram.query", "wolfram.short_answer", "wolfram.nth_prime",
      ])
  }

  @Test("get their answers from Lua functions, which take the arguments")
  func answers() async throws {
    try stub("todo.fetch", "function(source) return { source, { text = 'b', done = true } } end")
    try stub("prime.nth", "function(n) return n * 1000 end")
    try stub("wolfram.query", "function(q) return { pods = { { title = q } } } end")
    #expect(
      try await app.text(
        """
        todo.fetch("a") counter.count = 3
        return todo.items[1].text, todo.items[2].done, prime.nth(2), counter.ask_nth_prime(),
          wolfram.query("x").pods[1].title
        """) == "a true 2000 3000 x")
  }

  @Test("raise the errors of their stubs, and the state has their messages")
  func errors() async throws {
    try stub("persons.fetch", "function() error({ code = 'gone', message = 'It is gone.' }) end")
    #expect(
      try await app.text(
        """
        local ok, err = pcall(persons.fetch)
        return ok, err.code, tostring(err), persons.error, persons.loading
        """) == "false gone It is gone. It is gone. false")
  }

  @Test("wait as long as their stubs do")
  func waiting() async throws {
    try stub("landmarks.load", "function() task.sleep(5) return {} end")
    async let text = app.text("landmarks.load() return #landmarks.all")
    await app.clock.waitForSleepers(1)
    app.clock.advance(by: .seconds(5))
    #expect(try await text == "0")
  }

  @Test("use the stubs in apps of store.new(), too")
  func otherApps() async throws {
    try stub("persons.fetch", "function() return { { name = 'Ann', age = 30 } } end")
    #expect(
      try await app.text(
        "local a = store.new() a.persons.fetch() return a.persons[1].name, #persons") == "Ann 0")
  }
}
