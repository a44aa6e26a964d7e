#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite("Where the system allows no threads", .timeLimit(.minutes(5)))
  struct ThreadLimitTests {
    /// Runs the command where its user may have so many processes: as an ordinary user, since there is no limit for root.
    private func run(
      _ arguments: [String], processes: Int = 1, input: String = "",
      environment: [String: String?] = [:]
    ) async throws -> CommandOutput {
      var runner = CommandRunner(environment: environment)
      let becomesUser = geteuid() == 0 ? "setpriv --reuid 65534 --clear-groups " : ""
      runner.preparation = #"exec \#(becomesUser)prlimit --nproc=\#(processes) "$0" "$@"; true"#
      return try await runner.run(arguments, input: input)
    }

    @Test("code that needs no thread runs")
    func works() async throws {
      let code = """
        counter.count = 17 print(counter.ask_is_prime().text)
        local t = task.spawn(function() return prime.next(7) end) print(t:await())
        """
      let result = try await run(["-e", code])
      #expect(result.output == "17 is prime 🎉\n11\n")
      #expect(result.error == "")
      #expect(try await run([], input: "print(2)").output == "2\n")
    }

    @Test(
      "code that needs a thread gets an error", arguments: [1, 2, 4],
      [
        "task.sleep(0)", "task.timeout(1, print)", "task.all{print}", "prime.nth(5)",
        "prime.nth(2000000000000)", "prime.count(10)", "todo.fetch()", "todo.fetch('/etc/passwd')",
        "persons.fetch('x')", "landmarks.load('x')", "store.import('x')", "counter.ask_nth_prime()",
        "todo.fetch('http://127.0.0.1:9/')",
      ])
    func refused(processes: Int, call: String) async throws {
      let result = try await run(
        [
          "-e",
          "counter.count = 5 local ok, err = pcall(function() \(call) end) print(ok, err.code)",
        ],
        processes: processes)
      #expect(result.output == "false\tno_threads\n")
    }

    @Test("a request is an error that says so")
    func request() async throws {
      let code = "local ok, err = pcall(wolfram.query, 'x') print(ok, err.code)"
      let result = try await run(["-e", code], environment: ["WOLFRAM_APP_ID": "APP-ID"])
      #expect(result.output == "false\thttp_unavailable\n")
    }

    @Test(
      "the command reports the error, and fails",
      arguments: [
        ["--max-time", "5", "-e", "print(1)"], ["--ephemeral", "-i"],
        ["--state", "/tmp/x", "-e", "print(1)"],
      ])
    func command(arguments: [String]) async throws {
      let result = try await run(arguments)
      #expect(result.status == .exited(1))
      #expect(result.error.contains("allows no thread"))
      #expect(result.output == "")
    }

    @Test("little address space is an error, too", arguments: ["task.sleep(0)", "prime.nth(5)"])
    func addressSpace(call: String) async throws {
      var runner = CommandRunner()
      // As much as it takes to start, which depends on the machine, and not a thread's stack more.
      let code = "local ok, err = pcall(function() \(call) end) print(ok, ok or err.code)"
      for megabytes in stride(from: 100, through: 400, by: 20) {
        runner.preparation = "ulimit -v \(megabytes * 1024)"
        let result = try await runner.run(["-e", code])
        guard result.status == .exited(0) else { continue }
        #expect(["false\tno_threads\n", "true\ttrue\n"].contains(result.output))
        if result.output.hasPrefix("true") { return }
      }
    }
  }
#endif
