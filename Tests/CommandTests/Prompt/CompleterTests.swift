import Lua
import Testing

@testable import Console

@MainActor
@Suite("Names that complete a word")
struct CompleterTests {
  private func candidates(for line: String, after code: String) throws -> [String] {
    let state = try LuaState()
    try state.load(code, name: .text("test")).call()
    return Completer(state: state, modules: []).candidates(for: line)
  }

  @Test(
    "are only keys that are names, without control characters")
  func names() throws {
    let code = #"""
      t = {good = 1, _g2 = 1, ["g\27[31m"] = 1, ["g h"] = 1, ["g\xff"] = 1, ["gé"] = 1, ["2g"] = 1, [""] = 1,
        ["end"] = 1, [1] = 1, [true] = 1, [("g"):rep(1e6)] = 1}
      _G["g\27]0;x\7"] = 1
      """#
    #expect(try candidates(for: "x = t.", after: code).sorted() == ["t._g2", "t.good"])
    #expect(try candidates(for: "print(g", after: code) == ["goto", "getmetatable"])
  }
}
