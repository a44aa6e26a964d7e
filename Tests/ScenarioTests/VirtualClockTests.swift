import Dispatch
import Lua
import Scenarios
import Testing
import TestSupport

/// A state whose tasks wait on a virtual clock.
@MainActor
private final class TimedState {
  let clock = VirtualClock()
  let state: LuaState
  /// The number of times that nothing could wake the tasks any more.
  private(set) var stuckCount = 0

  init() throws {
    state = try LuaState()
    try clock.drive(state) { [weak self] in
      self?.stuckCount += 1
      self?.state.stopTasks()
    }
    let (state, clock) = (state, clock)
    try state.setGlobal("task", to: LuaModule.task(for: state, clock: clock))
    let host = LuaModule("host", help: "What the tests need.")
    host.function("now", help: "The seconds.", example: "host.now()") { () in
      Double(clock.elapsed.components.seconds)
        + Double(clock.elapsed.components.attoseconds) / 1e18
    }
    host.asyncFunction("advance", "seconds", help: "Moves on.", example: "host.advance(1)") {
      (seconds: Double) in { try await clock.advance(by: .seconds(seconds)) }
    }
    host.asyncFunction("work", "ms", help: "Works on another thread.", example: "host.work(1)") {
      (milliseconds: Int) in { await work(milliseconds) }
    }
    host.asyncFunction("work_while", "seconds", help: "Works, sleeps, works.", example: "") {
      (seconds: Double) in
      {
        await work(5)
        try await clock.sleep(for: .seconds(seconds))
        await work(5)
      }
    }
    host.asyncFunction("sleep_twice", "a", "b", help: "Sleeps in child tasks.", example: "") {
      (first: Double, second: Double) in
      {
        let start = clock.now
        async let one: Void = clock.sleep(until: start.advanced(by: .seconds(first)))
        async let two: Void = clock.sleep(until: start.advanced(by: .seconds(second)))
        _ = try await (one, two)
      }
    }
    host.asyncFunction("call", "fn", help: "Calls it by Swift.", example: "host.call(print)") {
      [unowned state] (function: LuaFunction) in
      { [unowned state] in _ = try await state.start(function).value() }
    }
    host.asyncFunction("run", "code", help: "Runs it in another state.", example: "host.run('')") {
      (code: String) in { try await Self.run(code, inStateOn: clock) }
    }
    try state.setGlobal("host", to: host)
    // Notes what happens, with the time.
    try state.run(
      """
      log = {}
      function note(word) log[#log + 1] = ("%s@%g"):format(word, host.now()) end
      function sleeper(name, seconds)
        return task.spawn(function() task.sleep(seconds) note(name) end)
      end
      """)
  }

  /// Runs code in another state, whose waits nothing watches.
  private static func run(_ code: String, inStateOn clock: VirtualClock) async throws {
    let state = try LuaState()
    let host = LuaModule("host", help: "Work.")
    host.asyncFunction("work", "ms", help: "Works.", example: "host.work(1)") {
      (milliseconds: Int) in { await work(milliseconds) }
    }
    try state.setGlobal("host", to: host)
    try state.setGlobal("task", to: LuaModule.task(for: state, clock: clock))
    try await state.run(state.load(code, name: .text("other")))
  }

  /// Runs Lua text until all tasks have ended, and returns what was noted.
  func log(of source: String) async throws -> String {
    try await state.run(state.load(source, name: .text("test")))
    for error in await state.finishTasks() { throw error }
    return try state.load("return table.concat(log, ' ')", name: .text("log")).call(as: String.self)
  }
}

extension LuaState {
  fileprivate func run(_ source: String) throws {
    try load(source, name: .text("test")).call()
  }
}

/// Work that no clock knows of: a continuation that another thread resumes.
@concurrent private func work(_ milliseconds: Int) async {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      continuation.resume()
    }
  }
}

