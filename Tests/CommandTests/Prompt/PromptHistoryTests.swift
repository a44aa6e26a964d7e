import Foundation
import TerminalSupport
import TestSupport
import Testing

@Suite("The prompt's history")
struct PromptHistoryTests {
  private func prompt(
    _ home: TemporaryFolder, _ environment: [String: String?], _ lines: [String]
  ) async throws {
    try await PseudoTerminal.run(environment: environment, home: home) { terminal in
      try await terminal.expect("> ")
      for line in lines {
        try await terminal.send(line + "\n")
        try await terminal.expect("> ")
      }
      try await terminal.send("\u{04}")
      #expect(try await terminal.expectExit() == .exited(0))
    }
  }

  @Test("is in the user's state folder, unless the environment names another")
  func place() async throws {
    let home = try TemporaryFolder()
    try await prompt(home, [:], ["x = 1"])
    #expect(try home.read("state/primerepl/history") == "# history 1\nx = 1\n")

    try await prompt(home, ["XDG_STATE_HOME": "relative"], ["x = 2"])
    #expect(try home.read(".local/state/primerepl/history") == "# history 1\nx = 2\n")
    #expect(!FileManager.default.fileExists(atPath: home.path(of: "relative")))
  }

  @Test("isn't saved if PRIMEREPL_HISTORY is empty")
  func nowhere() async throws {
    let home = try TemporaryFolder()
    try await prompt(home, ["PRIMEREPL_HISTORY": ""], ["x = 1"])
    #expect(home.files("data/primerepl") == ["session.sqlite"])
  }

  @Test("has each block as an entry, even a failed one")
  func blocks() async throws {
    let home = try TemporaryFolder()
    try await prompt(home, [:], ["for i = 1, 2 do\ny = i\nend", "error('x')"])
    #expect(
      try home.read("state/primerepl/history")
        == "# history 1\nfor i = 1, 2 do\\ny = i\\nend\nerror('x')\n")
  }

  @Test("has no lines with passwords, in any file")
  func passwords() async throws {
    let home = try TemporaryFolder()
    try await prompt(
      home, [:],
      [
        "x = 1", "signup.data.password = 'hunter2'",
        "signup.data['password_confirmation'] = 'hunter2'",
        "y = 2",
      ])
    #expect(try home.read("state/primerepl/history") == "# history 1\nx = 1\ny = 2\n")
  }

  @Test("has no lines with a text that is or becomes a secret of the session")
  func secrets() async throws {
    let home = try TemporaryFolder()
    try await prompt(
      home, [:],
      [
        "x = 1", "p = 'hunter2'", "signup.data['pass' .. 'word'] = p",
        "signup.data['pass' .. 'word'] = 'sesame street'", "print('sesame street')", "y = 2",
      ])
    #expect(
      try home.read("state/primerepl/history")
        == "# history 1\nx = 1\nsignup.data['pass' .. 'word'] = p\ny = 2\n")
  }

  @Test("isn't written if the input isn't a terminal")
  func pipedInput() async throws {
    let home = try TemporaryFolder()
    let result = try await CommandRunner(home: home).run(["-i"], input: "1 + 1\n")
    #expect(result.output.contains("> 2\n"))
    #expect(home.files("") == ["data", "data/primerepl", "data/primerepl/session.sqlite"])
  }
}
