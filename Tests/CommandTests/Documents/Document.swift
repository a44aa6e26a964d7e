import Foundation
import Testing

/// A document of the repository in Markdown: its text, and the blocks of code under its headings.
struct Document: Sendable, CustomTestStringConvertible {
  /// A block of code between fences.
  struct Block: Equatable, Sendable {
    /// The word after the opening fence, such as `lua`; empty if there is none.
    let kind: String
    var lines: [String] = []

    var text: String { lines.map { $0 + "\n" }.joined() }

    /// The name of the file that the block shows, if its first line is a comment such as `-- name.lua`.
    var fileName: String? {
      guard kind == "lua", let line = lines.first else { return nil }
      return line.wholeMatch(of: /-- (\S+\.lua)/).map { String($0.1) }
    }

    /// The file of an earlier block, and the name of the table in it to which the block adds its other lines, if its first
    /// line is a comment such as `-- name.lua, in actions`.
    var addition: (file: String, table: String)? {
      guard kind == "lua", let line = lines.first else { return nil }
      return line.wholeMatch(of: /-- (\S+\.lua), in (\w+)/).map { (String($0.1), String($0.2)) }
    }
  }

  /// A heading of the second level, and the blocks below it.
  struct Section: Sendable, CustomTestStringConvertible {
    let heading: String
    var blocks: [Block] = []

    var testDescription: String { heading }
  }

  /// The path in the repository.
  let path: String

  /// The sections, beginning with the one above all headings of the second level.
  let sections: [Section]

  /// The lines outside of blocks.
  let prose: [String]

  var testDescription: String { path }

  var blocks: [Block] { sections.flatMap(\.blocks) }

  static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../../..").standardizedFileURL

  /// A fence that is never closed hides the rest of the document.
  struct UnclosedBlock: Error {}

  init(_ path: String) throws {
    let text = try String(
      contentsOf: Self.repository.appendingPathComponent(path), encoding: .utf8)
    var (sections, section, prose) = ([Section](), Section(heading: ""), [String]())
    var block: Block?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      if line.hasPrefix("```") {
        if let ended = block { section.blocks.append(ended) }
        block = block == nil ? Block(kind: String(line.dropFirst(3))) : nil
      } else if block != nil {
        block?.lines.append(line)
      } else {
        prose.append(line)
        guard line.hasPrefix("## ") else { continue }
        sections.append(section)
        section = Section(heading: String(line.dropFirst(3)))
      }
    }
    guard block == nil else { throw UnclosedBlock() }
    sections.append(section)
    (self.path, self.sections, self.prose) = (path, sections, prose)
  }
}
