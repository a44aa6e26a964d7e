import Testing

@testable import Lua

@MainActor
@Suite("Redirected output")
struct OutputTests {
  let fixture: Fixture
  let output = Output()

  /// The output.
  final class Output {
    var pieces: [LuaString] = []
  }

  init() throws {
    fixture = try Fixture()
    fixture.addLater()
    try fixture.install()
    let output = output
    try fixture.state.redirectOutput { output.pieces.append($0) }
  }

  @Test("print writes a line, with the texts of its arguments")
  func print() throws {
    try fixture.call(
      """
      print() print('a', 1, 1.0, nil, true)
      print(setmetatable({}, {__tostring = function() return 'own' end}))
      """)
    #expect(output.pieces == ["\n", "a\t1\t1.0\tnil\ttrue\n", "own\n"])
    #expect(try fixture.failure("print(setmetatable({}, {__tostring = error}))").code == .runtime)
  }

  @Test("io.write and io.stdout write as they do to a file, and return the file")
  func files() throws {
    let arguments = "'a', 1, 1.0, 0.1, 1e100, -0.0, 2^53, math.mininteger, 1/0, '\\0\\xff'"
    try fixture.call("io.write(\(arguments)) io.stdout:write(\(arguments)) io.write()")
    let expected = try fixture.call(
      "local f = io.tmpfile() f:write(\(arguments)) f:seek('set') return f:read('a')")
    #expect(output.pieces.prefix(2).map { .string($0) } == [expected[0], expected[0]])
    #expect(output.pieces.count == 3)
    #expect(
      try fixture.call("return io.write('') == io.stdout, io.stdout:write('') == io.stdout")
        == [true, true])
  }

  @Test("other files are written as usual")
  func otherFiles() throws {
    let values = try fixture.call(
      """
      local f = io.tmpfile()
      io.output(f)
      io.write('a') f:write('b')
      io.output(io.stdout)
      f:seek('set')
      return f:read('a')
      """)
    #expect(values == ["ab"])
    #expect(output.pieces.isEmpty)
  }

  @Test("a value that can't be written is refused as usual, and a closed file too")
  func badValues() throws {
    #expect(
      try fixture.failure("io.write('a', {})").message
        == "test:1: bad argument #2 to 'write' (string expected, got table)")
    #expect(
      try fixture.failure("io.stdout:write({})").message
        == "test:1: bad argument #1 to 'write' (string expected, got table)")
    #expect(throws: LuaError.self) { try fixture.call("io.stdout.write()") }
    #expect(throws: LuaError.self) { try fixture.call("io.stdout.write({}, 'a')") }
    let closed = "local f = io.tmpfile() f:close() f:write('a')"
    #expect(try fixture.failure(closed).message == "test:1: attempt to use a closed file")
    #expect(output.pieces.isEmpty)
  }

  @Test("warnings are written while they are on")
  func warnings() throws {
    try fixture.call("warn('none') warn('@on') warn('a', 1) warn('@off') warn('none')")
    #expect(output.pieces == ["Lua warning: a1\n"])
    #expect(throws: LuaError.self) { try fixture.call("warn({})") }
    #expect(throws: LuaError.self) { try fixture.call("warn()") }
  }

  @Test("tasks, coroutines and functions that were taken before write there too")
  func everywhere() async throws {
    let state = try LuaState()
    try state.load("local p = print function say(x) p(x) end").call()
    var text = ""
    try state.redirectOutput { text += $0.description }
    try await state.run(state.load("say(1) coroutine.wrap(function() say(2) end)()"))
    try state.makeCoroutine(state.load("say(3)")).resume()
    try state.load("setmetatable({}, {__gc = function() say(4) end})").call()
    try state.collectAll()
    #expect(text == "1\n2\n3\n4\n")
  }

  @Test("finalizers write while the state closes")
  func closing() throws {
    let state = try LuaState()
    var text = ""
    try state.redirectOutput { text += $0.description }
    try state.load("new = setmetatable({}, {__gc = function() print('new') end})").call()
    state.close()
    #expect(text == "new\n")
  }

  @Test("what the function throws is raised in the script as the same error")
  func failure() throws {
    struct Full: Error {}
    try fixture.state.redirectOutput { _ in throw Full() }
    let error = try fixture.failure("\nprint(1)")
    #expect(error.underlying is Full)
    #expect(error.location == "test:2")
    #expect(try fixture.call("return pcall(io.write, 1)").first == false)
    #expect(try fixture.stackCount == 0)
  }

  @Test("another function takes over, and nil restores standard output, even in the function")
  func replacing() throws {
    let state = fixture.state
    var other: [LuaString] = []
    try state.redirectOutput {
      other.append($0)
      try state.redirectOutput(to: nil)
    }
    try fixture.call("print(1) io.write('')")
    #expect(other == ["1\n"])
    #expect(output.pieces.isEmpty)
  }

  @Test("a redirection that ends while a line is made leaves that line to standard output")
  func endingWithin() throws {
    let state = fixture.state
    try state.setGlobal("stop", to: state.function("stop") { try state.redirectOutput(to: nil) })
    try fixture.call("print(setmetatable({}, {__tostring = function() stop() return '' end}))")
    #expect(output.pieces.isEmpty)
  }

  @Test("a function that prints itself ends in an error")
  func recursion() throws {
    let state = fixture.state
    try state.redirectOutput { _ in try state.load("print(1)").call() }
    #expect(try fixture.failure("print(1)").message.contains("overflow"))
  }

  @Test("a sandbox and a state without io have their print redirected")
  func sandbox() throws {
    for libraries in [.sandbox, .base] as [LuaLibraries] {
      let state = try LuaState(libraries: libraries)
      var text = ""
      try state.redirectOutput { text += $0.description }
      try state.load("print(1)").call()
      #expect(text == "1\n")
    }
  }
}
