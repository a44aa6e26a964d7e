import Foundation
import PrimereplLineEditing
import Synchronization
import Testing
import TestSupport

/// Serialized: signal handlers belong to the process.
@Suite("The line editor on a terminal", .serialized)
@MainActor
final class LineEditorTests {
  private let terminal: TestTerminal
  private let editor: LineEditor
  /// Stands for standard output.
  private let output: Int32
  private let language = BracketLanguage()
  /// Ends an editor that waits forever, so that its test fails instead of hanging.
  private let watchdog: Task<Void, any Error>

  init() throws {
    terminal = try TestTerminal()
    output = dup(terminal.descriptor)
    editor = try LineEditor(
      input: terminal.descriptor, output: terminal.descriptor, environment: ["TERM": "xterm"],
      delegate: language, history: InputHistory(), keyMap: .emacs, usesColors: true,
      redirecting: [output])
    watchdog = Task { @concurrent [terminal] in
      try await Task.sleep(for: .seconds(120))
      Issue.record("The test didn't end.")
      terminal.hangUp()
    }
  }

  deinit { watchdog.cancel() }

  /// Starts to read, waits for the prompt, and types.
  private func startReading(
    typing keys: String = ""
  ) async throws -> Task<LineEditor.Input, Never> {
    let row = terminal.screen.cursorRow
    let task = Task { await editor.read(prompt: StyledText("> ")) }
    try await terminal.wait(for: "the prompt") {
      $0.rows.dropFirst(row).contains { $0.hasPrefix(">") }
    }
    terminal.type(keys)
    return task
  }

  /// Types the last keys of an input, and expects its text.
  private func finish(
    _ reading: Task<LineEditor.Input, Never>, typing keys: String, as text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    terminal.type(keys)
    #expect(await reading.value == .text(text), sourceLocation: sourceLocation)
  }

  private func write(_ text: String) {
    _ = text.withCString { Foundation.write(output, $0, strlen($0)) }
  }

  // MARK: - Typing

  @Test("gives the text that was typed up to Enter", arguments: ["\r", "\n"])
  func typing(enter: String) async throws {
    let reading = try await startReading(typing: "x = 1\(enter)")
    #expect(await reading.value == .text("x = 1"))
    try await terminal.expect(["> x = 1"])
    #expect(terminal.screen.cursorRow == 1)
    #expect(terminal.screen.cursorColumn == 0)
  }

  @Test("keeps lines that come at once together if one of them has a fault")
  func linesAtOnce() async throws {
    let reading = try await startReading()
    terminal.type("f(\r  @\r)\r1\r")
    try await terminal.expect(["> f(", ".   @  unexpected '@'", ". )", ". 1"])
    editor.interrupt()
    #expect(await reading.value == .interrupted)
  }

  @Test(
    "reads keys that were typed before the prompt, also Ctrl-D",
    arguments: [("one\rtwo\r", .text("two")), ("one\r\u{4}", .endOfInput)]
      as [(String, LineEditor.Input)])
  func typeAhead(keys: String, second: LineEditor.Input) async throws {
    terminal.type(keys)
    #expect(await editor.read(prompt: StyledText("> ")) == .text("one"))
    #expect(await editor.read(prompt: StyledText("> ")) == second)
  }

  @Test("leaves what follows an Enter to the next reader of the terminal")
  func nextReader() async throws {
    let reading = try await startReading()
    await finish(reading, typing: "io.read()\ranswer\r", as: "io.read()")
    var bytes = [UInt8](repeating: 0, count: 100)
    let count = read(terminal.descriptor, &bytes, bytes.count)
    #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "answer\n")
  }

  @Test(
    "inserts a paste unchanged, whatever its line ends are, and doesn't run it",
    arguments: ["\r", "\n", "\r\n"])
  func paste(lineEnd: String) async throws {
    let reading = try await startReading()
    let text = ["a", "\tb", "", "c", ""].joined(separator: lineEnd)
    terminal.type("\u{1B}[200~\(text)\u{1B}[201~")
    try await terminal.expect(["> a", ".         b", ".", ". c", "."])
    await finish(reading, typing: "\r", as: "a\n\tb\n\nc\n")
  }

  @Test("takes a large paste")
  func largePaste() async throws {
    let reading = try await startReading()
    let text = String(repeating: String(repeating: "x", count: 99) + "\n", count: 3000)
    let pasting = Thread { [terminal] in terminal.type("\u{1B}[200~\(text)end\u{1B}[201~\r") }
    pasting.start()
    #expect(await reading.value == .text(text + "end"))
  }

  // MARK: - The end

  @Test("ends when it is closed, and restores the terminal at once")
  func close() async throws {
    let before = terminal.modes
    let reading = try await startReading()
    editor.close()
    #expect(terminal.modes.c_lflag == before.c_lflag)
    #expect(await reading.value == .endOfInput)
    #expect(await editor.read(prompt: StyledText("> ")) == .endOfInput)
  }

  @Test("restores the terminal's modes exactly")
  func modes() async throws {
    let before = terminal.modes
    let reading = try await startReading()
    let during = terminal.modes
    #expect(during.c_lflag & tcflag_t(ICANON | ECHO) == 0)
    #expect(during.c_lflag & tcflag_t(ISIG) != 0)
    #expect(terminal.screen.hasBracketedPaste)
    terminal.type("\r")
    _ = await reading.value
    var after = terminal.modes
    var expected = before
    #expect(memcmp(&after, &expected, MemoryLayout<termios>.size) == 0)
    try await terminal.wait(for: "the end of pastes in brackets") { !$0.hasBracketedPaste }
  }

