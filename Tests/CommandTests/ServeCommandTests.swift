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
    _ = try home.write("0123456789abcdefgh\n", to: "token")
    var runner = CommandRunner(home: home)
    runner.preparation = """
      "$0" serve --state f.sqlite --port 0 \(options) >address 2>errors & pid=$!
      until grep -q token address || ! kill -0 $pid; do sleep 0.01; done
      cat > ask.lua <<'END'
      local address = io.open("address"):read("a")
      local site, port, token = address:match("^(http://127.0.0.1:(%d+))/%?token=(%w+)   %(Ctrl%-C ends it%)\\n$")
      local name, body = ...
      print(http.post(site .. "/api/" .. name, body, { headers = {
        Cookie = "page-" .. port .. "=" .. token, Origin = site, ["Content-Type"] = "application/json",
      } }).body)
      END
      ask() { "$0" ask.lua "$@"; }
      \(shell)
      kill -INT $pid; wait $pid; echo $?; cat errors
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
      """)
    #expect(result.error == "")
    #expect(result.output == "{\"result\":\"5\"}\n{\"result\":\"7\"}\n0\n7\n")
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

  @Test(
    "refuses wrong options",
    arguments: [
      (["--port", "70000"], "--port takes a number from 0 to 65535, not 70000"),
      (["--host", "0.0.0.0"], "--host needs --token-file: others can reach the page then"),
      (["--token-file", "short", "--ephemeral"], "unknown option '--ephemeral'"),
    ])
  func options(_ arguments: [String], _ problem: String) async throws {
    let result = try await CommandRunner(home: home).run(["serve"] + arguments)
    #expect(result.error.contains(problem), "\(result.error)")
    #expect(result.status == .exited(64))
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
