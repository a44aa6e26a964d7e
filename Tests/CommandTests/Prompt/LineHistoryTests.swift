import Foundation
import TestSupport
import Testing

@Suite("The prompt's line history")
struct LineHistoryTests {
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

  @Test("is in the user's data folder, unless the environment names another")
  func place() async throws {
    let home = try TemporaryFolder()
    try await prompt(home, [:], ["x = 1"])
    #expect(try home.read("data/primerepl/history") == "x = 1\n")

    try await prompt(home, ["XDG_DATA_HOME": "relative"], ["x = 2"])
    #expect(try home.read(".local/share/primerepl/history") == "x = 2\n")
    #expect(!FileManager.default.fileExists(atPath: home.path(of: "relative")))
  }

  @Test("isn't saved if PRIMEREPL_HISTORY is empty")
  func nowhere() async throws {
    let home = try TemporaryFolder()
    try await prompt(home, ["PRIMEREPL_HISTORY": ""], ["x = 1"])
    #expect(home.files("data/primerepl") == ["session.sqlite"])
  }

  @Test("has the lines of each chunk, even of failed ones")
  func lines() async throws {
    let home = try TemporaryFolder()
    try await prompt(home, [:], ["for i = 1, 2 do", "y = i", "end", "error('x')", "x = = 1"])
    #expect(
      try home.read("data/primerepl/history")
        == "for i = 1, 2 do\ny = i\nend\nerror('x')\nx = = 1\n")
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
    #expect(try home.read("data/primerepl/history") == "x = 1\ny = 2\n")
  }

  @Test("isn't written if the input isn't a terminal")
  func pipedInput() async throws {
    let home = try TemporaryFolder()
    let result = try await CommandRunner(home: home).run(["-i"], input: "1 + 1\n")
    #expect(result.output.contains("> 2\n"))
    #expect(home.files("data/primerepl") == ["session.sqlite"])
  }
}
