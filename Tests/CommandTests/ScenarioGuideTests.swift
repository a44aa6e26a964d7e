import Foundation
import TestSupport
import Testing

/// The guide to scenarios, and what other documents say of them: the code runs, and commands print what they say.
///
/// A block of Lua that begins with a comment such as `-- card.scenario.lua` is that file. Any other one is the body of
/// a scenario. The scenarios of `wrong.scenario.lua` fail.
@Suite("The scenarios in the documents")
struct ScenarioGuideTests {
  /// A document, and the program of its scenarios.
  struct Document: Sendable, CustomTestStringConvertible {
    let path: String
    var program = "primerepl"

    var testDescription: String { path }

    /// The blocks of a kind.
    func blocks(_ kind: String) throws -> [String] {
      let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../\(path)")
      return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```")
        .filter { $0.hasPrefix(kind + "\n") }.map { String($0.dropFirst(kind.count + 1)) }
    }

    /// A new folder with the document's files.
    func makeFiles() throws -> TemporaryFolder {
      let folder = try TemporaryFolder()
      for (index, block) in try blocks("lua").enumerated() {
        let name = block.firstMatch(of: /^-- (\S+\.lua)\n/).map { String($0.1) }
        try (name == nil ? "scenario(\"block \(index)\", function()\n\(block)end)\n" : block).write(
          to: folder.url.appendingPathComponent(name ?? "block\(index).scenario.lua"),
          atomically: true, encoding: .utf8)
      }
      return folder
    }

    /// Each command in the document, and what it prints.
    func commands() throws -> [(command: String, output: String)] {
      try blocks("console").flatMap { block in
        ("\n" + block).components(separatedBy: "\n$ ").dropFirst().map { text in
          let lines = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
          return (String(lines[0]), lines.count == 2 ? String(lines[1]) : "")
        }
      }
    }
  }

  private static let guide = Document(path: "Documentation/scenarios.md")
  private static let readme = Document(path: "README.md")
  private static let ownApp = Document(path: "Documentation/your-own-app.md", program: "notes")

  @Test("pass", arguments: [guide, readme, ownApp])
  func code(document: Document) async throws {
    let folder = try document.makeFiles()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { $0.hasSuffix(".scenario.lua") && $0 != "wrong.scenario.lua" }
    #expect(try files.count >= document.blocks("lua").count - 1)
    #expect(!files.isEmpty)
    var runner = CommandRunner(environment: ["CI": nil], workingDirectory: folder.url.path)
    runner.program = document.program
    let result = try await runner.run(["test", "--timeout", "300"] + files)
    #expect(result.status == .exited(0), "\(result.output)\(result.error)")
  }

  /// The output with the same time everywhere, and none behind the names of scenarios.
  private static func withoutTimes(_ output: String) -> String {
    output.replacing(/\s\(\d+(\.\d+)? m?s\)/, with: "").replacing(
      /\d+(\.\d+)? m?s\b/, with: "0 s"
    )
    .trimmingCharacters(in: .newlines)
  }

  @Test("are reported as the documents say", arguments: [guide, readme])
  func output(document: Document) async throws {
    let folder = try document.makeFiles()
    var runner = CommandRunner(environment: ["CI": nil], workingDirectory: folder.url.path)
    runner.program = "/bin/sh"
    let path = URL(fileURLWithPath: try BuiltExecutable.path(of: document.program))
      .deletingLastPathComponent().path
    let commands = try document.commands()
    #expect(!commands.isEmpty)
    for (command, output) in commands {
      let result = try await runner.run(["-c", "PATH=\(path):$PATH; \(command)"])
      #expect(
        Self.withoutTimes(result.output) == Self.withoutTimes(output),
        "\(command): \(result.error)")
    }
  }
}
