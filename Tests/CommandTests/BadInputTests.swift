import Foundation
import Testing
import TestSupport

@Suite("Bad input gets one clear message and status 1")
struct BadInputTests {
  private func failure(_ arguments: [String]) async throws -> String {
    let result = try await CommandRunner().run(arguments)
    #expect(result.output == "")
    #expect(result.status == .exited(1))
    return result.error
  }

  private func failure(ofCode code: String) async throws -> String {
    let text = try await failure(["-e", code])
    #expect(text.components(separatedBy: "primerepl: ").count == 2)
    return String(text.prefix { $0 != "\n" })
  }

  @Test("a missing script")
  func missingScript() async throws {
    #expect(
      try await failure(["nowhere.lua"])
        == "primerepl: cannot read nowhere.lua: No such file or directory\n")
  }

  @Test("a misspelled subcommand")
  func misspelledSubcommand() async throws {
    #expect(
      try await failure(["tset"])
        == "primerepl: there is no script tset; did you mean primerepl test?\n")
  }

  @Test("a scenario file for a script")
  func scenarioFile() async throws {
    let home = try TemporaryFolder()
    let path = try home.write("scenario('empty', function() end)", to: "a.scenario.lua")
    #expect(
      try await failure([path])
        == "primerepl: \(path) has scenarios: run primerepl test \(path)\n")
  }

  @Test("a folder for a script")
  func folder() async throws {
    #expect(try await failure(["/tmp"]) == "primerepl: cannot read /tmp: Is a directory\n")
  }

  @Test("a script that doesn't compile, with the file and the line")
  func syntaxError() async throws {
    let home = try TemporaryFolder()
    let script = try home.write("local x = 1\nx = = 2\n", to: "bad.lua")
    // Lua shortens long paths at their beginning.
    #expect(try await failure([script]).contains("/bad.lua:2: unexpected symbol near '='\n"))
  }

  @Test("bytecode for a script")
  func bytecode() async throws {
    let home = try TemporaryFolder()
    let script = try home.write("\u{1B}Lua", to: "code.luac")
    #expect(try await failure([script]).contains("attempt to load a binary chunk"))
  }

  @Test(
    "error values that aren't strings",
    arguments: [
      ("error({})", "(error object is a table value)"),
      ("error(nil)", "(error object is a nil value)"),
      ("error()", "(error object is a nil value)"),
      ("error(setmetatable({}, { __tostring = function() return 'my own' end }))", "my own"),
    ])
  func errorObjects(code: String, message: String) async throws {
    #expect(try await failure(ofCode: code) == "primerepl: \(message)")
  }

  @Test("a JSON file that isn't")
  func notJSON() async throws {
    let home = try TemporaryFolder()
    let file = try home.write("[\"a\", ", to: "todos.json")
    let message = try await failure(ofCode: "todo.fetch('\(file)')")
    #expect(message.contains("\(file): "))
    #expect(message.contains("JSON"))
  }

  @Test("strings of any bytes are valid")
  func bytes() async throws {
    let source = Array("io.write('".utf8) + [0xFF, 0xC3, 0x28] + Array("')".utf8)
    let result = try await CommandRunner().run(["-"], input: source)
    #expect(result.outputBytes == [0xFF, 0xC3, 0x28])
    #expect(result.status == .exited(0))
  }
}
