import Testing
import TestSupport

@Suite("A limit of the size of files")
struct FileSizeLimitTests {
  private let home: TemporaryFolder
  private let runner: CommandRunner

  init() throws {
    home = try TemporaryFolder()
    // In blocks of 512 or 1024 bytes.
    runner = CommandRunner(
      workingDirectory: home.path, home: home, preparation: "ulimit -f 4")
  }

  @Test(
    "is an error that names the file, and leaves nothing of it",
    arguments: [
      (["-e", "TEXT store.export('x.json')"], "", "x.json: can't be written: File too large"),
      (["-e", "TEXT store.export('x.lua')"], "", "x.lua: can't be written: File too large"),
      (
        ["-i", "-q"], "('x'):rep(9999)\n.json x.json\n", "x.json: can't be written: File too large"
      ),
      (["-i", "-q"], "{('x'):rep(9999)}\n.csv x.csv\n", "x.csv: can't be written: File too large"),
      (
        ["-i", "-q"], "x = '\(String(repeating: "x", count: 9999))'\n.save x.lua\n",
        "x.lua: can't be written"
      ),
      (["init", "folder"], "", "cannot write folder/.luals/primerepl.lua: File too large"),
      (["new", "shop"], "", "cannot write shop/.luals/primerepl.lua: File too large"),
    ])
  func refused(arguments: [String], input: String, message: String) async throws {
    let arguments = arguments.map {
      $0.replacing("TEXT", with: "todo.add(('x'):rep(9999))")
    }
    let result = try await runner.run(arguments, input: input)
    #expect(result.error.contains(message))
    let files = home.files("").filter { $0.hasPrefix("x") || $0.hasSuffix(".new") }
    #expect(files == [])
    #expect(!home.files("").contains { ["folder", "shop"].contains($0) })
  }

  @Test("is an error of io.write, and ends the children of a script as it would without it")
  func scripts() async throws {
    let code = """
      local file = io.open("x", "w")
      file:setvbuf("no")
      print(file:write(("x"):rep(9999)))
      print(os.execute("head -c 9999 /dev/zero > y; test $? = 153"))
      print(io.popen("head -c 9999 /dev/zero > y; echo $?"):read())
      """
    let result = try await runner.run(["-e", code])
    #expect(result.output == "nil\tFile too large\t27\ntrue\texit\t0\n153\n")
    #expect(result.status == .exited(0))
  }
}
