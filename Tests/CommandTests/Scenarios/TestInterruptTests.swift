import Foundation
import Subprocess
import TerminalSupport
import TestSupport
import Testing

@Suite("Ctrl-C while scenarios run")
struct TestInterruptTests {
  private func folder(_ text: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try folder.write(text, to: "a.scenario.lua")
    return folder
  }

  @Test("ends the run, and what ran is reported")
  func interrupt() async throws {
    let folder = try folder(
      """
      scenario("passes", function() end)
      scenario("endless", function() while true do end end)
      scenario("not reached", function() end)
      """)
    try await PseudoTerminal.run(["test", "--jobs", "1", folder.path]) { terminal in
      try await terminal.expect("passes\n")
      try await terminal.send("\u{03}")
      #expect(try await terminal.expectExit() == .exited(130))
      #expect(terminal.transcript.contains("Interrupted after 1 of 3 scenarios."))
    }
  }

  @Test("ends a run that is still loading files")
  func loading() async throws {
    let marks = try TemporaryFolder()
    let mark = marks.path(of: "loading")
    let folder = try folder("io.open('\(mark)', 'w'):close() while true do end")
    try await PseudoTerminal.run(["test", folder.path]) { terminal in
      while !FileManager.default.fileExists(atPath: mark) {
        try await Task.sleep(for: .milliseconds(20))
      }
      try await terminal.send("\u{03}")
      #expect(try await terminal.expectExit() == .exited(130))
    }
  }

  @Test("ends --watch, which runs again what changed, also after a mistake was mended")
  func watch() async throws {
    let folder = try folder("local n = require('number') scenario('number ' .. n, function() end)")
    _ = try folder.write("return 1", to: "number.lua")
    try await PseudoTerminal.run(["test", "--watch", folder.path]) { terminal in
      try await terminal.expect("number 1")
      try await terminal.expect("waiting for changes")
      _ = try folder.write("return", to: "number.lua")
      try await terminal.expect("1 problem")
      try await terminal.expect("waiting for changes")
      _ = try folder.write("return 23", to: "number.lua")
      try await terminal.expect("number 23")
      try await terminal.expect("waiting for changes")
      try await terminal.send("\u{03}")
      #expect(try await terminal.expectExit() == .exited(130))
    }
  }

  @Test("--watch doesn't run again what didn't change, even if it can't be loaded")
  func idleWatch() async throws {
    let folder = try folder("syntax error")
    try await PseudoTerminal.run(["test", "--watch", folder.path]) { terminal in
      try await terminal.expect("waiting for changes")
      try await Task.sleep(for: .milliseconds(800))
      try await terminal.send("\u{03}")
      #expect(try await terminal.expectExit() == .exited(130))
      #expect(terminal.transcript.components(separatedBy: "waiting for changes").count == 2)
    }
  }
}
