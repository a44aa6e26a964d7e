import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("The serve command")
struct ServeCommandTests {
  private let home: TemporaryFolder

  init() throws {
    home = try TemporaryFolder()
  }

  /// Serves a page, and runs a shell script that asks it, with the command as `"$0"`: the function `ask NAME JSON` prints the
  /// answer to a question.
  private func run(_ options: String, _ shell: String) async throws -> CommandOutput {
    try await run(
      serving: #""$0" serve --state f.sqlite --port 0 \#(options) >address 2>errors"#,
      "\(shell)\nkill -INT $pid; wait $pid; echo $?; cat errors")
  }

  /// Runs a command that serves a page and writes its address to the file `address`, and then a shell script.
  private func run(serving command: String, _ shell: String) async throws -> CommandOutput {
    _ = try home.write("0123456789abcdefgh\n", to: "token")
    var runner = CommandRunner(home: home)
    runner.preparation = """
      \(command) & pid=$!
      until grep -qs token address || ! kill -0 $pid; do sleep 0.01; done
      cat > ask.lua <<'END'
      local address = io.open("address"):read("a")
      local site, token = address:match("(http://127.0.0.1:%d+)/%?token=(%w+)")
      local cookie = http.get(site .. "/?token=" .. token).headers["set-cookie"]:match("[^;]+")
      local name, body = ...
      print(http.post(site .. "/api/" .. name, body, { headers = {
        Cookie = cookie, Origin = site, ["X-Token"] = token, ["Content-Type"] = "application/json",
      } }).body)
      END
      ask() { "$0" ask.lua "$@"; }
      \(shell)
      """
    return try await runner.run(["--state", "f.sqlite", "-e", "print(counter.count)"])
  }

  @Test("shows the session, with what others do in it, saves what pages do, and ends by Ctrl-C")
  func session() async throws {
    let result = try await run(
      "",
      """
      ask call '{"feature": "counter", "name": "increment", "arguments": {"by": "5"}}'
      "$0" --state f.sqlite -e 'counter.increment(2)'
      ask run '{"code": "counter.count"}'
      grep -c '^http://127.0.0.1:[0-9]*/?token=[0-9a-f]*   (Ctrl-C ends it)$' address
      """)
    #expect(result.error == "")
    #expect(result.output == "{\"result\":\"5\"}\n{\"result\":\"7\"}\n1\n0\n7\n")
  }

  @Test("changes nothing with --read-only")
  func readOnly() async throws {
    let result = try await run("--read-only", #"ask run '{"code": "counter.count = 7"}'"#)
    #expect(result.output.contains(#""code":"read_only""#))
    #expect(result.output.hasSuffix("\n0\n0\n"))
  }

  @Test("takes its token from a file, which --host needs")
  func token() async throws {
    let result = try await run(
      "--host 127.0.0.1 --token-file token",
      "grep -o 'token=[a-z0-9]*' address")
    #expect(result.output.hasPrefix("token=0123456789abcdefgh\n"))
  }

  @Test("opens the browser that $BROWSER names, with an address that works once")
  func browser() async throws {
    _ = try home.write("echo \"$@\" >opened.new; mv opened.new opened\n", to: "browser")
    let result = try await run(
      serving: """
        BROWSER='sh browser --new-window' "$0" serve --state f.sqlite --port 0 --open >address 2>errors
        """,
      """
      until [ -e opened ]; do sleep 0.01; done
      grep -c -- '^--new-window http://127.0.0.1:[0-9]*/?token=[0-9a-f]*$' opened
      grep -c "$(grep -o 'token=.*' opened)" address
      cat > enter.lua <<'END'
      local address = io.open("opened"):read("a"):match("http%S+")
      print(http.get(address).status, http.get(address).status)
      END
      "$0" enter.lua
      kill -INT $pid; wait $pid; echo $?; cat errors
      """)
    #expect(result.output == "1\n0\n200\t403\n0\n0\n")
  }

  @Test("serves on if there is no browser, and says so")
  func noBrowser() async throws {
    let result = try await run(
      serving: """
        BROWSER=no-such-browser "$0" serve --state f.sqlite --port 0 --open >address 2>errors
        """,
      """
      until [ -s errors ]; do sleep 0.01; done
      ask run '{"code": "counter.count"}'
      kill -INT $pid; wait $pid; echo $?; cat errors
      """)
    #expect(
      result.output == """
        {"result":"0"}
        0
        primerepl: cannot start no-such-browser: there is no such program
        0

        """)
  }

  @Test("with --serve, a script is shown while it runs, and its address is on standard error")
  func script() async throws {
    _ = try home.write(
      "counter.increment() repeat task.sleep(0.01) until io.open('end') print(counter.count)",
      to: "script.lua")
    let result = try await run(
      serving: #""$0" --state f.sqlite --serve script.lua >output 2>address"#,
      """
      ask call '{"feature": "counter", "name": "increment", "arguments": {"by": "5"}}'
      touch end
      wait $pid; echo $?; cat output
      """)
    #expect(result.output == "{\"result\":\"6\"}\n0\n6\n6\n")
  }

  @Test("says what is wrong with a token file, a host and a port")
  func failures() async throws {
    _ = try home.write("short\n", to: "short")
    _ = try home.write("0123456789abcdef\n", to: "token")
    let runner = CommandRunner(home: home)
    for (arguments, problem) in [
      (["--token-file", "missing"], "can't read the token file missing: "),
      (["--token-file", "short"], "the token in short needs 16 letters and digits or more"),
      (["--token-file", "token", "--host", "here"], "here isn't an IP address"),
      (
        ["--token-file", "token", "--host", "192.0.2.1", "--port", "0"],
        "can't listen on 192.0.2.1, port 0: "
      ),
    ] {
      let result = try await runner.run(["serve", "--state", "s.sqlite"] + arguments)
      #expect(result.error.contains(problem), "\(result.error)")
      #expect(result.status == .exited(1))
    }
  }

  @Test("at a prompt, .serve shows that very session, until .serve off")
  func prompt() async throws {
    var runner = CommandRunner(home: home)
    runner.preparation = ":"
    let result = try await runner.run(
      ["--ephemeral", "-q", "-i"],
      input: """
        .serve 0
        .serve nonsense
        .serve off
        counter.increment()

        """)
    #expect(result.output.contains("http://127.0.0.1:"))
    #expect(result.error.contains(".serve [port] needs a whole number, not nonsense"))
    #expect(result.output.contains("counter.count 0 → 1"))
  }
}
