import Foundation
import Subprocess
import TerminalSupport
import Testing
import TestSupport

@Suite("Ctrl-C while scenarios run")
struct TestInterruptTests {
  private func folder(_ text: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    _ = try folder.write(text, to: "a.scenario.lua")
    return folder
  }

  @Test("ends the run, and the results so far are reported")
  func interrupt() async throws {
    let folder = try folder(
      """
      scenario("passes", function() end)
      scenario("endless", function() while true do end end)
      scenario("not reached", function() end)
      """)
    try await PseudoTerminal.run(["test", "--jobs", "1", folder.path]) { terminal in
      try await terminal.expect("passes\n")
      #expect(try await terminal.expectExit(after: "\u{03}") == .exited(130))
      #expect(terminal.transcript.contains("Interrupted after 1 of 3 scenarios."))
    }
  }

  @Test("ends a run that is still loading files")
  func loading() async throws {
    let marks = try TemporaryFolder()
    let mark = marks.path(of: "loading")
    let folder = try folder("io.open('\(mark)', 'w'):close() while true do end")
    try await PseudoTerminal.run(["test", folder.path]) { terminal in
      try await terminal.expectFile(mark)
      #expect(try await terminal.expectExit(after: "\u{03}") == .exited(130))
    }
  }

  @Test("ends --watch, which reruns changed files, also once a mistake is mended")
  func watch() async throws {
    let folder = try folder("local n = require('number') scenario('number ' .. n, function() end)")
    _ = try folder.write("return 1", to: "number.lua")
    try await PseudoTerminal.run(["test", "--watch", folder.path]) { terminal in
      // Each run clears the screen.
      try await terminal.expectRow("✓ number 1")
      try await terminal.expectRow("waiting for changes")
      _ = try folder.write("return", to: "number.lua")
      try await terminal.expectRow("1 problem")
      try await terminal.expectRow("waiting for changes")
      _ = try folder.write("return 23", to: "number.lua")
      try await terminal.expectRow("✓ number 23")
      try await terminal.expectRow("waiting for changes")
      #expect(try await terminal.expectExit(after: "\u{03}") == .exited(130))
    }
  }

  @Test("--watch clears the screen, says when and what it runs, and has keys for other runs")
  func watchKeys() async throws {
    let folder = try folder(
      "scenario('good', function() end) scenario('bad', function() error('x') end)")
    try await PseudoTerminal.run(["test", "--watch", folder.path]) { terminal in
      try await terminal.expectRow("q: quit")
      #expect(terminal.screen.rows[0].wholeMatch(of: /\d\d:\d\d:\d\d  all scenarios/) != nil)
      try await terminal.send("f", showingRow: "those that failed the last time")
      try await terminal.expectRow("q: quit")
      #expect(!terminal.screen.rows.contains { $0.contains("✓ good") })
      try await terminal.send("/gox\u{7F}od\n", showingRow: "filter: good")
      try await terminal.expectRow("1 passed")
      #expect(!terminal.screen.rows.contains { $0.contains("✗ bad") })
      try await terminal.expectRow("q: quit")
      try await terminal.send("a", showingRow: "1 passed, 1 failed")
      try await terminal.expectRow("q: quit")
      #expect(try await terminal.expectExit(after: "q") == .exited(0))
    }
  }

  #if os(Linux)
    @Test(
      "A signal ends the run, which is reported and leaves no folder behind, and then the process",
      arguments: [("TERM", 15), ("HUP", 1)])
    func signals(name: String, number: Int32) async throws {
      let run = try TestRun(
        """
        scenario("passes", function() end)
        scenario("signals", function()
          tmp()
          os.execute("kill -\(name) $(cut -d' ' -f4 /proc/$PPID/stat)")
          while true do end
        end)
        """)
      let temporary = try TemporaryFolder()
      let output = try await run.with(environment: ["TMPDIR": temporary.path])(
        "--report", "junit=report.xml", "--jobs", "1")
      #expect(output.status == .signaled(number))
      #expect(output.output.contains("Interrupted after 1 of 2 scenarios."))
      #expect(try run.folder.read("report.xml").hasSuffix("</testsuites>\n"))
      #expect(temporary.files("") == [])
    }
  #endif

  @Test("If the reader of the output is gone, nothing is left: no folder, and no part of a report")
  func closedPipe() async throws {
    let run = try TestRun(
      """
      scenario("passes", function() end)
      scenario("waits", function()
        tmp()
        repeat until io.open("closed")
      end)
      """)
    let temporary = try TemporaryFolder()
    // The rest of the line, which would run the command, is a comment.
    let output = try await run.with(
      environment: ["TMPDIR": temporary.path],
      preparation:
        #"{ "$0" "$@"; echo $? >status; } | { read line; exec 0<&-; : >closed; }; exit 0 #"#
    )("--report", "html=report.html", "--report", "json=report.json", "--jobs", "1")
    #expect(output.error == "")
    #expect(try run.folder.read("status") == "141\n")
    #expect(run.folder.files("").sorted() == ["a.scenario.lua", "closed", "status"])
    #expect(temporary.files("") == [])
  }
}
