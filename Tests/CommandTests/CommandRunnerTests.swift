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
}
