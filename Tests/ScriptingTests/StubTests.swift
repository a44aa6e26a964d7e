import Lua
import SampleApp
import Scripting
import StateStore
import Testing
import TestSupport

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

  @Test("are those that ask a service, or send a request")
  func stubbable() {
    #expect(
      Set(app.session.stubbable) == [
        "counter.ask_nth_prime", "todo.fetch", "oracle.nth", "oracle.ask", "http.get",
        "http.post", "http.request",
      ])
  }

  @Test("get their answers from Lua functions, which take the arguments")
  func answers() async throws {
    try stub("todo.fetch", "function(source) return { source, { text = 'b', done = true } } end")
    try stub("counter.ask_nth_prime", "function(question) return question and 3 or 5 end")
    try stub("oracle.ask", "function(question) return question .. '!' end")
    #expect(
      try await app.text(
        """
        todo.fetch("a") counter.count = 3
        return todo.items[1].text, todo.items[2].done, oracle.nth(2), counter.ask_nth_prime(),
          counter.ask_nth_prime({ source = "remote" }), oracle.ask("x")
        """) == "a true 3 5 3 x!")
  }

  @Test("raise the errors of their stubs, and the state has their messages")
  func errors() async throws {
    try stub("todo.fetch", "function() error({ code = 'gone', message = 'It is gone.' }) end")
    #expect(
      try await app.text(
        """
        local ok, err = pcall(todo.fetch)
        return ok, err.code, tostring(err), todo.error, todo.loading
        """) == "false gone It is gone. It is gone. false")
  }

  @Test("wait as long as their stubs do")
  func waiting() async throws {
    try stub("todo.fetch", "function() task.sleep(5) return {} end")
    async let text = app.text("todo.fetch() return #todo.items")
    try await app.clock.waitForSleepers(1)
    app.clock.advance(by: .seconds(5))
    #expect(try await text == "0")
  }

  @Test("use the stubs in apps of store.new(), too")
  func otherApps() async throws {
    try stub("todo.fetch", "function() return { 'milk' } end")
    #expect(
      try await app.text(
        "local a = store.new() a.todo.fetch() return a.todo.items[1].text, #todo.items") == "milk 0"
    )
  }
}
