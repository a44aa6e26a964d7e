import Foundation
import Testing
import TestSupport

@Suite("The init command")
struct InitCommandTests {
  private let folder: TemporaryFolder
  private var runner = CommandRunner()

  init() throws {
    folder = try TemporaryFolder()
    runner.workingDirectory = folder.path
  }

  @Test("writes an editor's settings, a scenario and a workflow, and says so")
  func writes() async throws {
    let result = try await runner.run(["init"])
    #expect(
      result.output == """
        wrote .luarc.json
        wrote .luals/primerepl.lua
        wrote first.scenario.lua
        wrote .github/workflows/scenarios.yml

        Run `primerepl test` in the folder. Editors with the Lua language server complete and check its Lua files.

        """)
    #expect(result.error == "")
    #expect(result.status == .exited(0))
    #expect(
      try folder.read("first.scenario.lua") == """
        -- A first scenario: `primerepl test` runs it in a fresh app. It has to mention every change of the state.
        scenario("counter.increment changes the state", function()
          expect.changes(function() counter.increment(10) end, { ["counter.count"] = 10 })
        end)

        """)
  }

  @Test(
    "writes nothing through a symbolic link",
    arguments: [(".luals/primerepl.lua", "../precious.lua"), (".luals", "elsewhere")])
  func links(link: String, target: String) async throws {
    _ = try folder.write("precious", to: "precious.lua")
    for name in [".luals", "elsewhere"] where name != link {
      try folder.makeFolder(name)
    }
    #expect(symlink(target, folder.path(of: link)) == 0)
    let result = try await runner.run(["init"])
    #expect(
      result.error.contains(
        "cannot write ./.luals/primerepl.lua: it is a symbolic link, or in a folder that is one")
        || result.error.contains("cannot write .luals/primerepl.lua: it is a symbolic link"))
    #expect(result.status == .exited(1))
    #expect(try folder.read("precious.lua") == "precious")
    #expect(folder.files("elsewhere").isEmpty)
  }

  @Test("writes a scenario that passes in any app", arguments: ["primerepl", "notes"])
  func scenarioPasses(program: String) async throws {
    var runner = runner
    runner.program = program
    #expect(try await runner.run(["init"]).status == .exited(0))
    let test = try await runner.run(["test"])
    #expect(test.output.contains("first.scenario.lua\n"))
    #expect(test.output.contains("1 passed"))
    #expect(test.status == .exited(0))
  }

  @Test(
    "writes settings that name the folder with the definitions", arguments: ["primerepl", "notes"])
  func settings(program: String) async throws {
    var runner = runner
    runner.program = program
    _ = try await runner.run(["init"])
    let settings = try JSONDecoder().decode(
      Settings.self, from: Data(folder.read(".luarc.json").utf8))
    #expect(settings.version == "Lua 5.4")
    #expect(settings.library == [".luals"])
    let definitions = try await runner.run(["docs", "--format", "luals"]).output
    #expect(try folder.read(".luals/\(program).lua") == definitions)
  }

  private struct Settings: Decodable {
    let version: String
    let library: [String]

    enum CodingKeys: String, CodingKey {
      case version = "runtime.version"
      case library = "workspace.library"
    }
  }

  @Test("makes a folder that is missing")
  func missingFolder() async throws {
    #expect(try await runner.run(["init", "a/b"]).status == .exited(0))
    #expect(folder.files("a/b").contains("first.scenario.lua"))
  }

  @Test("keeps the user's files, and updates the definitions")
  func again() async throws {
    _ = try await runner.run(["init"])
    for name in [".luarc.json", ".luals/primerepl.lua", "first.scenario.lua"] {
      _ = try folder.write("mine", to: name)
    }
    let result = try await runner.run(["init"])
    #expect(
      result.output.hasPrefix(
        """
        kept .luarc.json, which was there already
        updated .luals/primerepl.lua
        kept first.scenario.lua, which was there already
        kept .github/workflows/scenarios.yml, which was there already

        """))
    #expect(try folder.read("first.scenario.lua") == "mine")
    #expect(try folder.read(".luarc.json") == "mine")
    #expect(try folder.read(".luals/primerepl.lua").hasPrefix("---@meta\n"))
  }

  @Test("writes a workflow that builds the program in its own package, and else installs it")
  func workflow() async throws {
    _ = try await runner.run(["init"])
    let installing = try folder.read(".github/workflows/scenarios.yml")
    #expect(installing.contains("run: primerepl test --ci"))
    #expect(installing.contains("${{ vars.PRIMEREPL_PACKAGE }}"))
    #expect(!installing.contains("swift build"))
    _ = try await runner.run(["init", "package"])
    try FileManager.default.removeItem(
      atPath: folder.path(of: "package/.github/workflows/scenarios.yml"))
    _ = try folder.write("", to: "package/Package.swift")
    _ = try await runner.run(["init", "package"])
    let building = try folder.read("package/.github/workflows/scenarios.yml")
    #expect(building.contains("    container: swift:6.2\n    steps:\n"))
    #expect(building.contains("swift build -c release --product primerepl\n"))
    #expect(!building.contains("vars."))
  }

  @Test("says in one line why a folder can't be written")
  func failures() async throws {
    _ = try folder.write("", to: "file")
    let file = try await runner.run(["init", "file"])
    #expect(file.error == "primerepl: file is a file, not a folder\n")
    #expect(file.status == .exited(1))
    _ = try folder.write("", to: ".luals")
    let part = try await runner.run(["init"])
    #expect(part.error == "primerepl: cannot write .luals/primerepl.lua: Not a directory\n")
    #expect(part.status == .exited(1))
    let missing = try await runner.run(["init", "/proc/folder"])
    #expect(
      missing.error
        == "primerepl: cannot write /proc/folder/.luarc.json: No such file or directory\n")
    #expect(missing.status == .exited(1))
    #expect(try await runner.run(["init", ""]).error == "primerepl: the folder's name is empty\n")
  }
}
