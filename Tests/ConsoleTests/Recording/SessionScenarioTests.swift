import Foundation
import PrimereplLoading
import SampleApp
import Scripting
import StateStore
import Testing
import TestSupport

@testable import Console
@testable import PrimereplTerminal

@MainActor
@Suite("Recording: a scenario of a session")
struct SessionScenarioTests {
  private let session: SessionApp
  private let path: String

  init() throws {
    session = try SessionApp()
    path = session.folder.path(of: "x.scenario.lua")
  }

  @Test("can be a part of the history")
  func part() async throws {
    try await session.run("for _ = 1, 3 do counter.increment() end")
    let outcome = try await session.scenario().write(to: path, actions: 2..<3)
    #expect(outcome.summary == "1 action: passed")
  }

  @Test("says why it fails")
  func fails() async throws {
    try await session.run("counter.increment() mine = 5")
    let outcome = try await session.scenario().write(
      to: path, expectations: [try await session.pinned("mine")])
    #expect(outcome.summary == "1 action, 1 expectation: failed")
    #expect(outcome.failures.count == 1)
    #expect(outcome.failures.first?.contains("expect.equal(mine, 5)") == true)
  }

  @Test("fails if the worker process can't be started")
  func noWorker() async throws {
    let scenario = SessionScenario(of: session.app, worker: ["/nonexistent"])
    #expect(try await scenario.write(to: path).failures.count == 1)
  }

  @Test(
    "needs the name of a scenario file",
    arguments: ["", "x.lua", "scenario.lua", "x.scenario.lua/", "x\0.scenario.lua", "\u{1B}c"])
  func names(_ name: String) async throws {
    let scenario = try session.scenario()
    let error = await #expect(throws: (any Error).self) {
      try await scenario.record(to: name)
    }
    #expect("\(try #require(error))".unicodeScalars.allSatisfy { $0.value >= 0x20 })
  }

  @Test("isn't written in a sandbox, nor in a folder that isn't there")
  func unwritable() async throws {
    await #expect(throws: ExportError.self) {
      try await session.scenario().record(to: session.folder.path(of: "none/x.scenario.lua"))
    }
    let sandboxed = try SessionApp(isSandboxed: true)
    await #expect(throws: ExportError.self) { try await sandboxed.scenario().record(to: path) }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}

@MainActor
@Suite("Recording: a recording session")
struct RecordingSessionTests {
  private let session: SessionApp
  private let path: String

  init() throws {
    session = try SessionApp()
    path = session.folder.path(of: "x.scenario.lua")
  }

  private func recording() throws -> RecordingSession {
    try RecordingSession(to: path, of: session.app, by: session.scenario())
  }

  @Test("loses undone actions, and follows an undo beyond its beginning")
  func undo() async throws {
    try await session.run("counter.increment(1) counter.increment(2)")
    let recording = try recording()
    try await session.run("counter.increment(3) counter.increment(4)")
    #expect(try await recording.update()?.actionCount == 2)
    try await session.run("store.undo()")
    #expect(try await recording.update()?.actionCount == 1)
    try await session.run("store.undo(2)")
    #expect(try await recording.update()?.actionCount == 0)
    try await session.run("counter.increment(9)")
    #expect(try await recording.update()?.actionCount == 1)
    #expect(try await recording.stop()?.summary == "1 action: passed")
  }

  @Test("notices that an undone action was replaced by another")
  func sameCount() async throws {
    let recording = try recording()
    try await session.run("counter.increment(1)")
    #expect(try await recording.update() != nil)
    try await session.run("store.undo() counter.increment(2)")
    #expect(try await recording.update()?.text.contains("counter.increment(2)") == true)
  }

  @Test("continues after a reset, and when the history drops its beginning")
  func reset() async throws {
    try await session.run("counter.increment(5)")
    let recording = try recording()
    try await session.run("store.reset()")
    #expect(try await recording.update()?.text.contains("store.reset()") == true)
    try await session.run("store.history_limit = 1 for _ = 1, 300 do counter.increment() end")
    #expect(try await recording.update()?.actionCount == 1)
    #expect(try await recording.stop()?.failures == [])
  }

  @Test("has no outcome if nothing was done")
  func nothing() async throws {
    #expect(try await recording().stop() == nil)
  }

  @Test("leaves out what was pinned before it began")
  func earlierExpectation() async throws {
    let earlier = try await session.pinned("counter.count")
    let recording = try RecordingSession(
      to: path, of: session.app, by: session.scenario(), without: [earlier])
    #expect(try await recording.update(expectations: [earlier]) == nil)
    let later = try await session.pinned("#favorites")
    let text = try await recording.update(expectations: [earlier, later])?.text
    #expect(text?.contains("#favorites") == true)
    #expect(text?.contains("counter.count") == false)
  }

  @Test("leaves an earlier scenario as it is until something is done")
  func earlierScenario() async throws {
    try await session.run("counter.increment()")
    let earlier = try await session.scenario().record(to: path)
    let recording = try recording()
    #expect(try await recording.update() == nil)
    #expect(try session.folder.read("x.scenario.lua") == earlier.text)
  }

  @Test("isn't begun in a file that it couldn't replace")
  func otherFile() throws {
    _ = try session.folder.write("-- mine", to: "x.scenario.lua")
    #expect(throws: CommandError.self) { try recording() }
  }

  @Test("isn't begun in a sandbox")
  func sandbox() throws {
    let session = try SessionApp(isSandboxed: true)
    #expect(throws: ExportError.self) {
      try RecordingSession(to: path, of: session.app, by: session.scenario())
    }
  }
}
