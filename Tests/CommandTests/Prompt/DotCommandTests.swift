import Foundation
import TerminalSupport
import Testing
import TestSupport

@Suite("Dot commands")
struct DotCommandTests {
  private let home: TemporaryFolder

  init() throws { home = try TemporaryFolder() }

  // MARK: - Typing them

  @Test("that are unknown name the nearest; a dot and a digit is Lua")
  func unknown() async throws {
    try await PseudoTerminal.prompt { terminal in
      try await terminal.enter(".histroy", "there is no command .histroy; did you mean .history?")
      try await terminal.enter(".qqqqqq", "there is no command .qqqqqq; .help lists them.")
      try await terminal.enter(".5 + 1", "1.5")
    }
  }

  @Test("say what is wrong with their arguments")
  func arguments() async throws {
    let messages = [
      (".jump", "usage: .jump k"),
      (".jump x", ".jump k needs a whole number, not x"),
      (".jump 9", "The history has no action 9: it goes from 0 to 0."),
      (".undo 0", ".undo [n from 1] needs a whole number, not 0"),
      (".redo x", ".redo [n from 1] needs a whole number, not x"),
      (".cancel", "usage: .cancel n"),
      (".diff", "usage: .diff k [l]"),
      (".load", "usage: .load file"),
      (".load nosuch.lua", "cannot read nosuch.lua: No such file or directory"),
      (".load /dev/tty", "cannot read /dev/tty: it isn't a regular file"),
      (".time", "usage: .time [-n 1000] code"),
      (".time -n 5", "usage: .time -n 1000 code"),
      (".time -n 0 x", ".time -n needs a number of runs from 1 to 1,000,000, not 0"),
      (".changes none", ".changes on|off|full, not none"),
      (".clear x", ".clear takes no argument"),
      (".quit 256", ".quit [status from 0 to 255] needs a whole number, not 256"),
      (".record off", "usage: .record file"),
    ]
    try await PseudoTerminal.prompt { terminal in
      for (command, message) in messages { try await terminal.enter(command, message) }
    }
  }

  @Test("say where the history begins if it has lost actions")
  func historyLimit() async throws {
    try await PseudoTerminal.prompt(columns: 90) { terminal in
      try await terminal.send("store.history_limit = 2; for i = 1, 5 do counter.increment() end\n")
      try await terminal.expectRow("counter.count 0 → 5")
      try await terminal.send(".undo\n", showingRow: "the history keeps the last 2 actions")
      try await terminal.send(".undo\n")
      try await terminal.expectRow(
        "There is nothing to undo. The history keeps the last 2 actions.")
    }
  }

  @Test("leave the prompt with .exit as with .quit")
  func exit() async throws {
    try await PseudoTerminal.prompt { terminal in
      let status = try await terminal.expectExit(after: ".exit 3\n")
      #expect(status == .exited(3))
    }
  }

  @Test("aren't needed to leave: exit and quit say how; .quit has a status")
  func leaving() async throws {
    try await PseudoTerminal.prompt { terminal in
      for word in ["exit", "quit", "exit()", "quit()"] {
        try await terminal.enter(word, "Ctrl-D or .quit leaves.")
      }
      try await terminal.send("help\n", showing: "help() lists the modules")
      #expect(try await terminal.expectExit(after: ".quit 3\n") == .exited(3))
    }
  }

  @Test("and help are wrapped at words on narrow screens")
  func narrowHelp() async throws {
    try await PseudoTerminal.prompt(columns: 40) { terminal in
      for command in [".help", ".keys", "help('nth')", "help(prime.nth)", ".help counter", "help"] {
        try await terminal.send(command + "\n")
      }
      try await terminal.enter("6 * 7", "42")
      // A line that is too long is one that the terminal wraps.
      #expect(terminal.screen.unwrappedLines.filter { $0.count > 40 } == [])
    }
  }

  @Test("have their messages wrapped at words, too")
  func narrowMessage() async throws {
    try await PseudoTerminal.prompt(columns: 30) { terminal in
      try await terminal.enter(
        ".watch cuonter", "The state has nothing at", "\"cuonter\"; did you mean", "\"counter\"?")
    }
  }

  @Test("are listed in groups")
  func groups() async throws {
    try await PseudoTerminal.prompt(columns: 120) { terminal in
      try await terminal.send(".help\n")
      try await terminal.expectScreen("the next prompt") { $0.text.hasSuffix("\n>") }
      let rows = terminal.screen.transcript.split(separator: "\n").map(String.init)
      let headings = ["Help and the prompt", "The state", "The history", "Running code", "Files"]
      #expect(rows.filter(headings.contains) == headings)
      let history = try #require(rows.firstIndex(of: "The history"))
      #expect(rows[history + 1].hasPrefix(".history "))
    }
  }

