import Foundation
import Testing
import TestSupport

@Suite("Output")
struct OutputTests {
  @Test(
    "in a shell",
    arguments: ShellCase.list(
      """
      # comes before the error message that ended the script, if both go to the same place
      $ primerepl -e "print(1) io.write(2) error('three')" 2>&1
      1
      2primerepl: (command line):1: three
      …
      [1]
      # that can't be written is an error if standard output is closed, unless there is none
      $ primerepl -e "print(1)" >&-
      primerepl: cannot write standard output: Bad file descriptor
      [1]
      $ primerepl -e "local x = 1" >&-
      # of an error comes before that of finalizers, as with the lua command
      $ primerepl -e "setmetatable({}, {__gc = function() io.stderr:write('finalized') end})
      > error('failed', 0)"
      primerepl: failed
      …finalized
      [1]
      # of a script that ends with os.exit is written, even in a coroutine or a task
      $ primerepl -e "io.write('x') os.exit(true)"
      x
      $ primerepl -e "io.write('x') os.exit(false)"
      x
      [1]
      $ primerepl -e "io.write('x') os.exit(3)"
      x
      [3]
      $ primerepl -e "io.write('x') os.exit(3, true)"
      x
      [3]
      $ primerepl -e "coroutine.wrap(function() io.write('x') os.exit(3, true) end)()"
      x
      [3]
      $ primerepl -e "task.spawn(function() task.sleep(0) io.write('x') os.exit(3) end)
      > task.sleep(100)"
      x
      [3]
      """))
  func shell(example: ShellCase) async throws { try await CommandRunner().check(example) }

  @Test(
    "that can't be written is an error of any command",
    arguments: [
      ["docs"], ["docs", "--format", "luals"], ["--help"], ["test", "--help"], ["--version"],
      ["-v"],
      ["-e", "print(1)"], ["-e", "io.write(('x'):rep(2 ^ 20))"], ["-e", "io.write(1) os.exit(0)"],
      ["-e", "io.write(1) os.exit(0, true)"], ["-"], ["-i", "-q"],
      ["test", "--list", "list.scenario.lua"],
    ])
  func unwritable(arguments: [String]) async throws {
    let home = try TemporaryFolder()
    _ = try home.write("scenario('one', function() end)", to: "list.scenario.lua")
    let runner = CommandRunner(home: home, preparation: "exec >/dev/full")
    let readsInput = ["-", "-i"].contains(arguments[0])
    let result = try await runner.run(arguments, input: readsInput ? "print(1)\n" : "")
    #expect(
      result.error == "primerepl: cannot write standard output: No space left on device\n")
    #expect(result.status == .exited(1))
  }

  @Test("is complete and in order, however long")
  func whole() async throws {
    let script = "for i = 1, 200000 do print(i) end task.sleep(0) print('end')"
    let result = try await CommandRunner().run(["-e", script])
    #expect(result.output == (1...200000).map { "\($0)\n" }.joined() + "end\n")
  }

  @Test("is every byte that is written", arguments: [false, true])
  func bytes(afterWait: Bool) async throws {
    let script =
      (afterWait ? "task.sleep(0) " : "")
      + "for b = 0, 255 do io.write(string.char(b)) end"
    #expect(try await CommandRunner().run(["-e", script]).outputBytes == Array(0...255))
  }

  @Test(
    "of closing a script's values is written when os.exit closes the state",
    arguments: [
      "os.exit(3, true)", "coroutine.wrap(function() os.exit(3, true) end)()",
      "pcall(table.sort, {1, 2}, function() os.exit(3, true) end)",
    ])
  func exitClosing(exit: String) async throws {
    let result = try await CommandRunner().run([
      "-e",
      """
      local x <close> = setmetatable({}, {__close = function() print('closed') end})
      setmetatable({}, {__gc = function() print('finalized') end})
      \(exit)
      """,
    ])
    #expect(result.output == "closed\nfinalized\n")
    #expect(result.status == .exited(3))
  }
}
