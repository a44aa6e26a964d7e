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

  @Test(
    "in a shell",
    arguments: ShellCase.list(
      """
      # writes an editor's settings, a scenario and a workflow, and says so
      $ primerepl init
      wrote .luarc.json
      wrote .luals/primerepl.lua
      wrote first.scenario.lua
      wrote .github/workflows/scenarios.yml

      Run `primerepl test` in the folder. Editors with the Lua language server complete and check …
      $ cat first.scenario.lua
      -- A first scenario: `primerepl test` runs it in a fresh app. It has to mention every change …
      scenario("counter.increment changes the state", function()
        expect.changes(function() counter.increment(10) end, { ["counter.count"] = 10 })
      end)
      # writes a scenario that passes in any app
      $ primerepl init > written; primerepl test
      …first.scenario.lua
      …1 passed…
      $ mkdir notes; cd notes; notes init > written; notes test
      …first.scenario.lua
      …1 passed…
      # makes a folder that is missing
      $ primerepl init a/b > written; ls a/b
      first.scenario.lua
      # keeps the user's files, and updates the definitions
      $ primerepl init > written
      > for name in .luarc.json .luals/primerepl.lua first.scenario.lua; do echo mine > $name; done
      $ primerepl init
      kept .luarc.json, which was there already
      updated .luals/primerepl.lua
      kept first.scenario.lua, which was there already
      kept .github/workflows/scenarios.yml, which was there already
      …
      $ cat first.scenario.lua .luarc.json; head -n 1 .luals/primerepl.lua
      mine
      mine
      ---@meta
      # says in one line why a folder can't be written
      $ touch file; primerepl init file
      primerepl: file is a file, not a folder
      [1]
      $ touch .luals; primerepl init
      primerepl: cannot write .luals/primerepl.lua: Not a directory
      [1]
      $ primerepl init /proc/folder
      primerepl: cannot write /proc/folder/.luarc.json: No such file or directory
      [1]
      $ primerepl init ""
      primerepl: the folder's name is empty
      [1]
      """))
  func shell(example: ShellCase) async throws { try await runner.check(example) }

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
}
