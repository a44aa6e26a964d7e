import Testing

/// An input on a screen, and what the prompt shows for it.
struct PromptCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let input: String
  /// The lines below the input.
  let shown: String
  let columns: Int
  let rows: Int

  /// Reads cases that are written as at the prompt.
  ///
  /// Each has a title after `-- `, an input after `> `, which goes on after `. `, and what it shows.
  static func list(columns: Int = 60, rows: Int = 20, _ text: String) -> [PromptCase] {
    ("\n" + text).split(separator: "\n-- ").map { part in
      let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
      let input = lines.dropFirst().prefix { $0.hasPrefix("> ") || $0.hasPrefix(". ") }
      return PromptCase(
        testDescription: String(lines[0]),
        input: input.map { $0.dropFirst(2) }.joined(separator: "\n"),
        shown: lines.dropFirst(1 + input.count).joined(separator: "\n"), columns: columns,
        rows: rows)
    }
  }
}
