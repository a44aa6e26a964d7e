import Lua
import Testing
import TestSupport

@MainActor
@Suite("The sandbox")
struct SandboxTests {
  let state: LuaState

  init() throws { state = try LuaState(libraries: .sandbox) }

  private func call(_ source: String) throws -> [LuaValue] {
    try state.load(source).call()
  }

  @Test(
    "has nothing that reaches outside the state",
    arguments: [
      "io", "debug", "dofile", "loadfile", "os.execute", "os.remove", "os.rename", "os.exit",
      "os.getenv", "os.tmpname", "os.setlocale", "package.loadlib", "package.searchpath",
      "string.dump", "package.loaded.io", "package.loaded.debug",
    ])
  func missing(name: String) throws {
    #expect(try call("return \(name)") == [.nil])
  }

  @Test(
    "has the rest of the libraries",
    arguments: [
      "math.floor", "string.format", "table.concat", "utf8.char", "coroutine.wrap", "os.time",
      "os.date", "os.clock", "os.difftime", "pcall", "load", "require", "setmetatable", "print",
    ])
  func present(name: String) throws {
    #expect(try call("return type(\(name))") == ["function"])
  }

  @Test("loads source text but no precompiled code")
  func loadText() throws {
    let other = try LuaState()
    let code = try other.load("return string.dump(function() return 1 end)").call()
    try state.setGlobal("code", to: code[0])
    #expect(try call("return load('return 7')()") == [7])
    #expect(try call("return load('return x', 'name', 't', {x = 8})()") == [8])
    #expect(try call("return (load(code))") == [.nil])
    #expect(try call("return (load(code, 'name', 'b'))") == [.nil])
    #expect(try call("return (load('return 1', 'name', 'b'))") == [.nil])
    #expect(
      try call("return select(2, load(code, '=name', 'bt'))")
        == ["attempt to load a binary chunk (mode is 't')"])
    #expect(
      try call("local n = 0 return load(function() n = n + 1 return ({'return ', '9'})[n] end)()")
        == [9])
  }

  @Test("finds only the modules that the host provides")
  func require() throws {
    let module = LuaModule("host", help: "Given.")
    module.function("answer") { 42 }
    try state.provide(module, as: "host")
    try state.provide(loader: state.load("return {name = ...}"), as: "greeting")
    #expect(try call("return require('host').answer()") == [42])
    #expect(
      try call("return require('greeting').name, require('greeting') == require('greeting')")
        == ["greeting", true])
    #expect(
      try call("local ok, e = pcall(require, 'unknown') return ok, e")
        == [false, "module 'unknown' not found:\n\tno field package.preload['unknown']"])
  }

  @Test("a script can't restore file searchers by changing package")
  func searchers() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("return 1", to: "secret.lua")
    #expect(
      try call(
        """
        package.path = '\(folder.path)/?.lua'
        return #package.searchers, (pcall(require, 'secret'))
        """) == [1, false])
  }

  @Test("a script's changes to its libraries and to strings stay in its own state")
  func separate() throws {
    let other = try LuaState(libraries: .sandbox)
    _ = try call(
      "string.upper = nil getmetatable('').__index = nil table.concat = nil math.pi = 3")
    #expect(
      try other.load("return ('x'):upper(), table.concat({1}), math.pi > 3")
        .call() == ["X", "1", true])
  }
}
