import Foundation
import Testing
import TestSupport

/// Tries everything that the documents show.
@Suite("The documents")
struct DocumentTests {
  @Test(
    "show sessions and commands as they are",
    arguments: [
      "README.md", "Documentation/apps-in-lua.md", "Documentation/tutorial.md",
      "Documentation/the-prompt.md",
      "Documentation/scenarios.md", "Documentation/sandbox.md", "Documentation/state-file.md",
      "Documentation/your-own-app.md",
    ])
  func examples(path: String) async throws {
    var examples = try DocumentExamples(Document(path).blocks)
    #expect(!examples.isEmpty)
    try await examples.check()
  }

  // MARK: - The cookbook

  private static let cookbook = Result { try Document("Documentation/cookbook.md") }

  /// The sections below the table of contents; without those for which a program is missing here.
  private static func recipes() throws -> [Document.Section] {
    try cookbook.get().sections.filter { recipe in
      !recipe.heading.isEmpty
        && (hasSQLite || !recipe.blocks.contains { $0.text.contains("$ sqlite3") })
    }
  }

  private static let hasSQLite = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  @Test("have recipes in the cookbook, each of which works by itself", arguments: try recipes())
  func recipe(_ recipe: Document.Section) async throws {
    var examples = try DocumentExamples(recipe.blocks)
    #expect(!examples.isEmpty)
    try await examples.check()
  }

  @Test("name each recipe in the cookbook's table of contents, and show each of its files in use")
  func contents() throws {
    let cookbook = try Self.cookbook.get()
    let recipes = cookbook.sections.dropFirst()
    #expect(recipes.count >= 15)
    for recipe in recipes {
      #expect(cookbook.prose.contains { $0.contains("| [\(recipe.heading)](#") })
      let examples = recipe.blocks.filter { $0.kind != "lua" }.map(\.text).joined()
      for block in recipe.blocks where block.kind == "lua" {
        let name = try #require(block.fileName, "a file without a name: \(block.text)")
        // A startup file runs without being named.
        #expect(examples.contains(name) || name.hasPrefix("~/"), "nothing uses \(name)")
      }
    }
  }

  // MARK: - Scenarios

  /// A block of Lua in these is a file, or the body of a scenario; those of `wrong.scenario.lua` fail.
  @Test(
    "have scenarios that pass",
    arguments: [
      ("Documentation/scenarios.md", "primerepl"), ("Documentation/your-own-app.md", "notes"),
    ])
  func scenarios(path: String, program: String) async throws {
    let folder = try TemporaryFolder()
    var names: [String] = []
    for block in try Document(path).blocks where block.kind == "lua" {
      let name = block.fileName ?? "block\(names.count).scenario.lua"
      let isFile = block.fileName != nil
      _ = try folder.write(
        isFile ? block.text : "scenario(\"\(name)\", function()\n\(block.text)end)\n", to: name)
      if name != "wrong.scenario.lua" { names.append(name) }
    }
    #expect(!names.isEmpty)
    let runner = CommandRunner(
      program: program, environment: ["CI": nil], workingDirectory: folder.path)
    let result = try await runner.run(["test", "--timeout", "300"] + names)
    #expect(result.status == .exited(0), "\(result.output)\(result.error)")
  }
}
