import Foundation
import Testing
import TestSupport

@testable import Lua

/// A state with the modules `host`, to which a test adds its functions, and `task`.
@MainActor
final class Fixture {
  let state: LuaState
  let host = LuaModule("host", help: "What a test gives to its scripts.")

  init() throws {
    state = try LuaState()
  }

  /// Makes the modules global; called once the test has added what it needs.
  func install() throws {
    try state.setGlobal("host", to: host)
    try state.setGlobal("task", to: LuaModule.task(for: state))
  }

  /// Runs a script that doesn't wait.
  @discardableResult
  func call(_ source: String) throws -> [LuaValue] {
    try state.load(source, name: .text("test")).call()
  }

  /// Runs a script as a task.
  @discardableResult
  func run(_ source: String) async throws -> [LuaValue] {
    try await state.run(state.load(source, name: .text("test")))
  }

  /// Checks what a script that doesn't wait gives: its results, or its error's code and message.
  func check(_ example: LuaCase) throws {
    let outcome: String
    do {
      outcome = try call(example.code).texts
    } catch let error as LuaError {
      outcome = "\(error.code): \(error.message)"
    }
    #expect(example.allows(outcome), "\(example.code) gives \(outcome)")
    #expect(try stackCount == 0)
  }

  /// Checks what a script gives as a task, as ``check(_:)`` does.
  func checkTask(_ example: LuaCase) async throws {
    let outcome: String
    do {
      outcome = try await run(example.code).texts
    } catch let error as LuaError {
      outcome = "\(error.code): \(error.message)"
    }
    #expect(example.allows(outcome), "\(example.code) gives \(outcome)")
  }

  /// The error that a script which doesn't wait raises; the test fails if it raises none.
  func failure(_ source: String) throws -> LuaError {
    try #require(throws: LuaError.self) { _ = try self.call(source) }
  }

  /// The error that a script run as a task raises; the test fails if it raises none.
  func failureOfTask(_ source: String) async throws -> LuaError {
    try await #require(throws: LuaError.self) { _ = try await self.run(source) }
  }

  /// The value of an expression as a type of Swift.
  func read<Value: LuaReadable>(_ expression: String, as type: Value.Type) throws -> Value {
    try call("value = \(expression)")
    return try state.global("value")
  }

  /// The reason why an expression's value isn't of a type of Swift; the test fails if it is.
  func mismatch<Value: LuaReadable>(_ expression: String, as type: Value.Type) throws -> String {
    let error = try #require(throws: LuaError.self) { try self.read(expression, as: type) }
    #expect(error.is(.wrongType))
    #expect(try stackCount == 0)
    let prefix = "global 'value': "
    #expect(error.message.hasPrefix(prefix))
    return String(error.message.dropFirst(prefix.count))
  }

  /// Makes a global function that takes a value of a type of Swift, and gives it back.
  func addConversion<Value: LuaReadable & LuaPushable>(
    _ name: String, of type: Value.Type
  ) throws {
    try state.setGlobal(name, to: state.function(name) { (value: Value) in value })
  }

  /// The number of values on the main coroutine's stack.
  var stackCount: Int32 {
    get throws { try state.core.stack().count }
  }

  /// Adds `host.later(value)`, which suspends before it returns its argument.
  func addLater() {
    host.asyncFunction("later", "value") { (value: LuaValue) in
      { () async -> LuaValue in
        await Task.yield()
        return value
      }
    }
  }

  /// Adds `host.gate()`, which waits until the gate opens.
  func addGate(_ gate: Gate) {
    host.asyncFunction("gate") { { try await gate.pass() } }
  }

  /// Adds `host.call(fn)`, which calls a function and gives its results.
  func addCall() {
    host.function("call", "fn") { (function: LuaFunction) in LuaVariadic(try function.call()) }
  }

  /// Adds `host.stop()`, which interrupts the code that calls it.
  func addStop() throws {
    let interrupter = try state.interrupter()
    host.function("stop") { _ = interrupter.interrupt() }
  }

  /// Adds `host.fail()`, which throws the error.
  func addFail(with error: any Error) {
    host.function("fail") { () throws -> Void in throw error }
  }

  /// Adds `host.failLater()`, which suspends before it throws the error.
  func addFailLater(with error: any Error) {
    host.asyncFunction("failLater") {
      { () async throws -> Void in
        await Task.yield()
        throw error
      }
    }
  }
}

/// The code and the message of the error that Swift code throws; the test fails if it throws none.
func problem<Value>(
  sourceLocation: SourceLocation = #_sourceLocation, of body: () throws -> Value
) throws -> String {
  let error = try #require(throws: LuaError.self, sourceLocation: sourceLocation) {
    _ = try body()
  }
  return "\(error.code): \(error.message)"
}

/// Something to wait for that opens when a test says so, and that cancelling gets past.
@MainActor
final class Gate {
  private let stream: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func open() { continuation.finish() }

  func pass() async throws {
    for await _ in stream {}
    try Task.checkCancellation()
  }
}

extension [LuaValue] {
  /// The texts of the values, with spaces between them.
  var texts: String { map(\.description).joined(separator: " ") }
}

extension LuaState {
  /// Collects garbage twice: objects that finalizers release are collected the second time.
  func collectAll() throws {
    for _ in 1...2 { try collectGarbage() }
  }
}