@MainActor
@Suite("The virtual clock", .timeLimit(.minutes(2)))
struct VirtualClockTests {
  private let timed: TimedState

  init() throws { timed = try TimedState() }

  private func expect(_ log: String, of source: String) async throws {
    #expect(try await timed.log(of: source) == log)
    #expect(timed.clock.sleeperCount == 0)
    #expect(timed.stuckCount == 0)
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- jumps to the deadline when a task sleeps
      note('begun') task.sleep(3600) note('done') --> begun@0 done@3600
      -- wakes the earliest deadline first
      sleeper('c', 3) sleeper('a', 1) sleeper('b', 2) --> a@1 b@2 c@3
      -- runs all that a sleeper causes before it wakes the next one
      local first = task.spawn(function() task.sleep(1) note("a1") end)
      local second = task.spawn(function() first:await() note("a2") end)
      task.spawn(function() second:await() host.work(5) note("a3") end)
      sleeper("b", 1)
      sleeper("c", 2) --> a1@1 a2@1 a3@1 b@1 c@2
      -- gives way to others without moving on when a task sleeps for no time
      for _, name in ipairs { "a", "b" } do
        task.spawn(function()
          for i = 1, 2 do task.sleep(0) note(name .. i) end
        end)
      end --> a1@0 b1@0 a2@0 b2@0
      -- stands still while an operation works on another thread
      sleeper("slept", 1)
      host.work(20)
      note("worked") --> worked@0 slept@1
      -- stands still before and after an operation's own sleep, while it works
      local t = task.spawn(function() host.work_while(5) note("worked") end)
      sleeper("a", 2) sleeper("b", 6) --> a@2 worked@5 b@6
      -- stands still while one of the tasks that another one awaits works
      sleeper("z", 4)
      task.all {
        function() host.work(10) task.sleep(3) end, function() task.sleep(1) host.work(10) end,
      }
      note("all") --> all@3 z@4
      -- ends a function that takes too long at its time limit
      local ok, err = pcall(task.timeout, 2, task.sleep, 10)
      note(err.code)
      task.sleep(3)
      note("after") --> timeout@2 after@5
      -- forgets the time limit of a function that ends in time
      task.timeout(100, task.sleep, 1) note('in time') --> in time@1
      -- doesn't let a time limit pass while its function works
      task.timeout(1, host.work, 20) note('worked') --> worked@0
      -- wakes a cancelled sleeper at once, and forgets its deadline
      local t = task.spawn(function()
        local ok, err = pcall(task.sleep, 100)
        note(err.code)
      end)
      task.sleep(1)
      t:cancel()
      t:await()
      note("end") --> cancelled@1 end@1
      -- lets a task that no longer awaits another one continue before time passes
      local slow = sleeper("slow", 10)
      local t = task.spawn(function()
        local ok, err = pcall(slow.await, slow)
        note(err.code)
      end)
      task.sleep(1)
      t:cancel()
      task.sleep(0)
      note("inner") --> cancelled@1 inner@1 slow@10
      -- moves on by a time, and wakes all that falls due until then first
      sleeper("d", 4) sleeper("b", 2)
      local ready = task.spawn(function() host.advance(3) note("advanced") end)
      sleeper("c", 3)
      task.spawn(function() task.sleep(1) note("a") task.sleep(2) note("again") end)
      ready:await() --> a@1 b@2 c@3 again@3 advanced@3 d@4
      -- wakes each child task of an operation
      sleeper('later', 10) host.sleep_twice(2, 9) note('both') --> both@9 later@10
      -- lets a thousand sleeps in a row end at the right time, while another task sleeps an hour
      task.spawn(function() task.sleep(3599.9) note("last") end)
      task.spawn(function() task.sleep(3599.9) note("hour") end)
      for _ = 1, 1000 do task.sleep(3.6) end
      note("done") assert(host.now() == 3600) --> last@3599.9 hour@3599.9 done@3600
      -- stands still while Swift runs a Lua function that works
      sleeper("slept", 3)
      host.call(function() task.sleep(2) host.work(10) note("inner") end)
      note("outer") --> inner@2 outer@2 slept@3
      -- stands still while a task of another state works
      sleeper('slept', 1) host.run[[host.work(20)]] note('worked') --> worked@0 slept@1
      sleeper('slept', 1) host.run[[task.spawn(host.work, 20):await()]] note('worked')
      --> worked@0 slept@1
      sleeper('slept', 1) host.run[[task.timeout(5, host.work, 20)]] note('worked')
      --> worked@0 slept@1
      -- lets time pass while tasks of another state sleep
      sleeper('a', 1) sleeper('b', 3) host.run[[task.sleep(2)]] note('slept') --> a@1 slept@2 b@3
      -- isn't stuck while an operation works, however long that takes
      local t = task.spawn(host.work, 30) t:await() note('done') --> done@0
      """))
  func scripts(example: LuaCase) async throws {
    try await expect(example.result, of: example.code)
  }

  @Test("wakes those with equal deadlines in the order they fell asleep")
  func equalDeadlines() async throws {
    let names = (1...100).map(String.init)
    try await expect(
      names.map { "\($0)@7" }.joined(separator: " "),
      of: "for i = 1, 100 do sleeper(i, 7) end")
  }

  // MARK: - Cancellation

  @Test("throws a cancellation to a Swift task that was cancelled before it sleeps")
  func cancelledBefore() async {
    let clock = timed.clock
    let sleeping = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    #expect(clock.sleeperCount == 0)
    #expect(clock.elapsed == .zero)
  }

  @Test("lets sleepers of stopped tasks go")
  func stopped() async throws {
    try timed.state.run("for i = 1, 10 do sleeper(i, i) end")
    timed.state.stopTasks()
    _ = await timed.state.finishTasks()
    #expect(timed.clock.sleeperCount == 0)
    #expect(timed.clock.elapsed == .zero)
  }

  // MARK: - Moving on

  @Test("wakes a Swift task that sleeps outside any operation, when everything waits")
  func sleeperOutside() async throws {
    let clock = timed.clock
    async let slept: Void = clock.sleep(for: .seconds(5))
    try await expect(
      "woken@3 later@9", of: "task.sleep(3) note('woken') task.sleep(6) note('later')")
    try await slept
    #expect(clock.elapsed == .seconds(9))
  }

  @Test("lets time pass for a Swift task even if no Lua code ever ran")
  func onlyOutside() async throws {
    try await timed.clock.advance(by: .seconds(60))
    #expect(timed.clock.elapsed == .seconds(60))
  }

  // MARK: - Stuck tasks

  @Test("reports that tasks wait for each other, and nothing can wake them")
  func stuck() async throws {
    // Lua itself refuses a circle; here Swift hides it.
    await #expect(throws: LuaError.self) {
      _ = try await timed.log(
        of: """
          local outer
          outer = task.spawn(function()
            task.sleep(1)
            host.call(function() outer:await() end)
          end)
          outer:await()
          """)
    }
    #expect(timed.stuckCount == 1)
    #expect(timed.clock.elapsed == .seconds(1))
  }

  @Test("is let go with the state that it drives")
  func lifetime() async throws {
    weak var monitor: LuaWaitMonitor?
    do {
      let state = try LuaState()
      monitor = try state.monitorWaits { _ in }
      #expect(monitor != nil)
    }
    for _ in 0..<100_000 where monitor != nil { await Task.yield() }
    #expect(monitor == nil)
  }

  @Test("drives a state only on an actor")
  func noActor() {
    let clock = VirtualClock()
    nonisolated func drive() -> LuaError? {
      do throws(LuaError) {
        try clock.drive(LuaState()) {}
        return nil
      } catch {
        return error
      }
    }
    #expect(drive()?.code == "cannot_wait")
  }
}
