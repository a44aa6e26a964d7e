import Foundation
import Testing

@Suite("The examples")
struct ExamplesTests {
  private static let expectations = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("ExpectedOutput")

  /// The names, without extension, of the files with an extension in a folder.
  private static func names(in folder: URL, withExtension ending: String) throws -> Set<String> {
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return Set(
      files.filter { $0.pathExtension == ending }
        .map { $0.deletingPathExtension().lastPathComponent })
  }

  private static let examples = Result {
    try names(in: Document.repository.appendingPathComponent("Examples"), withExtension: "lua")
      .sorted()
  }

  @Test("print the expected output", arguments: try examples.get())
  func output(name: String) async throws {
    let runner = CommandRunner(workingDirectory: Document.repository.path)
    let result = try await runner.run(["Examples/\(name).lua"])
    let expected = try String(
      contentsOf: Self.expectations.appendingPathComponent("\(name).txt"), encoding: .utf8)
    #expect(result.output == expected)
    #expect(result.error == "")
    #expect(result.status == .exited(0))
  }

  @Test("have an expected output each, and no expected output is left over")
  func complete() throws {
    #expect(
      try Self.names(in: Self.expectations, withExtension: "txt") == Set(Self.examples.get()))
  }
}
