import Foundation
import Testing
import TestSupport

@Suite("The user's folder")
struct HomeFolderTests {
  private let elsewhere: TemporaryFolder

  init() throws { elsewhere = try TemporaryFolder() }

  private func run(_ arguments: [String], home: String?) async throws -> CommandOutput {
    var runner = CommandRunner()
    runner.environment = ["HOME": home, "XDG_DATA_HOME": nil]
    return try await runner.run(arguments)
  }

  @Test("is the one in HOME, for every path")
  func everywhere() async throws {
    try FileManager.default.createDirectory(
      atPath: elsewhere.path(of: "folder"), withIntermediateDirectories: false)
    let code = """
      todo.add("x")
      store.export("~/folder/state.json")
      store.export("~/list.lua")
      store.import("~/folder/state.json")
      local f = io.open(os.getenv("HOME") .. "/list.json", "w"); f:write('["y"]'); f:close()
      todo.fetch("~/list.json")
      print(todo.items[1].text)
      """
    let result = try await run(["--state", "~/session", "-e", code], home: elsewhere.path)
    #expect(result.error == "")
    #expect(result.output == "y\n")
    #expect(
      elsewhere.files("")
        == ["folder", "folder/state.json", "list.json", "list.lua", "session"])
  }

  @Test("isn't known without HOME", arguments: [nil, ""])
  func unknown(home: String?) async throws {
    let result = try await run(
      [
        "-e",
        "print(select(2, pcall(store.export, '~/x'))) print(select(2, pcall(todo.fetch, '~')))",
      ],
      home: home)
    #expect(result.output.split(separator: "\n").count == 2)
    #expect(
      result.output.split(separator: "\n").allSatisfy { $0.contains("HOME isn't set") })
    let state = try await run(["--state", "~/x", "-e", "print(1)"], home: home)
    #expect(state.status == .exited(1))
    #expect(state.error.contains("HOME isn't set"))
  }

  @Test("of other users isn't looked up: ~name is a file name")
  func others() async throws {
    let result = try await run(
      ["-e", "print(select(2, pcall(todo.fetch, '~root/x')).code)"], home: elsewhere.path)
    #expect(result.output == "not_readable\n")
  }

  @Test(
    "with a name of megabytes is refused, not looked up", .timeLimit(.minutes(5)),
    arguments: [
      #""~" .. ("x"):rep(5e6)"#, #"("/a"):rep(20000)"#, #"("/a"):rep(2e6)"#,
      #""~/" .. ("a/"):rep(1e6)"#,
      #"("\u{301}\u{323}"):rep(3e5)"#, #""http://" .. ("//@"):rep(1e6)"#,
    ])
  func long(path: String) async throws {
    let code = """
      local path = \(path)
      for _, f in ipairs{todo.fetch, persons.fetch, landmarks.load, store.export, store.import} do
        local ok, err = pcall(f, path)
        print(ok, type(err.code), #tostring(err) < 20000)
      end
      """
    for options in [[], ["--sandbox", "--max-memory", "64M"]] {
      let result = try await run(options + ["-e", code], home: elsewhere.path)
      #expect(result.output == String(repeating: "false\tstring\ttrue\n", count: 5))
      #expect(result.error == "")
    }
  }
}
