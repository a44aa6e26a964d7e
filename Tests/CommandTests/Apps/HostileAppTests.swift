import Foundation
import TerminalSupport
import Testing
import TestSupport

/// Files of `--app` that try to run for ever, to take all memory, or to get at what they mustn't.
@Suite("Hostile files of --app")
struct HostileAppTests {
  private let folder: TemporaryFolder
  private let runner: CommandRunner

  init() throws {
    folder = try TemporaryFolder()
    var runner = CommandRunner(workingDirectory: folder.path)
    #if os(Linux)
      // A process that took far more than its limit would crash.
      runner.preparation = "ulimit -d 1000000"
    #endif
    runner.timeLimit = .seconds(120)
    self.runner = runner
  }

  /// A file that declares the feature `x`, with more parts of the declaration.
  private func write(_ parts: String, after code: String = "") throws {
    _ = try folder.write(
      """
      local kept = {}
      \(code)
      feature "x" {
        state = { count = 0, text = "", items = list { name = "" }, seen = set "integer" },
        \(parts)
      }
      """, to: "x.lua")
  }

  private func run(_ code: String, _ options: [String] = []) async throws -> CommandOutput {
    try await runner.run(
      ["--sandbox", "--max-memory", "64M", "--max-time", "1"] + options
        + ["--app", "x.lua", "-e", code])
  }

