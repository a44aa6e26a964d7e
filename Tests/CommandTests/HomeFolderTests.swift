import Testing
import TestSupport

@Suite("The user's folder")
struct HomeFolderTests {
  @Test("is the one in HOME, for every path")
  func everywhere() async throws {
    let elsewhere = try TemporaryFolder()
    try elsewhere.makeFolder("folder")
    let code = """
      todo.add("x")
      store.export("~/folder/state.json")
      store.export("~/list.lua")
      store.import("~/folder/state.json")
      local f = io.open(os.getenv("HOME") .. "/list.json", "w"); f:write('["y"]'); f:close()
      todo.fetch("~/list.json")
      print(todo.items[1].text)
      """
    let runner = CommandRunner(environment: ["HOME": elsewhere.path, "XDG_DATA_HOME": nil])
    let result = try await runner.run(["--state", "~/session", "-e", code])
    #expect(result.error == "")
    #expect(result.output == "y\n")
    #expect(
      elsewhere.files("")
        == ["folder", "folder/state.json", "list.json", "list.lua", "session"])
  }
}
