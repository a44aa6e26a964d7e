import Lua
import SampleApp
import Scenarios
import Scripting
import Testing
import TestSupport

@testable import Console
@testable import PrimereplTerminal

@MainActor
@Suite("Recording: the transcript of a session")
struct SessionTranscriptTests {
  private let session: SessionApp
  private let transcript: SessionTranscript

  init() throws {
    session = try SessionApp()
    transcript = SessionTranscript(
      of: session.app, in: session.state, without: InputSecrets(of: session.app))
  }

  /// The script without its first line.
  private func lines(_ commands: String...) -> [String] {
    for command in commands { transcript.add(command) }
    return transcript.script().text.split(separator: "\n").dropFirst().map(String.init)
  }

  @Test("has commands as they were typed, and prints the values of expressions")
  func commands() {
    #expect(
      lines("counter.count = 7", "counter.increment()", "counter.count, 5", "counter.count -- now")
        == [
          "counter.count = 7", "counter.increment()", "print(counter.count, 5)",
          "print(counter.count -- now", ")",
        ])
  }

  @Test("runs as a script, and does the same")
  func runs() async throws {
    for command in [
      "local n = 5", "counter.count = n", "x = tostring", "(counter.increment or print)(2)",
      "#favorites", "x\n (1)", "return 1, 2", "if n > 3 then return end",
      "local function twice(n) return 2 * n end", "counter.count;", "counter.increment(twice(1))",
    ] { transcript.add(command) }
    let script = transcript.script().text
    #expect(script.contains("\nprint(#favorites)\n"))
    #expect(script.contains("\nlocal _ = counter.count\n"))
    try await session.run(script)
    #expect(try await session.run("return counter.count") == [.integer(5 + 2 + 2)])
  }

  @Test("keeps the results that later commands read, whether of one value or several")
  func results() async throws {
    transcript.add("counter.count + 4", resultCount: 1)
    transcript.add("counter.count = _")
    transcript.add("return 1, 2", resultCount: 2)
    transcript.add("counter.increment(_2) counter.increment(_)")
    transcript.add("for _, x in ipairs({ 5 }) do counter.increment(x) end")
    let script = transcript.script().text
    #expect(script.contains("\n_ = counter.count + 4\nprint(_)\ncounter.count = _\n"))
    #expect(script.contains("\nend)(...)\n_ = _1\nprint(_1, _2)\n"))
    try await session.run(script)
    #expect(try await session.run("return counter.count") == [.integer(4 + 2 + 1 + 5)])
  }

  @Test(
    "repeats timed code, which may read results, return and be an expression",
    arguments: [
      ("counter.increment(_)", false), ("return counter.increment(_)", false),
      ("local run, _ = counter, _; run.increment(_) -- again", false),
      ("counter.increment(_) + 1", true),
    ])
  func timed(code: String, isExpression: Bool) async throws {
    transcript.add("5", resultCount: 1)
    let runs = try #require(try TimedRuns("-n 2 \(code)"))
    transcript.add(runs.loop(isExpression: isExpression))
    try await session.run(transcript.script().text)
    #expect(try await session.run("return counter.count") == [.integer(10)])
  }

  @Test("leaves out commands that read an error, or the results of a command that is left out")
  func missing() {
    transcript.add("error('no')", failure: "no")
    transcript.add("_error", resultCount: 1)
    transcript.add("x = _")
    transcript.add("x = tostring('_error')", resultCount: 0)
    #expect(
      lines() == [
        "-- Failed: no", "-- error('no')", "-- Left out, as it reads _error:", "-- _error",
        "-- Left out, as it reads _:", "-- x = _", "x = tostring('_error')",
      ])
  }

  @Test("has variables as at the prompt: of the session, or of one command if they hide a module")
  func variables() async throws {
    transcript.add("function read() return n end")
    transcript.add("local n = 5")
    transcript.add("local counter = 3", isTaken: { $0 == "counter" })
    transcript.add("counter.increment(read())")
    try await session.run(transcript.script().text)
    #expect(try await session.run("return counter.count") == [.integer(5)])
  }

  @Test("leaves out dot commands and blank ones")
  func others() {
    #expect(lines(".undo", "  .help x", ".5 + 1", " ", "") == ["print(.5 + 1)"])
  }

  @Test("has failed commands as comments, whatever is in them")
  func failed() {
    transcript.add("favorites.add(8)\ros.exit()", failure: "8 is not prime\n  at\u{1B}[2J")
    transcript.add("1 +", failure: "unexpected symbol")
    #expect(
      lines() == [
        "-- Failed: 8 is not prime", #"--   at\x1b[2J"#, "-- favorites.add(8)", "-- os.exit()",
        "-- Failed: unexpected symbol", "-- 1 +",
      ])
    #expect(transcript.script().count == 0)
  }

  // MARK: - Undo

  /// Runs a command as the prompt does, which adds it.
  private func run(_ command: String, madeSecret: Bool = false) async throws {
    let start = session.app.store.position
    do {
      try await session.run(command)
      transcript.add(command, from: start, madeSecret: madeSecret)
    } catch {
      transcript.add(command, from: start, failure: "no", madeSecret: madeSecret)
    }
  }

  private func jump(to number: Int) throws {
    let start = session.app.store.position
    try session.app.store.jump(to: number)
    transcript.addTravel(from: start)
  }

  /// The lines that undo and redo, or say why they don't.
  private var travels: [String] {
    lines().filter { $0.hasPrefix("store.") || $0.hasPrefix("-- Left out: the ") }
  }

  private static func omitted(_ verb: String, _ actions: String) -> String {
    "-- Left out: the \(verb) of \(actions) that this script may not have sent"
  }

  @Test("undoes its own actions and those before the session, but none of commands it leaves out")
  func undo() async throws {
    try await session.run("counter.count = 1")
    try await run("counter.count = 5")
    try await run("counter.increment() error('no')")
    try jump(to: 2)
    try await run("counter.increment(10)")
    try await run("counter.increment(100)", madeSecret: true)
    try jump(to: 2)
    try jump(to: 3)
    try jump(to: 0)
    #expect(
      travels == [
        Self.omitted("undo", "1 action"), Self.omitted("undo", "1 action"), "store.undo(1)",
        "store.redo(1)", "store.undo(3)",
      ])
    let other = try SessionApp()
    try await other.run("counter.count = 1 " + transcript.script().text)
    #expect(try await other.run("return counter.count") == [.integer(0)])
  }

  @Test("undoes and redoes what its commands have undone or redone themselves")
  func ownTravels() async throws {
    try await session.run("counter.count = 1 store.undo()")
    try await run("store.redo()")
    try jump(to: 0)
    try jump(to: 1)
    try await run("for i = 2, 5 do counter.count = i end store.undo(3)")
    try jump(to: 5)
    try await run("store.undo(3) store.redo()")
    try jump(to: 5)
    try jump(to: 0)
    #expect(
      travels == [
        "store.redo()", "store.undo(1)", "store.redo(1)", "store.redo(3)",
        "store.undo(3) store.redo()",
        "store.redo(2)", "store.undo(5)",
      ])
  }

  @Test("doesn't undo what others have done")
  func others() async throws {
    try await run("counter.count = 5")
    try await session.run("store.undo() counter.count = 6 counter.count = 7")
    try await run("counter.count = 8")
    try jump(to: 0)
    #expect(travels == [Self.omitted("undo", "1 action"), "store.undo(2)"])
  }

  @Test("undoes what .undo --mine took back last, and leaves out what it took back otherwise")
  func takingBack() async throws {
    try await run("counter.count = 5")
    try await run("favorites.add(7)")
    for number in [2, 1] {
      let start = session.app.store.position
      try session.app.store.takeBack(number...number)
      transcript.addTakingBack(from: start)
      if number == 2 { try await run("favorites.add(11)") }
    }
    try jump(to: 1)
    #expect(
      lines() == [
        "counter.count = 5", "favorites.add(7)", "store.undo(1)", "favorites.add(11)",
        "-- Left out: .undo --mine, as others have acted since",
        Self.omitted("undo", "1 action"), "store.undo(1)",
      ])
  }

  @Test("leaves out commands with bytes that aren't UTF-8, or with control characters")
  func bytes() {
    for command in ["x = '\u{10FEFF}\u{9B}'", "#'\u{1B}'", "y = '\u{202E}'"] {
      #expect(lines(command).last == "-- A command with control characters was left out.")
    }
    #expect(transcript.script().count == 0)
  }

  @Test("leaves out a command that made a text a secret, whatever it looks like")
  func madeSecret() {
    transcript.add("go()", madeSecret: true)
    transcript.add("x = 1")
    #expect(lines() == ["-- A command with a password was left out.", "x = 1"])
  }

  @Test("has neither a password of an address, nor a secret in the message of an error")
  func addresses() async throws {
    try await session.run("signup.data.password = 'Zx9Message'")
    #expect(
      lines("todo.fetch('http://u:PASS@h/')") == ["-- A command with a password was left out."])
    transcript.add("check()", failure: "Zx9Message is wrong")
    #expect(lines().suffix(2) == ["-- Failed: •••••• is wrong", "-- check()"])
  }

  @Test("has no passwords, whether a command names them or only contains one")
  func secrets() async throws {
    let commands = [
      "p = 'hunter2'", "signup.data.Password = 1", "signup.data.password = p", "x = 1",
    ]
    try await session.run("signup.data.password = 'hunter2'")
    for command in commands { transcript.add(command) }
    try await session.run("store.reset()")
    let text = transcript.script().text
    #expect(!text.contains("hunter2"))
    #expect(lines().filter { $0 == "-- A command with a password was left out." }.count == 3)
    #expect(lines().last == "x = 1")
  }

  @Test("runs even if all commands together would be too much for one function")
  func many() async throws {
    for number in 1...300 { transcript.add("local v\(number) = \(number)") }
    transcript.add("::again::")
    transcript.add("::again::")
    transcript.add("counter.count = 3")
    try await session.run(transcript.script().text)
    #expect(try await session.run("return counter.count") == [.integer(3)])
  }
}
