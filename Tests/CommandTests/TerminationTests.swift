import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("A session in a state file, when a signal ends the process")
struct TerminationTests {
  private let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
  }

  /// Runs a shell script with the command as `"$0"`, and then prints the count in the state file.
  private func run(_ shell: String) async throws -> CommandOutput {
    var runner = CommandRunner(home: home)
    runner.preparation = shell
    return try await runner.run(["--state", "f", "-e", "print(counter.count)"])
  }

  @Test(
    "is saved when the reader of the output is gone; the process ends like lua's",
    arguments: [
      "for i = 1, 1e6 do print(i) end", "for i = 1, 1e6 do io.write(i) end",
      "io.stdout:setvbuf('no') for i = 1, 1e6 do io.stdout:write(i) end",
      "while true do pcall(print, ('x'):rep(1000)) end",
      "coroutine.wrap(function() while true do print(('x'):rep(1000)) end end)()",
      "task.spawn(function() while true do print(('x'):rep(1000)) task.sleep(0) end end):await()",
      "setmetatable({}, {__gc = function() for i = 1, 1e6 do print(i) end end})",
      "local p = io.popen('true', 'w') while true do p:write(('x'):rep(1000)) end",
    ])
  func reader(code: String) async throws {
    let result = try await run(
      """
      { "$0" --state f -e "counter.count = 7 \(code)" -e 'counter.count = 8'; echo $? >status; } \
      | head -c 1 >first; cat status
      """)
    // Finalizers run at the end.
    let isWhole = code.contains("__gc")
    #expect(result.output == "141\n\(isWhole ? 8 : 7)\n")
    #expect(result.error == "")
  }

  @Test(
    "is saved if the reader is gone when the output is flushed at the end",
    arguments: ["print(1)", "print(1) os.exit(0)", "print(1) os.exit(3, true)"])
  func readerAtEnd(code: String) async throws {
    let result = try await run(
      """
      { "$0" --state f -e "counter.count = 7 repeat until io.open('closed') \(code)"; echo $? >status; } \
      | { exec 0<&-; : >closed; }; cat status
      """)
    #expect(result.output == "141\n7\n")
    #expect(result.error == "")
  }

  @Test("is saved when the reader of messages is gone")
  func messages() async throws {
    let result = try await run(
      """
      { "$0" --state f -e "counter.count = 7 repeat until io.open('closed') error('x')" 2>&1 >/dev/null; \
      echo $? >status; } | { exec 0<&-; : >closed; }; cat status
      """)
    #expect(result.output == "141\n7\n")
  }

  @Test("continues if SIGPIPE is ignored, as with the lua command")
  func ignored() async throws {
    let result = try await run(
      """
      { (trap '' PIPE; "$0" --state f -e \
      "counter.count = 7 repeat until not io.write(('x'):rep(1000)) counter.count = 8"); \
      echo $? >status; } | true; cat status
      """)
    #expect(result.output == "0\n8\n")
  }

  @Test(
    "is saved even if the output can't be written, which is an error",
    arguments: [">/dev/full", ">&-", ">&- 2>&- <&-"])
  func output(redirection: String) async throws {
    let result = try await run(
      #""$0" --state f -e "counter.count = 7 for i = 1, 1e4 do print(i) end" \#(redirection); [ $? = 1 ]"#
    )
    #expect(result.output == "7\n")
  }

  @Test(
    "is saved before a signal ends the process",
    arguments: [("TERM", 143), ("HUP", 129), ("XCPU", 152)],
    [
      "while true do end", "pcall(function() while true do pcall(error) end end)",
      "task.sleep(100)",
    ])
  func signal(signal: (name: String, status: Int), code: String) async throws {
    let result = try await run(
      """
      "$0" --state f -e "counter.count = 7 os.execute('(until [ -e ready ]; do sleep 0.01; done; \
      kill -\(signal.name) '..io.open('/proc/self/stat'):read('n')..') &') \
      io.open('ready', 'w'):close() \(code)"; echo $?
      """)
    #expect(result.output == "\(signal.status)\n7\n")
  }

  @Test(
    "is saved before a signal ends the prompt, and the terminal is restored",
    arguments: [SIGTERM, SIGHUP])
  func prompt(signal: Int32) async throws {
    try await PseudoTerminal.prompt(["--state", "f"], home: home) { terminal in
      try await terminal.send("counter.count = 7 print('done') task.sleep(100)\n")
      try await terminal.expect("\ndone\n")
      try await terminal.signal(signal)
      #expect(try await terminal.expectExit() == .signaled(signal))
      #expect(try terminal.isInLineMode())
    }
    #expect(try await run("true").output == "7\n")
  }

  @Test(
    "the terminal is restored after any signal that ends the prompt",
    arguments: [SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE, SIGXCPU])
  func terminal(signal: Int32) async throws {
    try await PseudoTerminal.prompt(["--state", "f"], home: home) { terminal in
      try await terminal.send("unfinished", showing: "unfinished")
      #expect(try !terminal.isInLineMode())
      try await terminal.signal(signal)
      #expect(try await terminal.expectExit() == .signaled(signal))
      #expect(try terminal.isInLineMode())
    }
  }
}