  private func expectStopped(_ code: String, whatever hostile: String = "") async throws {
    let result = try await run(code)
    let message = result.error.split(separator: "\n").first ?? ""
    // Lua unwinds a deep stack without looking for a stop, and on a busy machine that takes long: the watchdog may end it.
    let mayBeEnded = hostile == Self.deepRecursion
    #expect(
      message.hasPrefix("primerepl: stopped: it exceeded its limit of ")
        || message.hasSuffix("not enough memory")
        || message.hasSuffix("not enough memory  [out_of_memory]")
        || (mayBeEnded && message.contains("can't be stopped")), "\(result.error)")
    #expect(result.status == .exited(1))
  }

  private static let deepRecursion = "local function f() return 1 + f() end f()"

  /// Code that never ends, or takes all memory, whatever it catches: one of each kind.
  private static let endlessOfEachKind = [
    "while true do pcall(coroutine.wrap(function() while true do end end)) end",
    "local t = {} while true do pcall(function() t[#t + 1] = ('x'):rep(1e5) .. #t end) end",
  ]

  private static let endless =
    endlessOfEachKind + [
      deepRecursion, "local function f() pcall(f) f() end f()",
      "local t = {} while true do t[#t + 1] = ('x'):rep(1e5) .. #t end",
      "local s = 'x' while true do s = s .. s end",
      "for i = 1, 9 do setmetatable({}, { __gc = function() while true do end end }) end while true do local t = {} end",
      "error(setmetatable({}, { __tostring = function() while true do end end }))",
      "getmetatable('').__index = function() while true do end end return ('x').y",
      "table.sort(setmetatable({}, { __len = function() return 1 << 30 end, __index = function() return 1 end }))",
    ]

  // MARK: - Time and memory

  @Test("are stopped while they are loaded", arguments: endless)
  func loading(code: String) async throws {
    try write("", after: "do \(code) end")
    try await expectStopped("print('loaded')", whatever: code)
  }

  @Test("are stopped in an action, whatever the script catches", arguments: endlessOfEachKind)
  func action(code: String) async throws {
    try write("actions = { go = function(state) \(code) end }")
    try await expectStopped("while true do pcall(x.go) end")
  }

  @Test("are stopped in a derived value, of which there may be many", arguments: endlessOfEachKind)
  func derived(code: String) async throws {
    let values = "abcdefgh".map {
      "d_\($0) = function(state) if state.count > 0 then \(code) end end"
    }
    try write(
      "derived = { \(values.joined(separator: ", ")) }, actions = { go = function(state) state.count = 1 end }"
    )
    let read = "for i = 1, 1e9 do pcall(function() return x.d_a end) end"
    try await expectStopped("store.subscribe('x', print) pcall(x.go) \(read)")
  }

  @Test(
    "are stopped in a request's answer, and in what it asks",
    arguments: [
      "ask = function() return 1 end, done = function(state) while true do end end",
      "ask = function() return 1 end, done = function(state) local t = {} while true do t[#t + 1] = {} end end",
      "ask = function() while true do pcall(function() while true do end end) end end",
      "ask = function() while true do pcall(task.sleep, 1000) end end",
    ])
  func request(parts: String) async throws {
    try write("requests = { go = request { \(parts) } }")
    try await expectStopped("x.go()")
  }

  @Test("are stopped in migrate")
  func migration() async throws {
    let actions = "actions = { go = function(state) state.count = state.count + 1 end }"
    try write(actions)
    let state = ["--state", "x.sqlite"]
    #expect(try await runner.run(state + ["--app", "x.lua", "-e", "x.go()"]).status == .exited(0))
    for code in Self.endlessOfEachKind {
      try write("version = 2, migrate = function(state) \(code) end, \(actions)")
      let result = try await run("print(x.count)", state)
      #expect(
        result.error.contains("exceeded its limit") || result.error.contains("not enough memory"),
        "\(result.error)")
      #expect(!result.error.contains("damaged"))
      #expect(result.output == "")
      #expect(result.status == .exited(1))
    }
    // Nothing was lost.
    try write(actions)
    #expect(
      try await runner.run(state + ["--app", "x.lua", "-e", "print(x.count)"]).output
        == "1\n")
  }

  @Test(
    "are stopped when the state takes too much memory",
    arguments: [
      "while true do state.items:append { name = ('x'):rep(10000) .. #state.items } end",
      "local i = 0 while true do i = i + 1 state.seen:add(i) end",
      "while true do state.text = state.text .. state.text .. 'xxxx' end",
      "state.items:append { name = 'x' } for i = 1, 1e9 do kept[i] = state.items[1] end",
    ])
  func state(code: String) async throws {
    try write("actions = { go = function(state) \(code) end }")
    try await expectStopped("x.go()")
  }

  @Test("can catch that an action exceeds the memory limit, which then has changed nothing")
  func memory() async throws {
    try write(
      """
      actions = {
        big = function(state) state.text = "a" state.text = ("x"):rep(10000000) end,
        many = function(state) for i = 1, 1e9 do state.items:append { name = ("x"):rep(100) .. i } end end,
      }
      """)
    let code = "print(pcall(x.big)) print(pcall(x.many)) print(#x.text, #x.items, #store.history())"
    let result = try await runner.run(["--app", "x.lua", "--max-memory", "8M", "-e", code])
    #expect(result.output == "false\tnot enough memory\nfalse\tnot enough memory\n0\t0\t0\n")
    let free = try await runner.run(["--app", "x.lua", "-e", "x.big() print(#x.text)"])
    #expect(free.output == "10000000\n")
  }

  @Test("end the command where code can't be stopped")
  func unstoppable() async throws {
    let code = "('a'):rep(40):find(('a*'):rep(40) .. 'b')"
    let message = "in a function that can't be stopped, so primerepl ends\n"
    try write("", after: code)
    #expect(try await run("").error.hasSuffix(message))
    try write("actions = { go = function(state) \(code) end }")
    let result = try await run("x.go()")
    #expect(result.error.hasSuffix(message))
    #expect(result.status == .exited(1))
  }

  // MARK: - The outside

  @Test("see nothing of the outside while actions, derived values and files run")
  func names() async throws {
    let names = [
      "io", "os", "debug", "package", "dofile", "loadfile", "collectgarbage", "store", "task",
      "http",
      "clock", "json", "app", "counter", "x", "math.random", "string.dump",
    ]
    let code =
      "local r = {} "
      + names.map { "r[#r + 1] = (\($0.contains(".") ? $0 : "_G.\($0)")) and '\($0)' " }.joined()
      + " return table.concat(r, ' ')"
    try write(
      "derived = { d = function() \(code) end }, actions = { go = function() \(code) end }",
      after: "assert((function() \(code) end)() == '')")
    let result = try await run("print(x.go(), x.d)")
    #expect(result.output == "\t\n", "\(result.error)")
  }

  @Test("can't get at files by require")
  func require() async throws {
    _ = try folder.write("return 'secret'", to: "secret.lua")
    try folder.makeFolder("app")
    _ = try folder.write(
      #"""
      local names = {
        "../../etc/passwd", "/etc/passwd", "..", "../secret", "..secret", "sub/../../secret", "io", "os", "debug", "package",
        "", "\0", "./secret",
      }
      local function loaded()
        local found = {}
        for _, name in ipairs(names) do
          if pcall(require, name) then found[#found + 1] = name end
        end
        return table.concat(found, " ")
      end
      assert(loaded() == "")
      feature "x" { state = { n = 0 }, actions = { go = function() return loaded() end } }
      """#, to: "app/x.lua")
    let result = try await runner.run(["--sandbox", "--app", "app/x.lua", "-e", "print(x.go())"])
    #expect(result.output == "\n", "\(result.error)")
  }

  @Test("can't load bytecode")
  func bytecode() async throws {
    try write("actions = { go = function() return tostring(load('\\27Lua')) end }")
    #expect(try await run("print(x.go())").output == "nil\n")
    _ = try folder.write("\u{1B}Lua", to: "x.lua")
    #expect(try await run("").error.contains("attempt to load a binary chunk"))
  }

  @Test("can't change drafts by metatables, nor crash by those they change")
  func metatables() async throws {
    try write(
      """
      actions = {
        set = function(state) setmetatable(state, {}) end,
        raw = function(state) rawset(state, "count", "x") end,
        clear = function(state)
          for _, view in ipairs { state, state.items, state.seen } do
            local metatable = getmetatable(view)
            for name in pairs(metatable) do metatable[name] = nil end
          end
          return type(state.items)
        end,
        index = function(state) getmetatable(state).__index = state return state.x end,
        swap = function(state) return getmetatable(state.items).__index(state, 1) end,
        gc = function(state) getmetatable(state).__gc(state) return state.count end,
      }
      """)
    let result = try await run(
      """
      for _, name in ipairs { "set", "raw", "swap", "gc", "index", "clear" } do
        for _ = 1, 4 do pcall(x[name]) collectgarbage() end
        assert(x.count == 0, name)
      end
      """)
    #expect(result.error == "")
    #expect(result.status == .exited(0))
  }

  // MARK: - Ctrl-C

  @Test("are stopped by Ctrl-C at the prompt, which continues")
  func interrupt() async throws {
    try write(
      """
      actions = { go = function(state)
        state.count = 1 print("ready") while true do pcall(function() while true do end end) end
      end }
      """)
    let arguments = ["--ephemeral", "-q", "--app", folder.path(of: "x.lua")]
    try await PseudoTerminal.prompt(arguments) { terminal in
      for _ in 1...2 {
        try await terminal.send("x.go()\n", showing: "\nready\n")
        try await terminal.send("\u{03}", showing: "\ninterrupted\n")
        try await terminal.enter("x.count", "0")
      }
    }
  }
}
