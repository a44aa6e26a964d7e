import Foundation
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
    try await PseudoTerminal.run(columns: 200) { terminal in
      for line in lines {
        if let prompt = ["> ", ">> "].first(where: line.hasPrefix) {
          try await terminal.expect(prompt)
          try await terminal.send(line.dropFirst(prompt.count) + "\n")
          try await terminal.expect(line.dropFirst(prompt.count) + "\n")
        } else if line.hasPrefix("primerepl 0") {
          // The first line has the versions, which are others elsewhere.
          try await terminal.expect("Type help() for help; Ctrl-D leaves.\n")
        } else {
          try await terminal.expect(line + "\n")
        }
      }
      try await terminal.expect("> ")
    }
  }
}
