import Foundation
import Lua
import Synchronization
import Testing

// Built with a package's default settings, as a user of the library builds.

@Suite("A state, wherever it is made,", .timeLimit(.minutes(5)))
struct ActorTests {
  /// Adds `host.later(value)`, which suspends, and `host.bump()`, which calls the closure.
  static func addHost(to state: LuaState, bump: @escaping () -> Void = {}) throws {
    let host = LuaModule("host", help: "What a test offers.")
    host.asyncFunction("later", "value") { (value: Int) in
      { () async throws -> Int in
        try await Task.sleep(for: .milliseconds(1))
        return value
      }
    }
    host.function("bump") { bump() }
    try state.setGlobal("host", to: host)
    try state.setGlobal("task", to: LuaModule.task(for: state))
  }

  static let script = """
    local t = task.spawn(function() host.bump() return host.later(1) end)
    host.bump()
    return host.later(2) + t:await()
    """

  actor Engine {
    private let state: LuaState
    private var count = 0

    init() throws { state = try LuaState() }

    init(waiting: Bool) async throws { state = try LuaState() }

    func run() async throws -> (sum: Int, count: Int) {
      try ActorTests.addHost(to: state) {
        self.assertIsolated()
        self.count += 1
      }
      let chunk = try state.load(ActorTests.script)
      return (try await state.run(chunk, as: Int.self), count)
    }

    func spawnInCall() async throws -> Int {
      try ActorTests.addHost(to: state) { self.count += 1 }
      try state.load("task.spawn(function() host.later(1) host.bump() end)").call()
      let before = count
      _ = await state.finishTasks()
      return count - before
    }
  }

  @Test("in an actor's init, async or not, waits on that actor", arguments: [false, true])
  func actorInit(isAsync: Bool) async throws {
    let engine = try await isAsync ? Engine(waiting: true) : Engine()
    let (sum, count) = try await engine.run()
    #expect((sum, count) == (3, 2))
  }

  @Test("lets tasks wait that a plain call started before the actor was known")
  func spawnInCall() async throws {
    #expect(try await Engine().spawnInCall() == 1)
  }

  final class Player {
    let state: LuaState

    init() throws {
      state = try LuaState()
      try ActorTests.addHost(to: state)
    }

    nonisolated(nonsending) func play() async throws -> [LuaValue] {
      try await state.run(state.load(ActorTests.script))
    }
  }

  @Test("in a plain class, waits on the main actor that uses it")
  @MainActor
  func plainClass() async throws {
    let player = try Player()
    #expect(try await player.play() == [3])
  }

  @Test("outside any actor, runs what its tasks wait for only while it is awaited")
  func lentWhileAwaited() async throws {
    let counts = try await Task.detached {
      var count = 0
      let state = try LuaState()
      try ActorTests.addHost(to: state) { count += 1 }
      let (opening, gate) = AsyncStream<Void>.makeStream()
      let wait = try state.asyncFunction("wait") {
        { () async throws -> Void in
          for await _ in opening { return }
        }
      }
      try state.setGlobal("wait", to: wait)
      let task = try state.start(state.load("wait() host.bump() return 7"))
      let isWaiting = task.status == .waiting
      gate.yield()
      // The wait is over: a task that didn't need the state would continue now.
      for _ in 0..<1000 { await Task.yield() }
      let before = count
      let results = try await task.value()
      return (isWaiting, before, count, results == [7])
    }.value
    #expect(counts == (true, 0, 1, true))
  }

  @Test("outside any actor, can be used, awaited and closed again and again, on any thread")
  func manyTimes() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          let state = try LuaState()
          try ActorTests.addHost(to: state)
          let chunk = try state.load("return host.later(...)")
          for round in 0..<20 {
            guard try await state.run(chunk, [number * round]) == [.integer(Int64(number * round))]
            else { return false }
          }
          if number.isMultiple(of: 2) { state.close() }
          return true
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test("can be given to another actor once nothing waits")
  @MainActor
  func givenAway() async throws {
    func make() async throws -> sending LuaState {
      let state = try LuaState(isolation: nil)
      try ActorTests.addHost(to: state)
      return state
    }
    let state = try await make()
    #expect(try await state.run(state.load(Self.script)) == [3])
  }

  @concurrent
  private static func usedState() async throws -> sending LuaState {
    let state = try LuaState()
    try ActorTests.addHost(to: state)
    _ = try await state.run(state.load("return host.later(1)"))
    return state
  }

