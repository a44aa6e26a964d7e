import Lua
import Testing

@MainActor
@Suite("The location of an error", .timeLimit(.minutes(1)))
struct ErrorLocationTests {
  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    fixture.addCall()
    fixture.addLater()
    fixture.addFail(with: LuaError(.badArgument, "no"))
    try fixture.install()
  }

  @Test(
    "is the line that raised it, in the chunk's own words",
    arguments: [
      ("local x = nil\nreturn x.y", 2), ("\nerror('boom')", 2), ("\n\nerror({code = 1})", 3),
      ("\nerror('no place', 0)", 2), ("\nerror()", 2), ("\nhost.fail()", 2),
      ("\nassert(false)", 2), ("local f = string.rep\nf()", 2), ("\nlocal s = 'a' + 1", 2),
    ])
  func raised(source: String, line: Int) throws {
    #expect(try fixture.failure(source).location == LuaError.Location(chunk: "test", line: line))
  }

  @Test("is the place that the message states, if an error blames the caller")
  func statedByMessage() throws {
    let error = try fixture.failure("local function f()\n  error('boom', 2)\nend\nf()")
    #expect(error.message == "test:4: boom")
    #expect(error.location == "test:4")
  }

  @Test("is that of the first error, if that is raised again")
  func raisedAgain() throws {
    let error = try fixture.failure(
      "local _, e = pcall(function()\n error('boom') end)\n\nerror(e, 0)")
    #expect(error.location == "test:2")
  }

  @Test(
    "doesn't take a text for a place that isn't one",
    arguments: ["test:9 boom", "test:x: boom", ":3: boom"])
  func noPlace(message: String) throws {
    #expect(try fixture.failure("\nerror('\(message)', 0)").location == "test:2")
  }

  @Test("is inside a coroutine that wrap made, though its message names the caller, too")
  func wrapped() throws {
    let error = try fixture.failure(
      "local f = coroutine.wrap(function()\n  error('boom')\nend)\n\nf()")
    #expect(error.message == "test:5: test:2: boom")
    #expect(error.location == "test:2")
  }

  @Test("is in the innermost function where Lua, Swift and Lua call each other")
  func nested() throws {
    let error = try fixture.failure("host.call(function()\n  local x = nil\n  x()\nend)")
    #expect(error.location == "test:3")
    let hosts = try fixture.failure("host.call(function()\n\n  host.fail()\nend)")
    #expect(hosts.location == "test:3")
  }

  @Test("is the line of a call of a library function that calls the host")
  func throughLibrary() throws {
    let object = Point(x: 1, y: 2)
    try fixture.state.setGlobal("object", to: object)
    #expect(
      try fixture.failure("\nfor _ in pairs({1}) do\n  tostring(host.fail())\nend").location
        == "test:3")
    #expect(
      try fixture.failure("\n\npcall(error)\ntable.sort({2, 1}, host.fail)").location == "test:4")
  }

  @Test("is the line of the call of tostring that ran an object's own text")
  func throughText() throws {
    try fixture.state.setGlobal("object", to: Speechless())
    let error = try fixture.failure("local a = 1\n\nprint(tostring(object))")
    #expect(error.code == .badArgument)
    #expect(error.location == "test:3")
  }

  @Test("is known in tasks, after a wait, and in a coroutine there")
  func tasks() async throws {
    #expect(try await fixture.failureOfTask("host.later(1)\nerror('boom')").location == "test:2")
    let error = try await fixture.failureOfTask(
      "coroutine.wrap(function()\n  host.later(1)\n  host.fail()\nend)()")
    #expect(error.location == "test:3")
  }

  @Test("of a syntax error is that of the message")
  func syntax() throws {
    let error = try #require(throws: LuaError.self) {
      try fixture.state.load("return 1\n= 2", name: .file("folder:3: x/a.lua"))
    }
    #expect(error.location == LuaError.Location(chunk: "folder:3: x/a.lua", line: 2))
  }

  @Test("is missing without Lua code, and doesn't stay from an earlier error")
  func none() throws {
    _ = try fixture.failure("error('boom')")
    let error = try #require(throws: LuaError.self) {
      try fixture.state.global("error", as: LuaFunction.self).call("boom")
    }
    #expect(error.location == nil)
    #expect(error.description == "boom")
  }
}

@Suite("An error's code")
struct ErrorCodeTests {
  @Test("of an app's error is the word that scripts see")
  @MainActor
  func word() throws {
    let fixture = try Fixture()
    fixture.addFail(with: LuaError(.overdrawn, "no money"))
    try fixture.install()
    #expect(try fixture.call("return select(2, pcall(host.fail)).code") == ["overdrawn"])
    #expect(try fixture.failure("host.fail()").code == .overdrawn)
  }
}

/// An object whose text can't be had.
private final class Speechless: LuaExposed {
  static let luaTypeName = "speechless"

  static func describe(_ members: LuaClass<Speechless>) {
    members.text { _ in throw LuaError(.badArgument, "no words") }
  }
}

extension LuaError.Code {
  fileprivate static let overdrawn: Self = "overdrawn"
}