  @Test("share the prompt with questions: name? asks for help, and name?? for a source")
  func questions() async throws {
    try await PseudoTerminal.prompt(columns: 90) { terminal in
      try await terminal.enter(
        "counter.increment?", "counter.increment([by: integer]): integer",
        "  Adds 1, or an amount, to the count and returns it.",
        "  Example: counter.increment(10)")
      try await terminal.enter("function add(a, b)\n  return a + b\nend")
      try await terminal.enter("add?", "add(a, b)  input 1:1", "add?? shows its source.")
      try await terminal.enter(
        "add??", "add(a, b)  input 1:1", "function add(a, b)", "  return a + b", "end")
      try await terminal.send("help(conter)\n")
      try await terminal.expect("There is no help on 'conter'; did you mean 'counter'?")
      try await terminal.send("x = 1?\n", showing: "near '?'")
    }
  }

  // MARK: - Files

  @Test("load a file, and show its changes and its error")
  func loading() async throws {
    _ = try home.write("counter.increment(2)\nfunction f() return 5 end", to: "good.lua")
    _ = try home.write("counter.increment()\nerror('in file')", to: "failing.lua")
    _ = try home.write("x =", to: "wrong.lua")
    try await PseudoTerminal.prompt(home: home, columns: 90) { terminal in
      try await terminal.enter(".load good.lua", "#1  counter.count 0 → 2")
      try await terminal.enter("f()", "5")
      try await terminal.enter(
        ".load failing.lua", "failing.lua:2: in file", "  error('in file')", "  ^^^^^",
        "#2  counter.count 2 → 3")
      try await terminal.enter("_error", "\"failing.lua:2: in file\"")
      try await terminal.enter(
        ".load wrong.lua", "wrong.lua:1: unexpected symbol near <eof>", "  x =", "    ^")
    }
  }

  @Test(
    "save the session as a script that does the same, including loads, undos and trials")
  func saving() async throws {
    _ = try home.write("counter.increment(2)", to: "two.lua")
    try await PseudoTerminal.prompt(home: home, columns: 90) { terminal in
      try await terminal.enter(".load two.lua", "#1  counter.count 0 → 2")
      try await terminal.enter("favorites.add(7)", "#2  favorites +7")
      try await terminal.enter(
        ".undo", "#1 of 2  undone: favorites.add(7) · favorites −7", prompt: "-1> ")
      try await terminal.send(".try counter.increment(30)\n", showing: "Keep this? (y/n)")
      try await terminal.send("y", showing: "yes\n> ")
      try await terminal.enter("favorites.add(8)", "8 is not prime  [not_prime]")
      try await terminal.enter(".save session.lua", "4 commands in session.lua")
    }
    let check = "print(counter.count, #favorites)"
    _ = try home.write(home.read("session.lua") + check, to: "checked.lua")
    let result = try await CommandRunner(workingDirectory: home.path, home: home)
      .run(["checked.lua"])
    #expect(result.output.hasSuffix("32\t0\n"))
    #expect(result.error == "")
  }