  @Test("used outside any actor first, waits on the actor that it is given to")
  @MainActor
  func givenAfterUse() async throws {
    let state = try await Self.usedState()
    try state.load("result = 0 task.spawn(function() result = host.later(7) end)").call()
    #expect(await state.finishTasks().isEmpty)
    #expect(try state.global("result", as: Int.self) == 7)
  }

  @Test("on the main actor, can be used by a job of the main queue while tasks wait")
  @MainActor
  func mainQueueJob() async throws {
    let state = try LuaState()
    try ActorTests.addHost(to: state)
    let task = try state.start(state.load("return host.later(5)"))
    let answer = await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          do {
            continuation.resume(returning: try state.load("return 6 * 7").call(as: Int.self))
          } catch {
            continuation.resume(returning: 0)
          }
        }
      }
    }
    #expect(answer == 42)
    #expect(try await task.value() == [5])
  }

  /// Ends a stream when it is released.
  private final class Witness: Sendable {
    private let continuation: AsyncStream<Never>.Continuation
    init(_ continuation: AsyncStream<Never>.Continuation) { self.continuation = continuation }
    deinit { continuation.finish() }
  }

  private actor Holder {
    private let witness: Witness
    private let state: LuaState?
    private lazy var ownState = Result { try LuaState() }

    init(_ witness: Witness, makesState: Bool) throws {
      self.witness = witness
      state = makesState ? try LuaState() : nil
    }

    func run() async throws -> Int {
      let state = try state ?? ownState.get()
      try ActorTests.addHost(to: state)
      return try await state.run(state.load("return host.later(1)"), as: Int.self)
    }
  }

  @Test(
    "doesn't keep the actor alive that it belongs to", arguments: [true, false])
  func releasedActor(isMadeInInit: Bool) async throws {
    let (ends, continuation) = AsyncStream<Never>.makeStream()
    let answer = try await Holder(Witness(continuation), makesState: isMadeInInit).run()
    #expect(answer == 1)
    // Ends when the actor does; the suite's time limit otherwise.
    for await _ in ends {}
  }

  @Test("that is released while its tasks wait, leaves nothing behind")
  func released() async throws {
    let (ends, continuation) = AsyncStream<Never>.makeStream()
    try await Task.detached {
      let state = try LuaState()
      let witness = Witness(continuation)
      let host = LuaModule("host", help: "What a test offers.")
      host.asyncFunction("never") {
        { () async throws -> Void in
          _ = witness
          try await Task.sleep(for: .seconds(3600))
        }
      }
      try state.setGlobal("host", to: host)
      _ = try state.start(state.load("host.never()"))
    }.value
    // Ends when the witness does; the suite's time limit otherwise.
    for await _ in ends {}
  }

  actor LateOwner {
    private let state: LuaState

    /// The state runs before the actor has it, and a task still waits when it does.
    init() async throws {
      let state = try LuaState()
      try ActorTests.addHost(to: state)
      try await state.run(
        state.load("task.spawn(function() for i = 1, 20 do host.later(i) end done = true end)"))
      self.state = state
    }

    func answer() async throws -> Int {
      try await state.run(state.load("return host.later(42)"), as: Int.self)
    }

    func finish() async throws -> Bool {
      let failures = await state.finishTasks()
      return try failures.isEmpty && state.global("done", as: Bool.self)
    }

    func stop() async throws -> Int {
      state.stopTasks()
      _ = await state.finishTasks()
      assertIsolated()
      return try await answer()
    }
  }

  @Test("and run outside any actor, waits there until its tasks have ended, then on the actor")
  func lateOwner() async throws {
    let owner = try await LateOwner()
    #expect(try await owner.answer() == 42)
    #expect(try await owner.finish())
    async let first = owner.answer()
    async let second = owner.answer()
    #expect(try await [first, second] == [42, 42])
    #expect(try await owner.answer() == 42)
    #expect(try await LateOwner().stop() == 42)
  }
}

@Suite("An async closure with a capture list", .timeLimit(.minutes(1)))
struct CaptureListTests {
  private final class Log: Sendable {
    private let isOnActor = Mutex<[String: Bool]>([:])

    func note(_ name: String, isolation: (any Actor)?) {
      isOnActor.withLock { $0[name] = isolation === MainActor.shared }
    }

