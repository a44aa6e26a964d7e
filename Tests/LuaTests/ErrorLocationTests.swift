import Lua
import Testing
import TestSupport

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
    try fixture.state.setGlobal("object", to: Speechless())
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

  @Test(
    "with the message",
    arguments: LuaCase.list(
      """
      -- is the place that the message states, if an error blames the caller
      local function f()
        error('boom', 2)
      end
      f() --> test:4: boom at test:4
      -- is that of the first error, if that is raised again
      local _, e = pcall(function()
        error('boom') end)
      error(e, 0) --> test:2: boom at test:2
      -- isn't taken from a text that only looks like one
      do end
      error('test:9 boom', 0) --> test:9 boom at test:2
      do end
      error('test:x: boom', 0) --> test:x: boom at test:2
      do end
      error(':3: boom', 0) --> :3: boom at test:2
      -- is inside a coroutine that wrap made, though its message names the caller, too
      local f = coroutine.wrap(function()
        error('boom')
      end)
      f() --> test:4: test:2: boom at test:2
      -- is in the innermost function where Lua, Swift and Lua call each other
      host.call(function()
        local x = nil
        x()
      end) --> …attempt to call a nil value (local 'x') at test:3
      host.call(function()
        do end
        host.fail()
      end) --> no at test:3
      -- is the line of a call of a library function that calls the host
      for _ in pairs({1}) do
        tostring(host.fail())
      end --> no at test:2
      pcall(error)
      table.sort({2, 1}, host.fail) --> no at test:2
      -- is the line of the call of tostring that ran an object's own text
      local a = 1
      print(tostring(object)) --> no words at test:2
      """))
  func places(example: LuaCase) throws {
    let error = try fixture.failure(example.code)
    let place = error.location?.description ?? "no place"
    #expect(example.allows("\(error.message) at \(place)"))
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
