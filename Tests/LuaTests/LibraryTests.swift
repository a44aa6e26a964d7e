import Testing

@testable import Lua

@MainActor
@Suite("Choosing libraries")
struct LibraryTests {
  nonisolated private static let names: [(LuaLibraries, String)] = [
    (.base, "print"), (.package, "require"), (.coroutine, "coroutine"), (.table, "table"),
    (.io, "io"), (.os, "os"), (.string, "string"), (.math, "math"), (.utf8, "utf8"),
    (.debug, "debug"),
  ]

  /// The libraries whose global is there.
  private func libraries(of state: LuaState) throws -> LuaLibraries {
    let globals = try state.globals()
    return try Self.names.reduce(into: []) { found, library in
      if try globals.rawGet(library.1) != .nil { found.insert(library.0) }
    }
  }

  @Test(
    "one library alone, and all but one, can be chosen, and the state works",
    arguments: names.flatMap { [$0.0, LuaLibraries.all.subtracting($0.0)] })
  func chosen(libraries: LuaLibraries) throws {
    let state = try LuaState(libraries: libraries)
    #expect(try self.libraries(of: state) == libraries)
    #expect(try state.load("local t = {1, 2} return #t").call() == [2])
    try state.collectGarbage()
  }

  @Test("without any, modules, objects, limits, errors and tasks work")
  func none() async throws {
    let state = try LuaState(libraries: [])
    #expect(try state.globals().entries().isEmpty)
    try state.setGlobal("task", to: LuaModule.task(for: state))
    try state.setGlobal("point", to: Point(x: 3))
    #expect(try await state.run(state.load("return point.x")) == [3])
    let error = #expect(throws: LuaError.self) {
      try state.load("x.y = 1", name: .text("t")).call()
    }
    #expect(error?.location == "t:1")
    state.limitInstructions(to: 10_000)
    let endless = try state.load("while true do end")
    #expect(throws: LuaError.self) { try endless.call() }
    let coroutine = try state.makeCoroutine(state.load("return ..."))
    #expect(try coroutine.resume(1) == [1])
    try state.redirectOutput { _ in }
  }

  @Test("the sandbox is a set to choose from, and stays restricted")
  func sandbox() throws {
    let state = try LuaState(libraries: .sandbox.subtracting([.os, .package]))
    #expect(
      try libraries(of: state) == [.base, .coroutine, .table, .string, .math, .utf8])
    #expect(try state.load("return dofile, loadfile, string.dump").call() == [nil, nil, nil])
    let withFiles = try LuaState(libraries: .sandbox.union(.io))
    #expect(try libraries(of: withFiles).contains(.io))
    #expect(
      try withFiles.load("return os.exit, dofile, io.open ~= nil").call() == [nil, nil, true])
  }

  @Test("chosen libraries can be restricted, and others are complete")
  func restricted() throws {
    let state = try LuaState(libraries: [.base, .os, .restricted])
    #expect(try state.load("return os.exit, dofile, os.time ~= nil").call() == [nil, nil, true])
    let complete = try LuaState(libraries: [.base, .os])
    #expect(try complete.load("return os.exit ~= nil, dofile ~= nil").call() == [true, true])
  }
}
