import Foundation
import Subprocess
import Testing
import TestSupport

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

@Suite("Every type that files of Lua declare, in processes of primerepl")
struct ProcessCombinationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    _ = try folder.write(
      DeclaredCase.allCases.map(\.declaration).joined(separator: "\n"), to: "app.lua")
  }

  /// Runs primerepl with the app, which must succeed, and returns its output.
  private func run(_ arguments: String...) async throws -> String {
    let result = try await Subprocess.run(
      .path(FilePath(BuiltExecutable.path(of: "primerepl"))), arguments: Arguments(arguments),
      environment: .inherit.updating(["HOME": folder.path, "PRIMEREPL_STATE": nil]),
      workingDirectory: FilePath(folder.path), output: .string(limit: 1 << 20),
      error: .string(limit: 1 << 20))
    #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
    return result.standardOutput
  }

  @Test(
    "is saved, exported and recorded by one, followed and reopened by others, imported, and passes as a scenario",
    arguments: JournalKind.available)
  func isShared(by journal: JournalKind) async throws {
    let place = try await JournalPlace(journal)
    let state = place.address.map { ["--state", $0] } ?? ["--ephemeral"]
    func session(_ code: String) async throws -> String {
      try await run("--app", "app.lua", state[0], state.dropFirst().first ?? "-q", "-e", code)
    }
    let steps = DeclaredCase.allCases.flatMap(\.scripts).joined(separator: "\n")
    let writer = """
      \(steps)
      store.export("a.json") store.export("a.scenario.lua")
      \(place.address == nil ? "" : "store.save() store.undo(9) store.save() store.redo(9) store.save()")
      """
    if place.address == nil {
      _ = try await session(writer)
    } else {
      // Has the session open before the other one writes, and acts on top of it.
      async let follower = session(
        """
        assert(not io.open("go")) io.open("ready", "w"):close()
        while not io.open("go") do task.sleep(0.01) end
        f_integer.step1("x") store.save() store.undo() store.save() store.export("follower.json")
        """)
      let ready = folder.path(of: "ready")
      try await wait(for: ready) { FileManager.default.fileExists(atPath: ready) }
      _ = try await session(writer)
      _ = try folder.write("", to: "go")
      _ = try await follower
      #expect(try folder.read("follower.json") == folder.read("a.json"))
      _ = try await session(#"store.export("reopened.json")"#)
      #expect(try folder.read("reopened.json") == folder.read("a.json"))
    }
    _ = try await run(
      "--app", "app.lua", "-e", #"store.import("a.json") store.export("imported.json")"#)
    #expect(try folder.read("imported.json") == folder.read("a.json"))
    _ = try await run("test", "--app", "app.lua", "a.scenario.lua")
    for name in ["a.json", "a.scenario.lua"] {
      let text = try folder.read(name)
      #expect(!text.contains("secret-") && !text.contains("pin-of-a-script"), "\(name)")
    }
  }
}
