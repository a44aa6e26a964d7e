import Testing
import TestSupport

@Suite("Bad input gets one clear message and status 1")
struct BadInputTests {
  private let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
    _ = try home.write("scenario('empty', function() end)", to: "a.scenario.lua")
    _ = try home.write("local x = 1\nx = = 2\n", to: "bad.lua")
    _ = try home.write("\u{1B}Lua", to: "code.luac")
    try home.makeFolder("folder")
  }

  @Test(
    "what is no script",
    arguments: [
      ("nowhere.lua", "cannot read nowhere.lua: No such file or directory\n"),
      ("tset", "there is no script tset; did you mean primerepl test?\n"),
      ("a.scenario.lua", "a.scenario.lua has scenarios: run primerepl test a.scenario.lua\n"),
      ("folder", "cannot read folder: Is a directory\n"),
      ("bad.lua", "bad.lua:2: unexpected symbol near '='\n  x = = 2\n      ^\n"),
    ])
  func script(name: String, message: String) async throws {
    let result = try await CommandRunner(home: home).run([name])
    #expect(result.output == "")
    #expect(result.error == "primerepl: \(message)")
    #expect(result.status == .exited(1))
  }

  @Test("bytecode for a script")
  func bytecode() async throws {
    let result = try await CommandRunner(home: home).run(["code.luac"])
    #expect(result.error.contains("attempt to load a binary chunk"))
    #expect(result.status == .exited(1))
  }

  @Test(
    "error values that aren't strings",
    arguments: [
      ("error({})", "(error object is a table value)"),
      ("error(nil)", "(error object is a nil value)"),
      ("error(setmetatable({}, { __tostring = function() return 'my own' end }))", "my own"),
      ("error(42)", "42"), ("error(1.5)", "1.5"),
    ])
  func errorObjects(code: String, message: String) async throws {
    let result = try await CommandRunner().run(["-e", code])
    #expect(result.output == "")
    #expect(result.error.hasPrefix("primerepl: \(message)\n"))
    #expect(result.error.ranges(of: "primerepl: ").count == 1)
    #expect(result.status == .exited(1))
  }
}
