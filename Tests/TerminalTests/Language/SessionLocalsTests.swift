import Testing

@testable import PrimereplTerminal

@Suite("Language: locals of the session")
struct SessionLocalsTests {
  private func keep(_ source: String) -> SessionLocals.Kept {
    SessionLocals.keeping(source) { ["print", "counter"].contains($0) }
  }

  @Test(
    "are kept in place, so that lines and columns stay",
    arguments: [
      ("local x = 1", "      x = 1"), ("local x", "      x = nil"),
      ("local x, y = 1, 2", "      x, y = 1, 2"), ("local x, y", "      x, y = nil"),
      ("local function f() return f end", "      function f() return f end"),
      ("local x = x", "      x = x"), ("local x = 1; local y = x", "      x = 1;       y = x"),
      ("local x\nlocal y", "      x = nil\n      y = nil"),
      ("local x -- one\n= 1", "      x -- one\n= 1"),
      (
        "local f = function() local inner = 1 return inner end",
        "      f = function() local inner = 1 return inner end"
      ),
      ("do local x = 1 end local y = 2", "do local x = 1 end       y = 2"),
      ("local s = 'local t = 1' --[[ local u ]]", "      s = 'local t = 1' --[[ local u ]]"),
      ("local x = 1 return x", "      x = 1 return x"),
      ("function g(x) return x end local x = g(1)", "function g(x) return x end       x = g(1)"),
      (
        "function g() return {x = 1}, t.x end local x = 1",
        "function g() return {x = 1}, t.x end       x = 1"
      ),
      (
        "for i = 1, 2 do for j = 1, 2 do goto next ::next:: end end local x = 1",
        "for i = 1, 2 do for j = 1, 2 do goto next ::next:: end end       x = 1"
      ),
      ("local é = 1", "local é = 1"), ("x = 1", "x = 1"), ("", ""), ("local", "local"),
    ])
  func kept(source: String, expected: String) {
    #expect(keep(source).source == expected)
    #expect(keep(source).lost == [])
  }

  @Test(
    "stay local, and are listed as lost, where keeping them could change the input's effect",
    arguments: [
      ("local x <const> = 1", ["x"]), ("local f <close> = g()", ["f"]),
      ("local print = 1", ["print"]), ("local x, counter = 1, 2", ["x", "counter"]),
      ("local function print() end", ["print"]), ("local x = 1 local x = 2", ["x"]),
      ("local x, x = 1, 2", ["x"]), ("function g() return x end local x = 1", ["x"]),
      ("local f = function() return f() end", ["f"]),
      ("::again:: local x = 1 if y then goto again end", ["x"]), ("local _ENV = {}", ["_ENV"]),
      ("local x = 1 _ENV.x = 2", ["x"]),
    ])
  func lost(source: String, names: [String]) {
    let kept = keep(source)
    #expect(kept.source == source)
    #expect(Array(Set(kept.lost)).sorted() == names.sorted())
    #expect(kept.names == [])
  }

  @Test("are named in their order, beside those that are lost")
  func names() {
    let kept = keep("local b, a = 1, 2\nlocal print = 3\nlocal function c() end")
    #expect(kept.names == ["b", "a", "c"])
    #expect(kept.lost == ["print"])
    #expect(kept.source == "      b, a = 1, 2\nlocal print = 3\n      function c() end")
  }
}