    subscript(name: String) -> Bool? { isOnActor.withLock { $0[name] } }
  }

  /// Outside any actor in the source, where the compiler's bug is.
  private static func addFunctions(to state: LuaState, _ log: Log) throws {
    let host = LuaModule("host", help: "What a test offers.")
    host.asyncFunction("inner") {
      { [log] () async throws -> Int in
        log.note("inner", isolation: #isolation)
        await Task.yield()
        return 1
      }
    }
    host.asyncFunction("outer") { [log] in
      { () async throws -> Int in
        log.note("outer", isolation: #isolation)
        await Task.yield()
        return 2
      }
    }
    host.asyncFunction("use", "f") { (function: LuaFunction) in
      { [function] () async throws -> Int in
        await Task.yield()
        return try function.call(as: Int.self)
      }
    }
    try state.setGlobal("host", to: host)
  }

  // Fails when the compiler is mended: then remove the check, the warnings and this suite.
  @Test("runs off the state's actor in Swift 6.3, unless the list is at the closure around it")
  @MainActor
  func leavesActor() async throws {
    let state = try LuaState()
    let log = Log()
    try Self.addFunctions(to: state, log)
    _ = try await state.run(state.load("pcall(host.inner) pcall(host.outer)"))
    #expect(log["inner"] == false)
    #expect(log["outer"] == true)
  }

  @Test(
    "gets an error that says so if it uses the state there, and the script continues on the actor")
  @MainActor
  func usesState() async throws {
    let state = try LuaState()
    try Self.addFunctions(to: state, Log())
    var isOnActor = false
    let check = LuaModule("check", help: "What a test offers.")
    check.function("actor") {
      MainActor.assertIsolated()
      isOnActor = true
    }
    try state.setGlobal("check", to: check)
    let results = try await state.run(
      state.load(
        """
        local ok, err = pcall(host.use, function() return 1 end)
        check.actor()
        return ok, err.code, tostring(err)
        """))
    #expect(results.prefix(2) == [.boolean(false), .string("off_actor")])
    #expect("\(results[2])".contains("capture list"))
    #expect(isOnActor)
  }

  private actor Closer {
    private let state: LuaState

    init(_ what: String) throws {
      state = try LuaState()
      let task = LuaModule.task(for: state)
      try state.setGlobal("task", to: task)
      let host = LuaModule("host")
      host.asyncFunction("sleep") { { () async throws in try await Task.sleep(for: .seconds(60)) } }
      host.asyncFunction("close") { [unowned state] in
        { [state] () async throws -> Int in
          state.close()
          return 1
        }
      }
      host.asyncFunction("stop") { [unowned state] in
        { [state] () async throws -> Int in
          for _ in 0..<100 { state.stopTasks() }
          return 1
        }
      }
      try state.setGlobal("host", to: host)
      _ = try state.start(state.load("pcall(host.\(what))"))
    }

    /// Uses the state while the closure does, and then waits for what the closure asked for.
    func work() async throws -> Bool {
      let loop = try? state.load("for i = 1, 2e5 do local x = tostring(i) end")
      try loop?.call()
      _ = await state.finishTasks()
      return (try? state.load("return 1")) == nil
    }
  }

  @Test("that closes the state or stops its tasks has the actor do that")
  func closesState() async throws {
    for _ in 0..<5 {
      #expect(try await Closer("close").work())
      #expect(try await !Closer("stop").work())
    }
  }

  @Test("gets the error outside any actor, too, while the code that has the state uses it")
  func outsideActors() async throws {
    let code = try await Task.detached {
      let state = try LuaState()
      try state.setGlobal("task", to: LuaModule.task(for: state))
      let uses = try state.asyncFunction("uses") { [unowned state] in
        { [state] () async throws -> Int in
          try await Task.sleep(for: .milliseconds(2))
          var sum = 0
          for _ in 0..<1_000 {
            sum += try state.load("return #tostring({})").call(as: Int.self)
          }
          return sum
        }
      }
      try state.setGlobal("uses", to: uses)
      let awaiting = try state.load("local ok, err = pcall(t.await, t) return not ok and err.code")
      try await state.run(state.load("t = task.spawn(uses)"))
      let loop = try state.load("for i = 1, 1e4 do local x = tostring(i) end")
      for _ in 0..<50 { try loop.call() }
      return try await state.run(awaiting, as: String.self)
    }.value
    #expect(code == "off_actor")
  }
}
