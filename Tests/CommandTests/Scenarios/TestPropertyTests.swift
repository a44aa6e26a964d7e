import TestSupport
import Testing

@Suite("test --properties")
struct TestPropertyTests {
  @Test("passes for the app, and for one made with the kit", arguments: ["primerepl", "notes"])
  func properties(program: String) async throws {
    var runner = CommandRunner()
    runner.program = program
    let result = try await runner.run(["test", "--properties", "--timeout", "300"])
    #expect(result.status == .exited(0), "\(result.output)\(result.error)")
  }
}
