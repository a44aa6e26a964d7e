import Lua
import Testing
import TestSupport

@MainActor
@Suite("Closing and collecting objects", .timeLimit(.minutes(5)))
struct CloseAndCollectTests {
  let fixture: Fixture
  private let log = Log()
  let counter = LifeCounter()

  init() throws {
    fixture = try Fixture()
    let log = log
    let counter = counter
    fixture.host.function("open", "name") { (name: String) in Door(name, log, counter.token()) }
    fixture.host.function("gate") { () -> Door in IronGate("g", log, counter.token()) }
    fixture.host.function("log") { log.entries.joined(separator: ", ") }
    try fixture.install()
    try fixture.state.setGlobal("point", to: Point())
  }

  @Test("a variable is closed at the end of its block, the last one first")
  func closed() throws {
    try fixture.call(
      "do local a <close> = host.open('a') local b <close> = host.open('b') end host.open('c')")
    #expect(log.entries.prefix(2) == ["close b nil", "close a nil"])
  }

  @Test("it is closed when an error leaves the block, and gets the error, which propagates")
  func closedByError() throws {
    let error = try fixture.failure("local a <close> = host.open('a') error('oh', 0)")
    #expect(error.message == "oh")
    #expect(log.entries == ["close a string"])
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- an error while closing replaces the one that left the block
      local a <close> = host.open('jammed') error('oh', 0) --> cancelled: the door is jammed
      -- an object whose class has no close can't be a variable to close
      local p <close> = point --> runtime_error: …a non-closable value…
      -- a variable is closed when its coroutine is
      local co = coroutine.create(function() local a <close> = host.open('a') coroutine.yield() end)
      coroutine.resume(co)
      coroutine.close(co)
      return host.log() --> close a nil
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test("an object is notified once when Lua releases it")
  func collected() throws {
    try fixture.call("kept = host.open('kept') host.open('dropped')")
    try fixture.state.collectAll()
    #expect(log.entries == ["collect dropped"])
    #expect(counter.alive == 1)
    try fixture.call("kept = nil")
    try fixture.state.collectAll()
    #expect(log.entries == ["collect dropped", "collect kept"])
    #expect(counter.alive == 0)
  }

  @Test("closing the state releases every object")
  func stateClosed() throws {
    try fixture.call("kept = host.open('kept')")
    fixture.state.close()
    #expect(log.entries == ["collect kept"])
    #expect(counter.alive == 0)
  }

  @Test("an object that is passed to Lua again is released again")
  func again() throws {
    let door = Door("d", log, counter.token())
    for _ in 0..<2 {
      try fixture.state.setGlobal("door", to: door)
      try fixture.call("door = nil")
      try fixture.state.collectAll()
    }
    #expect(log.entries == ["collect d", "collect d"])
    #expect(counter.alive == 1)
  }

  @Test("a finalizer called by hand notifies it once")
  func byHand() throws {
    try fixture.call(
      "local d = host.open('d') local mt = debug.getmetatable(d) mt.__gc(d) mt.__gc(d)")
    #expect(log.entries == ["collect d"])
    #expect(counter.alive == 0)
    fixture.state.close()
    #expect(log.entries == ["collect d"])
  }

  @Test("a subclass is closed and collected in its own way")
  func inherited() throws {
    try fixture.call("do local g <close> = host.gate() end")
    try fixture.state.collectAll()
    #expect(log.entries == ["close g nil", "collect gate g"])
    #expect(counter.alive == 0)
  }
}

private final class Log {
  var entries: [String] = []
}

private class Door: LuaExposed {
  let name: String
  let log: Log
  private let token: LifeCounter.Token

  init(_ name: String, _ log: Log, _ token: LifeCounter.Token) {
    self.name = name
    self.log = log
    self.token = token
  }

  class var luaTypeName: String { "door" }

  class func describe(_ members: LuaClass<Door>) {
    members.closed { door, error in
      if door.name == "jammed" { throw LuaError(.cancelled, "the door is jammed") }
      let kind =
        switch error {
        case .nil: "nil"
        case .string: "string"
        default: "other"
        }
      door.log.entries.append("close \(door.name) \(kind)")
    }
    members.collected { door in door.log.entries.append("collect \(door.name)") }
  }
}

private final class IronGate: Door {
  override class func describe(_ members: LuaClass<Door>) {
    super.describe(members)
    members.refine(IronGate.self) { gate in
      gate.collected { gate in gate.log.entries.append("collect gate \(gate.name)") }
    }
  }
}
