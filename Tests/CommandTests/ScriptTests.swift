import Foundation
import Testing
import TestSupport

@Suite("Scripts")
struct ScriptTests {
  @Test(
    "get their arguments in arg and in ..., and the command before the script at negative indexes")
  func arguments() async throws {
    let home = try TemporaryFolder()
    let script = try home.write(
      "print(#arg, arg[0]:match('[^/]+$'), arg[1], arg[2], ...) print(arg[-1], arg[-2])",
      to: "script.lua")
    let result = try await CommandRunner().run(["-e", "print('first')", script, "one", "--version"])
    #expect(
      result.output
        == "first\n2\tscript.lua\tone\t--version\tone\t--version\nprint('first')\t-e\n")
    #expect(result.error == "")
    #expect(result.status == .exited(0))
  }

  @Test("may begin with a #! line, and with a byte order mark")
  func shebang() async throws {
    let home = try TemporaryFolder()
    let script = try home.write("\u{FEFF}#!/usr/bin/env primerepl\nprint('line 2')", to: "s.lua")
    #expect(try await CommandRunner().run([script]).output == "line 2\n")
  }

  @Test("are read from standard input when that isn't a terminal")
  func pipedInput() async throws {
    #expect(try await CommandRunner().run(input: "print('piped', ...)").output == "piped\n")
  }

  @Test("are read from standard input when named -, and get their arguments")
  func dash() async throws {
    let result = try await CommandRunner().run(["-", "a", "b"], input: "print(arg[0], ...)")
    #expect(result.output == "-\ta\tb\n")
  }

  @Test("run after -l and -e, in that order")
  func libraries() async throws {
    let home = try TemporaryFolder()
    _ = try home.write("return { answer = 42 }", to: "deep.lua")
    let script = try home.write("print(deep.answer, x)", to: "script.lua")
    let result = try await CommandRunner(home: home).run([
      "-l", "deep", "-e", "x = 1", "-e", "x = x + deep.answer", script,
    ])
    #expect(result.output == "42\t43\n")
  }

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

  @Test("end when their tasks have ended")
  func tasks() async throws {
    let script = "task.spawn(function() task.sleep(0.01) print('task') end) print('script')"
    let result = try await CommandRunner().run(["-e", script])
    #expect(result.output == "script\ntask\n")
    #expect(result.status == .exited(0))
  }

  @Test("fail if a task failed that was never awaited, and the failure is reported")
  func failedTask() async throws {
    let script = "task.spawn(function() task.sleep(0) error('lost') end) print('script')"
    let result = try await CommandRunner().run(["-e", script])
    #expect(result.output == "script\n")
    #expect(result.error.hasPrefix("primerepl: (command line):1: lost\n"))
    #expect(result.status == .exited(1))
  }

  @Test("fail if a subscriber failed, and the failure is reported at once")
  func failedSubscriber() async throws {
    let script = """
      store.subscribe("counter.count", function() error("broken") end)
      print(counter.increment())
      """
    let result = try await CommandRunner().run(["-e", script])
    #expect(result.output == "1\n")
    #expect(result.error.hasPrefix("primerepl: (command line):1: broken\n"))
    #expect(result.status == .exited(1))
  }

  @Test(
    "fail with status 1 even if their messages can't be written",
    arguments: ["2>&-", "2>/dev/full"])
  func unwritableMessages(redirection: String) async throws {
    let command = try BuiltExecutable.path(of: "primerepl")
    let script = "print(select(3, os.execute([[\(command) -e 'error(1)' \(redirection)]])))"
    #expect(try await CommandRunner().run(["-e", script]).output == "1\n")
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

  @Test("collects garbage in generations, as lua does")
  func generations() async throws {
    let result = try await CommandRunner().run(["-e", "print(collectgarbage('incremental'))"])
    #expect(result.output == "generational\n")
  }
}
