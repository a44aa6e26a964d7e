import Foundation
import Testing

@Suite("Links in the documents")
struct DocumentLinkTests {
  /// The paths of all documents.
  private static func paths() throws -> [String] {
    let files = try ["", "Documentation/", "Examples/"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(
        atPath: Document.repository.appendingPathComponent(folder).path
      ).map { folder + $0 }
    }
    return files.filter { $0.hasSuffix(".md") }.sorted()
  }

  /// The names by which links reach the headings of a document, as GitHub makes them.
  private static func anchors(of document: Document) -> Set<String> {
    Set(
      document.prose.filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" }.dropFirst().lowercased()
          .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
          .replacing(" ", with: "-")
      })
  }

  @Test("lead to files and headings that are there", arguments: try paths())
  func links(path: String) throws {
    let document = try Document(path)
    let file = Document.repository.appendingPathComponent(path)
    for link in document.prose.joined(separator: "\n").matches(of: /\]\(([^)\s]+)\)/).map(\.1)
    where !link.contains("://") {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let (name, anchor) = (parts.first ?? "", parts.dropFirst().first)
      let target = name.isEmpty ? file : file.deletingLastPathComponent().appending(path: name)
      #expect(FileManager.default.fileExists(atPath: target.path), "\(link)")
      guard let anchor, target.pathExtension == "md" else { continue }
      let root = Document.repository.path + "/"
      let linked = try Document(target.standardizedFileURL.path.replacing(root, with: ""))
      #expect(Self.anchors(of: linked).contains(String(anchor)), "\(link)")
    }
  }

  @Test("lead from the README to every guide")
  func guides() throws {
    let readme = try Document("README.md").prose.joined()
    for path in try Self.paths() where path != "README.md" {
      #expect(readme.contains("](\(path)"), "\(path)")
    }
  }
}
