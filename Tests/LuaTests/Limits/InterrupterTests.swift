import Foundation
import Lua
import Synchronization
import Testing
import TestSupport

@MainActor
@Suite("An interrupter, from another thread", .timeLimit(.minutes(5)))
struct InterrupterTests {
  /// Interrupts, again and again, until told to end.
  ///
  /// A separate thread, since Lua code may keep all threads of Swift's tasks busy.
  private final class Interrupting: Sendable {
    private let isOver = Atomic<Bool>(false)
    private let count = Atomic<Int>(0)

    var hasStopped: Bool { count.load(ordering: .relaxed) > 0 }

    init(_ interrupter: LuaInterrupter) {
      Thread.detachNewThread { [self] in
        while !isOver.load(ordering: .relaxed) {
          if interrupter.interrupt() == .stopping { count.add(1, ordering: .relaxed) }
          usleep(500)
        }
      }
    }

    func end() { isOver.store(true, ordering: .relaxed) }
  }

  @Test(
    "stops code wherever it loops",
    arguments: [
      "while true do string.rep('x', 10) end",
      "while true do pcall(function() while true do string.rep('x', 10) end end) end",
      "while true do pcall(coroutine.wrap(function() while true do string.rep('x', 10) end end)) end",
      "setmetatable({}, {__gc = function() while true do string.rep('x', 10) end end}) collectgarbage()",
      "while true do debug.sethook() string.rep('x', 10) end",
    ])
  func loops(source: String) async throws {
    let state = try LuaState()
    let interrupting = Interrupting(try state.interrupter())
    defer { interrupting.end() }
    for _ in 1...10 {
      let error = #expect(throws: LuaError.self) { try state.load(source).call() }
      #expect(error?.is(.interrupted) == true)
    }
    #expect(interrupting.hasStopped)
  }

  /// Reads a pipe to its end, and interrupts when the first byte has come.
  ///
  /// A separate thread, since the code that writes keeps this one busy.
  private final class InterruptingReader: Sendable {
    private let count = Atomic<Int>(0)
    private let end = DispatchSemaphore(value: 0)

    init(of path: String, _ interrupter: LuaInterrupter) {
      Thread.detachNewThread { [self] in
        let descriptor = open(path, O_RDONLY)
        var buffer = [UInt8](repeating: 0, count: 1)
        count.add(read(descriptor, &buffer, 1), ordering: .relaxed)
        _ = interrupter.interrupt()
        buffer = [UInt8](repeating: 0, count: 0x10000)
        while case let more = read(descriptor, &buffer, buffer.count), more > 0 {
          count.add(more, ordering: .relaxed)
        }
        close(descriptor)
        end.signal()
      }
    }

    /// The number of bytes that came.
    func length() -> Int {
      #expect(end.wait(timeout: .now() + 60) == .success)
      return count.load(ordering: .relaxed)
    }
  }

  @Test(
    "stops code in the middle of a long text that it writes",
    arguments: ["file:write(text)", "io.output(file) io.write(text)"])
  func writing(code: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/pipe"
    #expect(mkfifo(path, 0o600) == 0)
    let state = try LuaState()
    let reader = InterruptingReader(of: path, try state.interrupter())
    let length = 1 << 24
    let error = #expect(throws: LuaError.self) {
      try state.load(
        "local file, text = io.open('\(path)', 'w'), ('x'):rep(\(length)) \(code)"
      ).call()
    }
    #expect(error?.is(.interrupted) == true)
    state.close()
    #expect((1..<length).contains(reader.length()))
  }

  @Test("may be used while the state is used, and after it has closed")
  func afterClose() async throws {
    let state = try LuaState()
    let interrupter = try state.interrupter()
    let interrupting = Interrupting(interrupter)
    defer { interrupting.end() }
    var interrupted = 0
    for _ in 1...500 {
      do {
        try state.load("for i = 1, 100 do string.rep('x', 10) end").call()
      } catch {
        #expect(error.is(.interrupted))
        interrupted += 1
      }
    }
    #expect(interrupted < 500)
    state.close()
    #expect(interrupter.interrupt() == .idle)
  }

  @Test("stops the next code if none runs, unless it is withdrawn")
  func next() throws {
    let state = try LuaState()
    let interrupter = try state.interrupter()
    #expect(interrupter.interruptNowOrNext() == .idle)
    #expect(interrupter.withdrawInterrupt())
    #expect(!interrupter.withdrawInterrupt())
    #expect(try state.load("return 1").call() == [1])
    #expect(interrupter.interruptNowOrNext() == .idle)
    let error = #expect(throws: LuaError.self) { try state.load("while true do end").call() }
    #expect(error?.is(.interrupted) == true)
    #expect(!interrupter.withdrawInterrupt())
    #expect(try state.load("return 2").call() == [2])
  }

  @Test("stops a task that continues before the host has stopped its wait")
  func nextOfWaitingTask() async throws {
    let state = try LuaState()
    let module = LuaModule("host", help: "Host.")
    module.asyncFunction("wait") { () in { await Task.yield() } }
    try state.setGlobal("host", to: module)
    let task = try state.start(state.load("host.wait() while true do end"))
    #expect(task.status == .waiting)
    #expect(try state.interrupter().interruptNowOrNext() == .idle)
    do {
      _ = try await task.value()
      Issue.record("The task wasn't stopped.")
    } catch {
      #expect(error.is(.interrupted))
    }
  }

  @Test("stops states that run in parallel, each on its own")
  func parallel() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<2 {
        group.addTask { @concurrent in
          let state = try LuaState()
          let interrupting = Interrupting(try state.interrupter())
          defer { interrupting.end() }
          for _ in 0..<5 {
            do {
              try state.load("while true do string.rep('x', 10) end").call()
            } catch let error as LuaError {
              guard error.is(.interrupted) else { return false }
            }
          }
          return true
        }
      }
      for try await succeeded in group { #expect(succeeded) }
    }
  }
}
