import Foundation
import TerminalSupport
import Testing

@Suite("The README")
struct ReadmeTests {
  /// The lines of its sessions at the prompt, which follow one another.
  private static func sessions() throws -> [Substring] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../README.md")
    let blocks = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```")
    return blocks.filter { $0.hasPrefix("text\n") }.flatMap {
      $0.split(separator: "\n").dropFirst()
    }
  }

  @Test("shows sessions as the program prints them")
  func session() async throws {
    let lines = try Self.sessions()
    #expect(lines.count > 30)
    try await PseudoTerminal.run(columns: 120) { terminal in
      for line in lines {
        if line.hasPrefix("primerepl 0") {
          // The first line has the versions, which are others elsewhere.
          try await terminal.expect("drives an app's state from Lua.\n")
        } else if let prompt = line.prompt {
          try await terminal.expect(String(prompt))
          // Other lines of a block are indented by the prompt.
          let input = line.dropFirst(prompt.count).drop { $0 == " " }
          try await terminal.send("\(input)\n")
          try await terminal.expect("\(input)\n")
        } else {
          try await terminal.expect("\(line)\n")
        }
      }
      try await terminal.expect("> ")
    }
  }
}

extension Substring {
  /// The prompt of a line of a session; nil for output.
  fileprivate var prompt: Substring? {
    if hasPrefix("> ") || hasPrefix(". ") { return prefix(2) }
    guard let end = firstRange(of: "> "), hasPrefix("-"),
      self[..<end.lowerBound].dropFirst().allSatisfy(\.isNumber)
    else { return nil }
    return self[..<end.upperBound]
  }
}
