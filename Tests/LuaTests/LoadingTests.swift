import Foundation
import Testing
import TestSupport

@testable import Lua

@MainActor
@Suite("Chunks: names, files and environments")
struct LoadingTests {
  let state: LuaState

  init() throws { state = try LuaState() }

  private func message(of source: String) throws -> String {
    try #require(throws: LuaError.self) { try state.load(source).call() }.message
  }

  @Test("without a name, messages show the beginning of the text as Lua does")
  func defaultName() throws {
    #expect(try message(of: "error('x')") == #"[string "error('x')"]:1: x"#)
    #expect(try message(of: "local a\nerror('x')") == #"[string "local a..."]:2: x"#)
    #expect(
      try message(of: "error('x')" + String(repeating: "-", count: 100))
        == #"[string "error('x')\#(String(repeating: "-", count: 34))..."]:1: x"#)
  }

  @Test(
    "a text that looks like another kind of name, or has a character where it is cut, is shown as a text",
    arguments: [
      ("=x", #"[string " =x"]:1: unexpected symbol near '='"#),
      ("@x", #"[string " @x"]:1: unexpected symbol near '@'"#),
      (
        String(repeating: "\u{E9}", count: 40),
        #"[string "\#(String(repeating: "\u{E9}", count: 22))..."]:1: unexpected symbol near '<\195>'"#
      ),
    ])
  func textAsName(source: String, message: String) throws {
    #expect(try self.message(of: source) == message)
  }

  @Test("the location of an error in a chunk without a name is known")
  func location() throws {
    let error = try #require(throws: LuaError.self) { try state.load("\nerror('x')").call() }
    #expect(error.location == LuaError.Location(chunk: #"[string "..."]"#, line: 2))
    let syntax = try #require(throws: LuaError.self) { try state.load("x =") }
    #expect(syntax.code == .syntax)
    #expect(syntax.location == LuaError.Location(chunk: #"[string "x ="]"#, line: 1))
  }

  // MARK: - Files

  @Test("a file is loaded by its path and by its URL, and messages name it")
  func file() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "#!/usr/bin/env lua\nlocal n = ... if n then error('x') end return 7", to: "a.lua")
    #expect(try state.load(contentsOf: path).call() == [7])
    #expect(try state.load(contentsOf: URL(filePath: path)).call() == [7])
    let error = try #require(throws: LuaError.self) { try state.load(contentsOf: path).call(true) }
    #expect(error.location?.line == 2)
    #expect(error.message.hasSuffix(".lua:2: x"))
  }

  @Test("a file longer than a read is loaded whole")
  func longFile() throws {
    let folder = try TemporaryFolder()
    let source = String(repeating: "-- a comment\n", count: 20_000) + "return 7"
    #expect(try state.load(contentsOf: folder.write(source, to: "a.lua")).call() == [7])
  }

  @Test("a file that can't be read says which and why")
  func unreadable() throws {
    let missing = try #require(throws: LuaError.self) { try state.load(contentsOf: "/no/file.lua") }
    #expect(missing.code == .fileUnreadable)
    #expect(missing.message == "cannot read /no/file.lua: No such file or directory")
    let folder = try #require(throws: LuaError.self) { try state.load(contentsOf: "/") }
    #expect(folder.message == "cannot read /: Is a directory")
    let cut = try #require(throws: LuaError.self) { try state.load(contentsOf: "/dev/null\0x") }
    #expect(cut.code == .fileUnreadable)
    let url = try #require(URL(string: "https://example.com/a.lua"))
    let remote = try #require(throws: LuaError.self) { try state.load(contentsOf: url) }
    #expect(
      remote.message == "cannot read https://example.com/a.lua: not the URL of a file")
  }

  @Test("a file of bytecode is refused")
  func bytecodeFile() throws {
    let folder = try TemporaryFolder()
    let path = folder.path(of: "a.luac")
    try Data(state.load("return 1").bytecode()).write(to: URL(filePath: path))
    let error = try #require(throws: LuaError.self) { try state.load(contentsOf: path) }
    #expect(error.code == .syntax)
  }

  // MARK: - Environments

  @Test("a chunk reads and sets the variables of its environment, not the globals")
  func environment() throws {
    let environment = try state.makeTable()
    try environment.set("x", to: 1)
    let chunk = try state.load("y = x + 1 return print", environment: environment)
    #expect(try chunk.call() == [nil])
    #expect(try environment.get("y") == 2)
    #expect(try state.global("y", as: Int?.self) == nil)
  }

  @Test(
    "compiled chunks get an environment, however often they are used",
    arguments: [CompiledChunk.DebugInformation.kept, .optional, .hidden])
  func compiledEnvironment(_ information: CompiledChunk.DebugInformation) throws {
    let chunk = CompiledChunk(Array("return x".utf8), name: .text("c"), information)
    let environment = try state.makeTable()
    try environment.set("x", to: 5)
    for _ in 1...3 {
      #expect(try chunk.function(in: state, environment: environment).call() == [5])
    }
    #expect(try chunk.function(in: state).call() == [nil])
  }

  @Test("errors in compiled chunks with hidden lines have the place of the calling code")
  func hiddenPlaces() throws {
    let fail = try state.function("fail") { () throws -> Void in throw LuaError("no", "no") }
    let chunk = CompiledChunk(
      Array("local fail = ... return function() fail() end".utf8), name: .text("c"), .hidden)
    for _ in 1...3 {
      try state.setGlobal("f", to: chunk.function(in: state).call(fail, as: LuaFunction.self))
      let error = try #require(throws: LuaError.self) {
        try state.load("\n\nf()", name: .text("test")).call()
      }
      #expect(error.location?.description == "test:3")
    }
  }

  @Test("bytecode of a function without upvalues loads into an environment")
  func withoutUpvalues() throws {
    let function = try state.load("return function() return 3 end").call(as: LuaFunction.self)
    let loaded = try state.load(
      bytecode: function.bytecode(), name: .text("f"), environment: state.makeTable())
    #expect(try loaded.call() == [3])
    #expect(try state.core.stack().count == 0)
  }

  @Test("a table of another state, or of one that was closed, is refused as an environment")
  func foreignEnvironment() throws {
    let other = try LuaState()
    let table = try other.makeTable()
    let foreign = #expect(throws: LuaError.self) { try state.load("", environment: table) }
    #expect(foreign?.code == .foreignValue)
    other.close()
    #expect(throws: LuaError.self) { try state.load("", environment: table) }
    #expect(try state.core.stack().count == 0)
  }
}