  @Test(
    "can't edit on a terminal that can't move its cursor",
    arguments: [(nil, false), ("", false), ("dumb", false), ("xterm", true)] as [(String?, Bool)])
  func dumb(kind: String?, canEdit: Bool) {
    var environment: [String: String] = [:]
    environment["TERM"] = kind
    #expect(
      LineEditor.canEdit(
        input: terminal.descriptor, output: terminal.descriptor, environment) == canEdit)
  }

  // MARK: - Output above

  @Test("loses and reorders nothing when editing begins and ends")
  func order() async throws {
    write("a\n")
    let reading = Task { await editor.read(prompt: StyledText("> ")) }
    try await terminal.expect(["a", ">"])
    write("b\n")
    write("c")
    editor.close()
    write("d\n")
    _ = await reading.value
    try await terminal.expect(["a", "b", "c", ">", "d"])
  }

  @Test("shows megabytes written by the main actor itself, and then reads keys")
  func muchOutput() async throws {
    let reading = try await startReading()
    let line = String(repeating: "x", count: 30) + "\n"
    let piece = String(repeating: line, count: 1000)
    for _ in 0..<30 { write(piece) }
    write("last\n")
    try await terminal.wait(for: "the end of the output") { $0.rows.suffix(2) == ["last", ">"] }
    #expect(terminal.screen.scrollback.count > 29_990)
    await finish(reading, typing: "1\r", as: "1")
  }

  @Test("reads keys and ends while another thread writes all the time")
  func endlessOutput() async throws {
    let reading = try await startReading()
    let isDone = Atomic(false)
    let writer = Thread { [output] in
      while !isDone.load(ordering: .relaxed) { _ = Foundation.write(output, "yes\n", 4) }
    }
    writer.start()
    try await terminal.wait(for: "the output") { $0.scrollback.count > 1000 }
    await finish(reading, typing: "1\r", as: "1")
    isDone.store(true, ordering: .relaxed)
    try await terminal.wait(for: "the text") { $0.transcript.contains("> 1") }
  }

  // MARK: - Changes from outside

  @Test("redraws when the window's size changes")
  func resize() async throws {
    let reading = try await startReading(typing: "abcdefghijklmnop")
    try await terminal.expect(["> abcdefghijklmnop"])
    terminal.resize(columns: 10, rows: 10)
    try await terminal.expect(["> abcdefgh", "ijklmnop"])
    await finish(reading, typing: "q\r", as: "abcdefghijklmnopq")
  }

  @Test("draws the block again when the process continues after a stop")
  func continued() async throws {
    let reading = try await startReading(typing: "abc")
    try await terminal.expect(["> abc"])
    terminal.printDirectly("\nshell\n")
    kill(getpid(), SIGCONT)
    try await terminal.expect(["> abc", "shell", "> abc"])
    await finish(reading, typing: "\r", as: "abc")
  }

  // MARK: - Rows of the caller

  @Test("asks questions", arguments: [("y", true), ("n", false), ("q\u{1B}", false), ("Y", true)])
  func questions(keys: String, answer: Bool) async throws {
    let asking = Task { await editor.ask("Leave?") }
    try await terminal.expect(["Leave? (y/n)"])
    terminal.type(keys)
    #expect(await asking.value == answer)
    try await terminal.expect(["Leave? (y/n) \(answer ? "yes" : "no")"])
  }

  // MARK: - Waiting

  @Test("never waits in a read itself, since Ctrl-C takes back keys already reported")
  func readWithoutKeys() async throws {
    let reading = try await startReading()
    let count = Mutex<Int?>(nil)
    DispatchQueue(label: "read").async { [descriptor = terminal.descriptor] in
      var byte: UInt8 = 0
      let result = Foundation.read(descriptor, &byte, 1)
      count.withLock { $0 = result }
    }
    try await wait(for: "the end of the read") { count.withLock { $0 } != nil }
    #expect(count.withLock { $0 } == 0)
    await finish(reading, typing: "\r", as: "")
  }

  @Test("shows a row while code waits, and keeps typed text for the next prompt")
  func waiting() async throws {
    let before = terminal.modes
    write("abc")
    editor.beginWaiting()
    editor.showWaiting(StyledText("waiting 1 s"))
    try await terminal.expect(["abc", "waiting 1 s"])
    terminal.type("typed\r")
    write("def\n")
    try await terminal.expect(["abcdef", "", "waiting 1 s"])
    #expect(terminal.modes.c_lflag & tcflag_t(ECHO) == 0)
    editor.endWaiting()
    try await terminal.expect(["abcdef"])
    #expect(terminal.modes.c_lflag == before.c_lflag)
    #expect(await editor.read(prompt: StyledText("> ")) == .text("typed"))
  }
}

@Suite("Terminals")
struct TerminalTests {
  @Test(
    "are recognized as reflowing by their environment variables",
    arguments: [
      (["TERM": "xterm-256color", "VTE_VERSION": "7000"], true), (["TMUX": "/tmp/tmux"], true),
      (["TERM": "xterm", "XTERM_VERSION": "XTerm(390)"], false), (["VTE_VERSION": ""], false),
      ([:], false),
    ])
  func reflows(environment: [String: String], reflows: Bool) {
    #expect(Terminal.reflows(in: environment) == reflows)
  }

  @Test("have a default size if they report none")
  func fallbackSize() throws {
    let unsized = try TestTerminal(columns: 0, rows: 0)
    let terminal = try Terminal(input: unsized.descriptor, output: unsized.descriptor)
    #expect(terminal.screen == ScreenSize(columns: 80, rows: 24))
  }
}

extension TestTerminal {
  /// Shows text as another program on the terminal does.
  func printDirectly(_ text: String) { _ = text.withCString { write(descriptor, $0, strlen($0)) } }
}
