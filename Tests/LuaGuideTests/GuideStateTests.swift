import Foundation
import Lua
import Testing

/// Runs the guide's code blocks about states and Lua's own values; GuideTests compares them with the guide.
@MainActor
@Suite("The guide to embedding Lua: states and values", .timeLimit(.minutes(2)))
struct GuideStateTests {
  @Test("makes a state and gets a result")
  func state() throws {
    // guide: a state
    let state = try LuaState()
    let chunk = try state.load("return 6 * 7, 'text'")
    let results = try chunk.call()
    let answer = try chunk.call(as: Int.self)
    // guide end
    #expect(results == [42, "text"])
    #expect(answer == 42)
  }

  @Test("loads a file")
  func file() throws {
    let state = try LuaState()
    let file = FileManager.default.temporaryDirectory.appending(path: "guide-\(UUID()).lua")
    try Data("return {port = 80}".utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let path = file.path(percentEncoded: false)
    // guide: a file
    let settings = try state.load(contentsOf: path).call(as: LuaTable.self)
    let port: Int = try settings.get("port")
    // guide end
    #expect(port == 80)
  }

  @Test("reads values as types")
  func values() throws {
    let state = try LuaState()
    // guide: values
    let results = try state.load("return 7, 'seven', {1, 2}").call()
    let number = try results[0].as(Int.self)
    let list = try results[2].as([Int].self)
    let isExpected = results.prefix(2) == [7, "seven"]
    let text = try state.text(of: results[0])
    // guide end
    #expect((number, list) == (7, [1, 2]))
    #expect(isExpected)
    #expect(text == "7")
  }

  @Test("makes, reads and changes tables")
  func tables() throws {
    let state = try LuaState()
    // guide: a table
    let ages = try state.makeTable()
    try ages.set("ann", to: 31)
    try ages.set("bob", to: 27)
    let ann: Int = try ages.get("ann")
    let missing = try ages.get("eve", as: Int?.self)
    for (name, age) in try ages.entries(as: (String, Int).self) where age < 30 {
      try ages.set(name, to: LuaValue.nil)
    }
    // guide end
    #expect(ann == 31)
    #expect(missing == nil)
    #expect(try ages.as([String: Int].self) == ["ann": 31])
  }

  @Test("calls Lua functions, and makes one of a closure")
  func functions() throws {
    let state = try LuaState()
    // guide: functions
    let tools = try state.load(
      "return {title = 'Demo', resize = function(w, h) return w * 2, h * 2 end}",
      name: .text("tools")
    ).call(as: LuaTable.self)
    let title: String = try tools.get("title")
    let resize: LuaFunction = try tools.get("resize")
    let size = try resize.call(3, 4)
    let width = try resize.call(3, 4, as: Int.self)
    let (wide, high) = try resize.call(3, 4, as: (Int, Int).self)
    try tools.set("half", to: state.function("half") { (n: Double) in n / 2 })
    // guide end
    #expect(title == "Demo")
    #expect(size == [6, 8])
    #expect(width == 6)
    #expect((wide, high) == (6, 8))
    #expect(try tools.get("half", as: LuaFunction.self).call(5) == [2.5])
  }

  @Test("runs a chunk in an environment that inherits the globals")
  func environments() throws {
    let state = try LuaState()
    // guide: an environment
    let environment = try state.makeTable()
    let metatable = try state.makeTable()
    try metatable.set("__index", to: state.globals())
    try environment.setMetatable(metatable)
    let plugin = "name = 'plugin'; label = tostring(name)"
    try state.load(plugin, environment: environment).call()
    let label: String = try environment.get("label")
    // guide end
    #expect(label == "plugin")
    #expect(try state.globals().rawGet("name") == nil)
  }

  @Test("resumes a coroutine until its end")
  func coroutines() throws {
    let state = try LuaState()
    // guide: a coroutine
    let counter = try state.makeCoroutine(state.load("for i = 1, 3 do coroutine.yield(i) end"))
    var counted: [Int] = []
    while let number = try counter.resume(as: Int?.self) { counted.append(number) }
    let status = try counter.status
    // guide end
    #expect(counted == [1, 2, 3])
    #expect(status == .dead)
  }

  @Test("chooses libraries")
  func libraries() throws {
    // guide: libraries
    let small = try LuaState(libraries: [.base, .string, .table, .math])
    let plugins = try LuaState(libraries: .sandbox.subtracting([.os, .coroutine]))
    // guide end
    #expect(try small.load("return os, math ~= nil").call() == [nil, true])
    #expect(try plugins.load("return os, io, dofile, utf8 ~= nil").call() == [nil, nil, nil, true])
  }

  @Test("redirects output")
  func output() throws {
    let state = try LuaState()
    // guide: output
    var log = ""
    try state.redirectOutput { log += $0.description }
    try state.load("print('a', 1) io.write('b')").call()
    try state.redirectOutput(to: nil)
    // guide end
    #expect(log == "a\t1\nb")
  }

  @Test("converts a type of one's own")
  func ownType() throws {
    let state = try LuaState()
    let half = try state.function("half") { (part: Percentage) in Percentage(value: part.value / 2)
    }
    #expect(try half.call(80, as: Int.self) == 40)
    let error = try #require(throws: LuaError.self) { try half.call(101) }
    #expect(error.message == "bad argument #1 to 'half' (a percentage expected, got 101)")
  }
}
