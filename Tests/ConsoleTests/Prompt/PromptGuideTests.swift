import Foundation
import Testing

@testable import Console
@testable import PrimereplTerminal

@Suite("The guide to the prompt")
struct PromptGuideTests {
  private let guide: String

  init() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../Documentation/the-prompt.md")
    guide = try String(contentsOf: file, encoding: .utf8)
  }

  private func row(_ name: String, _ help: String) -> String {
    "| \(name.replacing("|", with: "\\|")) | \(help) |\n"
  }

  @Test("lists every dot command", arguments: DotCommand.all.map { [$0.usage, $0.help] })
  func commands(command: [String]) {
    #expect(guide.contains(row("`\(command[0])`", command[1])))
  }

  @Test("lists every key", arguments: KeyHelp.all.map { [$0.name, $0.help] })
  func keys(key: [String]) {
    #expect(guide.contains(row(key[0], key[1])))
  }
}
