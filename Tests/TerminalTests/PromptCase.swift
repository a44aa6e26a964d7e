import Testing

/// Inputs on a screen, and what the prompt shows for each.
struct PromptCase: Sendable, CustomTestStringConvertible {
  struct Step: Sendable {
    var input: String
    /// The lines below the input.
    var shown = ""
  }

  let testDescription: String
  let columns: Int
  let rows: Int
  private(set) var steps: [Step] = []

  /// Reads cases that are written as at the prompt.
  ///
  /// Each has a title after `-- `, and inputs after `> `, which go on after `. `, with what they show.
  static func list(columns: Int = 60, rows: Int = 20, _ text: String) -> [PromptCase] {
    ("\n" + text).split(separator: "\n-- ").map { part in
      let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
      var example = PromptCase(testDescription: String(lines[0]), columns: columns, rows: rows)
      for line in lines.dropFirst() { example.add(line) }
      return example
    }
  }

  private mutating func add(_ line: Substring) {
    guard !line.hasPrefix("> ") else {
      return steps.append(Step(input: String(line.dropFirst(2))))
    }
    let last = steps.count - 1
    if line.hasPrefix(". ") {
      steps[last].input += "\n" + line.dropFirst(2)
    } else {
      steps[last].shown += steps[last].shown.isEmpty ? String(line) : "\n" + line
    }
  }
}