  @Test("take a file's name in quotes")
  func quotedPaths() async throws {
    _ = try home.write("counter.increment(2)", to: "a b.lua")
    try await PseudoTerminal.prompt(home: home, columns: 90) { terminal in
      try await terminal.enter(#".load "a b.lua""#, "#1  counter.count 0 → 2")
      try await terminal.enter(".load 'a b.lua'", "#2  counter.count 2 → 4")
      try await terminal.enter(".load a b.lua", "#3  counter.count 4 → 6")
      try await terminal.enter(#".save "c d.lua""#, "3 commands in c d.lua")
      try await terminal.enter("{1, 2}", "{ 1, 2 }")
      try await terminal.enter(#".csv "e\"f.csv""#, "2 rows in e\"f.csv")
      try await terminal.enter(".json 'g h.json'", "the last value is in g h.json")
      try await terminal.enter(
        #".scenario #1..#2 "i j.scenario.lua""#, "2 actions: passed")
      try await terminal.enter(
        #".record "k l.scenario.lua""#, "recording to k l.scenario.lua; .record off ends it")
      try await terminal.enter(
        #".load "open.lua"#, #"cannot read "open.lua: No such file or directory"#)
    }
    for name in ["c d.lua", "e\"f.csv", "g h.json", "i j.scenario.lua"] {
      #expect(home.files("").contains(name))
    }
  }

  @Test("write over no file but one of the session's")
  func overwriting() async throws {
    let commands = [
      (".csv", "x.csv", "2 rows in x.csv"), (".json", "x.json", "the last value is in x.json"),
      (".save", "x.lua", "2 commands in x.lua"),
      (".scenario", "x.scenario.lua", "1 action: passed"),
    ]
    try await PseudoTerminal.prompt(home: home, columns: 90) { terminal in
      try await terminal.enter("counter.increment()", "1", "#1  counter.count 0 → 1")
      try await terminal.enter("{1, 2}", "{ 1, 2 }")
      for (command, file, message) in commands {
        for _ in 1...2 { try await terminal.enter("\(command) \(file)", message) }
        _ = try home.write("of somebody else", to: file)
        try await terminal.send("\(command) \(file)\n")
        try await terminal.expect("would be overwritten: name another file, or")
        try await terminal.expect("\n> ")
        #expect(try home.read(file) == "of somebody else")
      }
    }
  }

  @Test("edit the last input, or code, in the user's editor, and run it")
  func editing() async throws {
    _ = try home.write("#!/bin/sh\nsed -i s/1/20/ \"$1\"\n", to: "editor")
    let environment = ["EDITOR": "sh \(home.path(of: "editor"))", "VISUAL": nil]
    try await PseudoTerminal.prompt(environment: environment) { terminal in
      try await terminal.enter("1 + 2", "3")
      try await terminal.enter(".edit", "20 + 2", "22")
      try await terminal.enter(".edit 1 + 4", "20 + 4", "24")
      try await terminal.send("1 + 5\u{18}\u{05}", showingRow: "> 20 + 5")
      try await terminal.send("\n", showing: "\n25\n> ")
    }
    try await PseudoTerminal.prompt(environment: ["EDITOR": "false", "VISUAL": nil]) { terminal in
      try await terminal.enter("1 + 2", "3")
      try await terminal.enter(".edit", "the editor failed, so nothing has changed: false")
    }
  }

  // MARK: - Tests from what one did

  @Test("pin values that only read, and leave the state as it is")
  func expecting() async throws {
    try await PseudoTerminal.prompt(home: home, columns: 90) { terminal in
      try await terminal.enter("counter.count = 7", "#1  counter.count 0 → 7")
      try await terminal.enter(".expect counter.count", "expects 7")
      try await terminal.enter(".expect \"hello\"", "expects \"hello\"")
      try await terminal.enter(
        ".expect counter.increment()",
        "the expression would change the state: pin one that only reads")
      try await terminal.enter("counter.count, #store.history()", "7   1")
      try await terminal.enter(
        ".scenario one.scenario.lua", "1 action, 2 expectations: passed")
    }
  }

  @Test("record the actions in effect as a scenario that passes")
  func recording() async throws {
    try await PseudoTerminal.prompt(home: home, columns: 90) { terminal in
      try await terminal.send(".record session.scenario.lua\n")
      try await terminal.expect("recording to session.scenario.lua; .record off ends it\n> ")
      try await terminal.enter("counter.count = 7", "#1  counter.count 0 → 7")
      try await terminal.enter(".expect counter.count", "expects 7")
      try await terminal.enter("favorites.add(7)", "#2  favorites +7")
      try await terminal.enter(
        ".undo", "#1 of 2  undone: favorites.add(7) · favorites −7", prompt: "-1> ")
      #expect(try !home.read("session.scenario.lua").contains("favorites"))
      try await terminal.enter(".record off", "1 action, 1 expectation: passed", prompt: "-1> ")
    }
    let result = try await CommandRunner(workingDirectory: home.path, home: home)
      .run(["test", "session.scenario.lua"])
    #expect(result.status == .exited(0))
  }

  @Test("keep a recording whose file can't be written, until another is named")
  func movedRecording() async throws {
    let folder = try home.makeFolder("gone")
    try await PseudoTerminal.prompt(home: home, columns: 90) { terminal in
      try await terminal.send(".record gone/x.scenario.lua\n")
      try await terminal.expect("recording to gone/x.scenario.lua; .record off ends it\n> ")
      try FileManager.default.removeItem(atPath: folder)
      try await terminal.send("counter.count = 7\n", showing: "the recording continues in memory")
      try await terminal.send(".record x.scenario.lua\n")
      try await terminal.expect("recording to x.scenario.lua, which has all of it\n> ")
      try await terminal.enter(".record off", "1 action: passed")
    }
  }

  @Test("time code: once, or many times with the median, and the actions and bytes of a run")
  func timing() async throws {
    try await PseudoTerminal.prompt(columns: 90) { terminal in
      try await terminal.send(".time counter.increment()\n")
      try await terminal.expect("#1  counter.count 0 → 1\ntook ")
      try await terminal.send(".time -n 20 counter.increment()\n")
      try await terminal.expect("#2…#21  20 actions: counter.count 1 → 21\n20 runs: median ")
      try await terminal.expect("; per run: 1 action, ")
      try await terminal.expect(" bytes\n> ")
      try await terminal.send(".time -n 3 error('no', 0)\n", showing: "\nno\n")
    }
  }

  @Test("show all calls of the last error by .traceback")
  func traceback() async throws {
    try await PseudoTerminal.prompt(columns: 90) { terminal in
      try await terminal.enter(".traceback", "the last error has no calls")
      try await terminal.enter("function f() error('deep') end")
      try await terminal.send("f()\n", showing: "  in function 'f' (input 1:1)\n> ")
      try await terminal.send(".traceback\n", showing: "stack traceback:")
      try await terminal.expect("[C]: in function 'error'")
    }
  }
}
