import Lua
import Testing

@MainActor
@Suite("Limits of instructions and time", .timeLimit(.minutes(5)))
struct RunLimitTests {
  let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    fixture.addLater()
    fixture.addCall()
    try fixture.install()
    try fixture.call("function loop() while true do end end")
  }

  /// Scripts that never end, and catch what they can.
  nonisolated static let endless = [
    "loop()",
    "while true do pcall(loop) end",
    "while true do xpcall(loop, loop) end",
    "while true do pcall(coroutine.wrap(loop)) end",
    "while true do coroutine.resume(coroutine.create(loop)) end",
    "while true do coroutine.wrap(function() for i = 1, 50 do end end)() end",
    "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end",
    "local x <close> = setmetatable({}, {__close = loop}) loop()",
    "setmetatable({}, {__gc = loop}) while true do collectgarbage() end",
    "setmetatable({}, {__index = loop}).field()",
    "table.sort({1, 2, 3}, loop)",
    "host.call(loop)",
    "task.spawn(loop) loop()",
    "while true do task.spawn(function() for i = 1, 50 do end end) end",
  ]

  /// Sets a limit that endless code soon reaches.
  private func limit(_ code: LuaError.Code) {
    fixture.state.limitInstructions(to: code == .instructionLimit ? 100_000 : nil)
    fixture.state.limitTime(to: code == .timeLimit ? .milliseconds(20) : nil)
  }

  @Test(
    "a limit stops a chunk that is called",
    arguments: endless, [LuaError.Code.instructionLimit, .timeLimit])
  func called(source: String, code: LuaError.Code) throws {
    limit(code)
    #expect(try fixture.failure(source).code == code)
    if code == .timeLimit { fixture.state.limitTime(to: nil) }
    #expect(try fixture.call("for i = 1, 1000 do end return 'works'") == ["works"])
    #expect(try fixture.stackCount == 0)
  }

  @Test(
    "a limit stops a task", arguments: endless, [LuaError.Code.instructionLimit, .timeLimit])
  func task(source: String, code: LuaError.Code) async throws {
    limit(code)
    #expect(try await fixture.failureOfTask(source).code == code)
    if code == .timeLimit { fixture.state.limitTime(to: nil) }
    #expect(try await fixture.run("return host.later('works')") == ["works"])
  }

  @Test(
    "a time limit stops a waiting task, even inside pcall",
    arguments: ["task.sleep(3600)", "while true do pcall(task.sleep, 3600) end"])
  func waiting(source: String) async throws {
    fixture.state.limitTime(to: .milliseconds(20))
    let error = try await fixture.failureOfTask(source)
    #expect(error.is(.timeLimit))
  }

  @Test("a time limit stops all tasks of a group at once")
  func group() async throws {
    try fixture.call(
      """
      started, functions = 0, {}
      for i = 1, 1000 do functions[i] = function() started = started + 1 loop() end end
      """)
    fixture.state.limitTime(to: .milliseconds(20))
    let source = "pcall(task.all, functions) return 'swallowed'"
    #expect(try await fixture.failureOfTask(source).is(.timeLimit))
    // None where the time was over before.
    #expect(try fixture.call("return started <= 1") == [true])
  }

  @Test("tasks that start when the time is over are stopped at once")
  func overdue() async throws {
    try fixture.call("reached = 0")
    fixture.state.limitTime(to: .milliseconds(20))
    let source = """
      task.spawn(loop)
      for i = 1, 1000 do task.spawn(function() reached = reached + 1 loop() end) end
      """
    #expect(try await fixture.failureOfTask(source).is(.timeLimit))
    #expect(try fixture.call("return reached") == [0])
  }

  @Test("a task's limits are those of the code that started it, all together")
  func sharedByTasks() async throws {
    fixture.state.limitInstructions(to: 100_000)
    let source = """
      local function work() for i = 1, 20000 do end host.later() for i = 1, 20000 do end end
      local tasks = {}
      for i = 1, 10 do tasks[i] = task.spawn(work) end
      for _, t in ipairs(tasks) do pcall(t.await, t) end
      return 'swallowed'
      """
    #expect(try await fixture.failureOfTask(source).is(.instructionLimit))
  }

  @Test("code within its limits isn't stopped, however often it runs")
  func within() async throws {
    fixture.state.limitInstructions(to: 10_000)
    fixture.state.limitTime(to: .seconds(60))
    for _ in 1...50 {
      #expect(try fixture.call("local n = 0 for i = 1, 500 do n = n + i end return n") == [125_250])
      #expect(try await fixture.run("for i = 1, 500 do end return host.later(1)") == [1])
    }
  }

  @Test("a stop doesn't affect the limits of later code")
  func coroutineOfEarlierStop() throws {
    fixture.state.limitInstructions(to: 100_000)
    _ = try fixture.failure(
      "co = coroutine.create(function() coroutine.yield() loop() end) coroutine.resume(co) loop()")
    #expect(try fixture.failure("coroutine.resume(co)").is(.instructionLimit))
  }

  @Test("a coroutine that was stopped runs no more code, nor its handlers, in later chunks")
  func stoppedCoroutine() throws {
    fixture.state.limitInstructions(to: 100_000)
    _ = try fixture.failure(
      """
      co = coroutine.create(function()
        local x <close> = setmetatable({}, {__close = loop})
        loop()
      end)
      wrapped = coroutine.wrap(function() coroutine.resume(co) loop() end)
      setmetatable({}, {__gc = function()
        finalizer = coroutine.running()
        local x <close> = setmetatable({}, {__close = loop})
        wrapped()
      end})
      collectgarbage()
      """)
    let source = """
      local ok, message = coroutine.close(co)
      return ok, message, (coroutine.close(finalizer)), coroutine.status(co), (pcall(wrapped))
      """
    #expect(
      try fixture.call(source) == [false, "the coroutine was stopped", false, "dead", false])
  }

  @Test("tasks and finalizers that start each other are counted")
  func shortCoroutines() async throws {
    fixture.state.limitInstructions(to: 10_000)
    let tasks = try await fixture.failureOfTask(
      "function f() task.sleep(0) task.spawn(f):await() end f()")
    #expect(tasks.is(.instructionLimit) || tasks.is(.runtime))
    let finalizers = try fixture.failure(
      """
      local function arm() setmetatable({}, {__gc = arm}) end
      arm()
      while true do collectgarbage() end
      """)
    #expect(finalizers.is(.instructionLimit))
  }

  @Test(
    "finalizers that run while Swift has control are limited too",
    arguments: ["instructions", "time"], ["collection", "close"])
  func finalizersWithoutCode(limit: String, end: String) throws {
    if limit == "time" {
      fixture.state.limitTime(to: .milliseconds(20))
    } else {
      fixture.state.limitInstructions(to: 1_000_000)
    }
    try fixture.call("for i = 1, 3 do kept = setmetatable({kept}, {__gc = loop}) end")
    guard end == "collection" else {
      #expect(fixture.state.close()?.isStop == true)
      return
    }
    try fixture.call("kept = nil")
    try fixture.state.collectGarbage()
    #expect(try fixture.call("return 'works'") == ["works"])
  }

  @Test("an error value whose __tostring doesn't end is stopped")
  func errorText() throws {
    fixture.state.limitInstructions(to: 10_000)
    let error = try fixture.failure("error(setmetatable({}, {__tostring = loop}))")
    #expect(error.is(.instructionLimit))
  }

  @Test("scripts can't replace the limit's hook")
  func hooks() throws {
    fixture.state.limitInstructions(to: 100_000)
    #expect(try fixture.failure("debug.sethook() loop()").message.contains("hooks can't be set"))
    #expect(
      try fixture.failure("while true do pcall(debug.sethook) end").is(.instructionLimit))
    fixture.state.limitInstructions(to: nil)
    #expect(
      try fixture.call(
        "local n = 0 debug.sethook(function() n = n + 1 end, '', 1) debug.sethook() return n > 0")
        == [true])
  }

  @Test("a stop by the limit has the place and the traceback of where the code was")
  func traceback() throws {
    fixture.state.limitInstructions(to: 1000)
    let error = try fixture.failure("local function busy()\n while true do end end\nbusy()")
    #expect(error.message == "stopped: it exceeded its limit of 1000 instructions")
    #expect(error.location == "test:2")
    #expect(error.traceback?.contains("in local 'busy'") == true)
  }

  @Test("an instruction limit of 0 lets hardly any code run", arguments: [0, -1, Int.min])
  func none(limit: Int) throws {
    fixture.state.limitInstructions(to: limit)
    #expect(try fixture.failure("for i = 1, 1000 do end").is(.instructionLimit))
  }

  @Test(
    "times of any length are valid limits",
    arguments: [Duration.seconds(Int64.max), .seconds(1 << 40)])
  func longTimes(limit: Duration) throws {
    fixture.state.limitTime(to: limit)
    #expect(try fixture.call("return 1") == [1])
  }

  @Test(
    "a time limit of 0 stops code that doesn't end at once",
    arguments: [Duration.zero, .seconds(-5)])
  func noTime(limit: Duration) throws {
    fixture.state.limitTime(to: limit)
    #expect(try fixture.failure("loop()").is(.timeLimit))
  }
}

@MainActor
@Suite("Limits")
struct LimitsReadBackTests {
  @Test("can be read back, and are nil until they are set and after they are lifted")
  func readBack() throws {
    let state = try LuaState()
    #expect(state.instructionLimit == nil && state.timeLimit == nil && state.memoryLimit == nil)
    state.limitInstructions(to: 1000)
    state.limitTime(to: .seconds(2))
    try state.limitMemory(to: 5_000_000)
    #expect(state.instructionLimit == 1000)
    #expect(state.timeLimit == .seconds(2))
    #expect(state.memoryLimit == 5_000_000)
    state.limitInstructions(to: nil)
    state.limitTime(to: nil)
    try state.limitMemory(to: nil)
    #expect(state.instructionLimit == nil && state.timeLimit == nil && state.memoryLimit == nil)
  }
}
