import Foundation
import Testing

@Suite("The program")
struct ImportTests {
  @Test("has of Foundation no more than FoundationEssentials, which is 40 MB smaller")
  func foundation() throws {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    ).compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
    #expect(files.count > 400)
    let importing = try files.filter { file in
      try String(contentsOf: file, encoding: .utf8).split(separator: "\n").contains {
        $0.hasSuffix("import Foundation")
      }
    }
    #expect(importing.map(\.lastPathComponent) == ["Reexports.swift"])
  }
}
