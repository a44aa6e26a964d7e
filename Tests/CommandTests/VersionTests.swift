import Foundation
import Testing

@Suite("The version")
struct VersionTests {
  /// The version that the program prints.
  private let version: Substring

  init() async throws {
    let words = try await CommandRunner().run(["--version"]).output.split(separator: " ")
    version = try #require(words.dropFirst().first)
  }

  private func document(_ name: String) throws -> String {
    try String(contentsOf: Document.repository.appendingPathComponent(name), encoding: .utf8)
  }

  @Test("is the newest one in the changelog, besides what isn't released yet")
  func changelog() throws {
    let headings = try document("CHANGELOG.md").split(separator: "\n").filter {
      $0.hasPrefix("## ")
    }
    let newest = headings.first { $0 != "## Unreleased" }
    #expect(newest?.split(separator: " ").dropFirst().first == version)
  }

  @Test(
    "is the one in the documents' sessions", arguments: ["README.md", "Documentation/tutorial.md"])
  func sessions(name: String) throws {
    #expect(try document(name).contains("primerepl \(version) (Lua"))
  }
}
