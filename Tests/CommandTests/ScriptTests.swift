import Foundation
import Testing
import TestSupport

@Suite("Scripts")
struct ScriptTests {
  @Test(
    "in a shell",
    arguments: ShellCase.list(
      """
      # get their arguments in arg and in ..., and the command before the script at negative indexes
      $ echo "print(#arg, arg[0], ...) print(arg[1], arg[-1], arg[-2])" > script.lua
      $ primerepl -e "print('first')" script.lua one --version
      first
      2\tscript.lua\tone\t--version
      one\tprint('first')\t-e
      # are read from standard input when that isn't a terminal
      $ echo "print('piped', ...)" | primerepl
      piped
      # are read from standard input when named -, and get their arguments
      $ echo "print(arg[0], ...)" | primerepl - a b
      -\ta\tb
      # run after -l and -e, in that order
      $ echo "return { answer = 42 }" > deep.lua; echo "print(deep.answer, x)" > script.lua
      $ primerepl -l deep -e "x = 1" -e "x = x + deep.answer" script.lua
      42\t43
      # end when their tasks have ended
      $ primerepl -e "task.spawn(function() task.sleep(0.01) print('task') end) print('script')"
      script
      task
      # fail if a task failed that was never awaited, and the failure is reported
      $ primerepl -e "task.spawn(function() task.sleep(0) error('lost') end) print('script')"
      script
      primerepl: (command line):1: lost
      …
      [1]
      # fail if a subscriber failed, and the failure is reported at once
      $ primerepl -e "store.subscribe('counter.count', function() error('broken') end)
      > print(counter.increment())"
      1
      primerepl: (command line):1: broken
      …
      [1]
      # fail with status 1 even if their messages can't be written
      $ primerepl -e "error(1)" 2>&-
      [1]
      $ primerepl -e "error(1)" 2>/dev/full
      [1]
      # collect garbage in generations, as with the lua command
      $ primerepl -e "print(collectgarbage('incremental'))"
      generational
      # that are none get one clear message
      $ primerepl nowhere.lua
      primerepl: cannot read nowhere.lua: No such file or directory
      [1]
      $ primerepl tset
      primerepl: there is no script tset; did you mean primerepl test?
      [1]
      $ echo "scenario('empty', function() end)" > a.scenario.lua; primerepl a.scenario.lua
      primerepl: a.scenario.lua has scenarios: run primerepl test a.scenario.lua
      [1]
      $ mkdir folder; primerepl folder
      primerepl: cannot read folder: Is a directory
      [1]
      $ printf 'local x = 1\\nx = = 2\\n' > bad.lua; primerepl bad.lua
      primerepl: bad.lua:2: unexpected symbol near '='
        x = = 2
            ^
      [1]
      """))
  func shell(example: ShellCase) async throws { try await CommandRunner().check(example) }

  @Test("are followed by the prompt with -i, which needs no terminal")
  func interactive() async throws {
    let result = try await CommandRunner().run(
      ["-i", "-e", "x = 20"], input: "x + 1\nfor i = 1, 2 do\nx = x + i\nend\nx\nnil + 1\n'end'\n")
    #expect(result.output.contains("> 21\n"))
    #expect(result.output.contains("> >> >> > 23\n"))
    #expect(result.output.contains("> \"end\"\n"))
    #expect(result.error == "attempt to perform arithmetic on a nil value\n")
    #expect(result.status == .exited(0))
  }

  @Test("find modules beside them, from any folder", arguments: ["lib/main.lua", "link.lua"])
  func modules(script: String) async throws {
    let folder = try TemporaryFolder()
    let files = FileManager.default
    try files.createDirectory(
      at: folder.url.appending(path: "lib/b"), withIntermediateDirectories: true)
    _ = try folder.write("return 1", to: "lib/a.lua")
    _ = try folder.write("return require('a') + 1", to: "lib/b/init.lua")
    _ = try folder.write("print((require('a')), (require('b')))", to: "lib/main.lua")
    try files.createSymbolicLink(
      atPath: folder.path(of: "link.lua"), withDestinationPath: "lib/main.lua")
    #expect(try await CommandRunner(workingDirectory: folder.path).run([script]).output == "1\t2\n")
    let sandboxed = try await CommandRunner(workingDirectory: folder.path).run([
      "--sandbox", script,
    ])
    #expect(sandboxed.error.contains("module 'a' not found"))
  }

  @Test("say where a module was searched for")
  func missingModule() async throws {
    let folder = try TemporaryFolder()
    let script = try folder.write("require('nope')", to: "main.lua")
    let result = try await CommandRunner().run([script])
    for place in [
      "field package.preload['nope']", "file '\(folder.path)/nope.lua'", "file './nope.lua'",
    ] {
      #expect(result.error.contains("\n\tno \(place)"))
    }
    let sandboxed = try await CommandRunner().run(["--sandbox", script])
    #expect(
      sandboxed.error.contains(
        "module 'nope' not found:\n\tno field package.preload['nope']\n\tno file: the sandbox reads none\n"
      ))
  }

  @Test(
    "can't be read from a standard input that is closed", arguments: [[], ["-"], ["-i", "-q"]])
  func closedInput(arguments: [String]) async throws {
    let runner = CommandRunner(preparation: "exec <&-")
    let result = try await runner.run(arguments)
    #expect(result.error == "primerepl: cannot read standard input: Bad file descriptor\n")
    #expect(result.status == .exited(1))
  }

  @Test("can call anything in finalizers at the end")
  func finalizers() async throws {
    let script = """
      for _, module in pairs({ counter = counter, store = store, favorites = favorites }) do
        setmetatable({}, { __gc = function() print(pcall(module.increment or module.state or module.list)) end })
      end
      setmetatable({}, { __gc = function() help() inspect(counter) end })
      """
    let result = try await CommandRunner().run(["-e", script])
    #expect(result.error == "")
    #expect(result.status == .exited(0))
  }
}
