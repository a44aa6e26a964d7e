import Testing

@Suite("The command, as a process")
struct CommandRunnerTests {
  @Test("receives arguments and input, and returns output, errors and status")
  func runs() async throws {
    let script = "io.write(io.read('a'):upper()) io.stderr:write('oops') os.exit(3)"
    let result = try await CommandRunner().run(["-e", script], input: "text")
    #expect(result.output == "TEXT")
    #expect(result.error == "oops")
    #expect(result.status == .exited(3))
  }

  @Test("has only the environment of the test")
  func hasEnvironment() async throws {
    let script = "io.write(tostring(os.getenv('GREETING')), tostring(os.getenv('WOLFRAM_APP_ID')))"
    let result = try await CommandRunner(environment: ["GREETING": "hi"]).run(["-e", script])
    #expect(result.output == "hinil")
  }

  @Test("is killed if it doesn't end in time, and its output is reported")
  func isKilled() async throws {
    let runner = CommandRunner(timeLimit: .seconds(15))
    let error = await #expect(throws: CommandRunner.TimeLimitExceeded.self) {
      try await runner.run(["-e", "io.stderr:write('begun') while true do end"])
    }
    #expect(error?.error == "begun")
  }
}
