import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("The prompt's history")
struct PromptHistoryTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  private func prompt(_ environment: [String: String?], _ lines: [String]) async throws {
    try await PseudoTerminal.prompt([], environment: environment, home: home) { terminal in
      for line in lines {
        try await terminal.send(line + "\n", showing: "> ")
      }
      #expect(try await terminal.expectExit(after: "\u{04}") == .exited(0))
    }
  }

  @Test("is in the user's state folder, unless the environment names another")
  func place() async throws {
    try await prompt([:], ["x = 1"])
    #expect(try home.read("state/primerepl/history") == "# history 1\nx = 1\n")

    try await prompt(["XDG_STATE_HOME": "relative"], ["x = 2"])
    #expect(try home.read(".local/state/primerepl/history") == "# history 1\nx = 2\n")
    #expect(!FileManager.default.fileExists(atPath: home.path(of: "relative")))
  }

  @Test("isn't saved if PRIMEREPL_HISTORY is empty")
  func nowhere() async throws {
    try await prompt(["PRIMEREPL_HISTORY": ""], ["x = 1"])
    #expect(home.files("data/primerepl") == ["session.sqlite"])
  }

  @Test("has no lines with passwords, in any file")
  func passwords() async throws {
    try await prompt(
      [:],
      [
        "x = 1", "signup.data.password = 'hunter2'",
        "signup.data['password_confirmation'] = 'hunter2'",
        "y = 2",
      ])
    #expect(try home.read("state/primerepl/history") == "# history 1\nx = 1\ny = 2\n")
  }

  @Test("and .save have no argument that is a secret, however the call is written, and if it fails")
  func secretArguments() async throws {
    let app = try home.write(
      """
      feature "safe" {
        state = { tries = 0 },
        actions = {
          login = action { "user: string", "code: secret", function(state, user)
            if user == "no" then fail("unknown_user", "There is no such user.") end
            state.tries = state.tries + 1
          end },
          unlock = action { "code: secret", function(state) state.tries = 0 end },
        },
      }
      """, to: "safe.lua")
    let lines = [
      "x = 1", "safe.login('u', 'Zx9Secret')", "safe.unlock 'Zx9'", #"safe.unlock("\90x9")"#,
      "safe.login('no', 'Zx9Refused')", "safe.login({}, 'Zx9Type')", "safe.unlock(12345678)",
      "safe.logn('u', 'Zx9Typo')", "saef.login('u', 'Zx9Module')",
      "local pw = 'Zx9Local'; safe.login('u', pw)", "p = 'Zx9Before'", "safe.login('u', p)",
      "s = {f = safe.login}", "s.f('u', 'Zx9' .. 'Joined')", "safe['un' .. 'lock'] [[Zx9Long]]",
      "function go() safe.unlock('Zx9Later') end", ".time safe.unlock('Zx9Time')",
      "safe.login(", "'u',", "'Zx9Lines')", "\u{1B}[200~safe.login(\n'u', 'Zx9Paste')\u{1B}[201~",
      "todo.fetch('HTTP://u:Zx9Pass@127.0.0.1:1/')", ".save \(home.path(of: "saved.lua"))", "y = 2",
    ]
    try await PseudoTerminal.prompt(["--app", app, "-q"], home: home) { terminal in
      for (number, line) in lines.enumerated() {
        try await terminal.send(line + "\n")
        if line.hasPrefix("safe.login(") && !line.contains(")") || line == "'u'," { continue }
        // The mark is only shown by code that runs after the line.
        try await terminal.send("print('mark' .. \(number))\n", showing: "mark\(number)\n")
      }
    }
    let name = try #require(home.files("state/primerepl").first { $0.hasPrefix("safe-") })
    let history = try home.read("state/primerepl/\(name)")
    let saved = try home.read("saved.lua")
    for text in [history, saved] {
      #expect(text.contains("x = 1\n"))
      #expect(!text.contains("Zx9") && !text.contains("90x9") && !text.contains("12345678"))
    }
    #expect(history.contains("y = 2\n"))
  }

  @Test("is in the file that PRIMEREPL_HISTORY names, without repetitions and inputs after a space")
  func namedFile() async throws {
    let environment = ["PRIMEREPL_HISTORY": home.path(of: "new/history")]
    try await prompt(environment, ["40+2", "40+2", " 1+2"])
    #expect(try home.read("new/history") == "# history 1\n40+2\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: home.path(of: "new/history"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try await PseudoTerminal.prompt([], environment: environment, home: home) { terminal in
      try await terminal.type(KeyCode.up, "> 40+2")
    }
  }

  @Test("that can't be used is reported once, and the prompt continues")
  func unusable() async throws {
    try await PseudoTerminal.prompt(
      [], environment: ["PRIMEREPL_HISTORY": home.path], home: home
    ) { terminal in
      for _ in 1...2 { try await terminal.type("1+1\n", "> 1+1", "2", ">") }
      #expect(terminal.transcript.components(separatedBy: home.path).count == 2)
    }
  }

  @Test("isn't written if the input isn't a terminal")
  func pipedInput() async throws {
    let result = try await CommandRunner(home: home).run(["-i"], input: "1 + 1\n")
    #expect(result.output.contains("> 2\n"))
    #expect(home.files("") == ["data", "data/primerepl", "data/primerepl/session.sqlite"])
  }
}
