import Foundation
import PrimereplPlatform
package import Subprocess
package import TestSupport

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// The built command on a terminal, with a test in the user's place.
///
/// The terminal is the command's controlling one, so that Ctrl-C, job control and hanging up are as
/// they are for a user.
package final class PseudoTerminal {
  private let terminal: Int32
  private let process = TerminalProcess()

  // The other side is kept open, or reading would fail until the command has opened it, too.
  private let otherSide: Int32
  private var isHungUp = false
  private var shown: [UInt8] = []
  /// Where what was expected last ends: a line of the screen's, and the bytes of it.
  private var matched = (line: 0, offset: 0)
  /// The screen's number of discards when that was found.
  private var discardCount = 0

  /// The screen as the user sees it.
  package private(set) var screen: TerminalScreen

  /// Everything the terminal has shown, without escape sequences.
  package var transcript: String {
    var parser = TerminalParser()
    var plain = String.UnicodeScalarView()
    for byte in shown {
      switch parser.next(byte) {
      case .print(let scalar): plain.append(scalar)
      case .control(UInt8(ascii: "\n")): plain.append("\n")
      case .control(UInt8(ascii: "\t")): plain.append("\t")
      default: break
      }
    }
    return String(plain)
  }

  private init(terminal: Int32, otherSide: Int32, size: winsize) {
    screen = TerminalScreen(columns: Int(size.ws_col), rows: Int(size.ws_row))
    self.terminal = terminal
    self.otherSide = otherSide
  }

  deinit {
    if !isHungUp { close(terminal) }
    close(otherSide)
  }

  /// Runs the command on a new terminal, and kills it if it is still there after the test's part.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the command.
  ///   - environment: Variables to set besides those of `CommandEnvironment`; nil unsets one. Unless it says otherwise,
  ///     there are no colors, and so no hints.
  ///   - home: The folder used as the user's home; a new one if nil.
  ///   - columns: The terminal's width.
  ///   - rows: The terminal's height.
  ///   - program: The path of the program; by default primerepl, as the tests were built with it.
  ///   - body: The user's part.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or `SystemCallError` if there is no terminal.
  package static func run<Result>(
    _ arguments: [String] = [], environment: [String: String?] = [:], home: TemporaryFolder? = nil,
    columns: UInt16 = 80, rows: UInt16 = 24, program: String? = nil,
    _ body: (PseudoTerminal) async throws -> Result
  ) async throws -> Result {
    let home = try home ?? TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    var sides: (terminal: Int32, other: Int32) = (-1, -1)
    var path = [CChar](repeating: 0, count: 128)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&sides.terminal, &sides.other, &path, nil, &size) == 0 else {
      throw SystemCallError("openpty")
    }
    let terminal = PseudoTerminal(terminal: sides.terminal, otherSide: sides.other, size: size)
    guard fcntl(sides.terminal, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(sides.other, F_SETFD, FD_CLOEXEC) == 0,
      fcntl(sides.terminal, F_SETFL, O_NONBLOCK) == 0
    else { throw SystemCallError("fcntl") }
    let configuration = try configuration(
      terminal: path, program: program ?? BuiltExecutable.path(of: "primerepl"),
      arguments: arguments,
      environment: CommandEnvironment.make(
        home: home.path, changes: ["NO_COLOR": "1"].merging(environment) { $1 }), home: home)
    return try await withThrowingTaskGroup(of: Void.self) { group in
      // Cancelling the task kills the process.
      defer { group.cancelAll() }
      group.addTask { [process = terminal.process] in await process.run(configuration) }
      return try await body(terminal)
    }
  }

  /// The command as leader of a new session, whose first opened terminal becomes its
  /// controlling one.
  private static func configuration(
    terminal: [CChar], program: String, arguments: [String], environment: Environment,
    home: TemporaryFolder
  ) throws -> Configuration {
    let path = terminal.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let script = #"exec 0<>"$0" 1>&0 2>&0 && exec "$@""#
    var options = PlatformOptions()
    options.createSession = true
    return Configuration(
      executable: .path("/bin/sh"),
      arguments: Arguments(
        [
          "-c", script, String(decoding: path, as: UTF8.self), program,
        ] + arguments),
      environment: environment, workingDirectory: FilePath(home.path), platformOptions: options)
  }

  /// Types text; a newline is the Return key, and for example `\u{03}` is Ctrl-C.
  package func send(_ text: String) async throws {
    // The Return key sends a carriage return.
    try await send(Array(text.replacing("\n", with: "\r").utf8))
  }

  /// Types bytes.
  package func send(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    try await wait(for: "reading what is typed") {
      let count = rest.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      if count < 0, errno != EAGAIN, errno != EINTR {
        throw SystemCallError("write")
      }
      rest = rest.dropFirst(max(count, 0))
      return rest.isEmpty
    }
  }

  /// Waits until the screen meets a condition.
  ///
  /// - Parameters:
  ///   - awaited: The condition in words, for the error.
  ///   - isShown: Whether the screen shows it.
  /// - Throws: ``TimeLimitExceeded`` if it doesn't come.
  package func expectScreen(
    _ awaited: String, _ isShown: (TerminalScreen) -> Bool
  ) async throws {
    try await wait(for: awaited) { isShown(screen) }
  }

  /// Waits until a row of the screen has a text.
  package func expectRow(_ text: String) async throws {
    try await expectScreen("a row with «\(text)»") { screen in
      screen.rows.contains { $0.contains(text) }
    }
  }

  /// Waits until a file is there.
  package func expectFile(_ path: String) async throws {
    try await wait(for: path) { FileManager.default.fileExists(atPath: path) }
  }

  #if os(Linux)
    /// Waits until the command sleeps, as it does while it waits for input.
    package func expectSleep() async throws {
      try await wait(for: "the command's sleep") { try statistics().first == "S" }
    }

    /// Waits until the command has computed for a tenth of a second, and so is in the function that it has called.
    package func expectComputation() async throws {
      let ticks = sysconf(Int32(_SC_CLK_TCK)) / 10
      var start: Int?
      try await wait(for: "the command's computation") {
        // The user time, field 14 of proc_pid_stat(5).
        guard let time = try statistics().dropFirst(11).first.flatMap({ Int($0) }) else {
          return false
        }
        start = start ?? time
        return time - (start ?? 0) >= ticks
      }
    }

    /// The fields of the command's `/proc/PID/stat` after its name; the first is its state.
    private func statistics() throws -> [Substring] {
      guard let identifier = process.identifier else { return [] }
      let text = try String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8)
      return text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ").dropFirst()
        .map(\.self)
    }
  #endif

  /// Waits until the terminal shows a text after the one expected before.
  ///
  /// Spaces at the ends of lines don't count, and lines are as long as they were before the terminal wrapped them.
  package func expect(_ text: String) async throws {
    let wanted = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { line in String(line.trimmingSuffix(" ")) }.joined(separator: "\n")
    try await wait(for: "«\(text)»") {
      let lines = screen.unwrappedLines
      if screen.discardCount != discardCount || matched.line > lines.count {
        (discardCount, matched) = (screen.discardCount, (0, 0))
      }
      // The last line has ended if the cursor is below it.
      let isEnded = screen.rows[max(screen.cursorRow, 0)...].allSatisfy(\.isEmpty)
      let text = lines[matched.line...].joined(separator: "\n") + (isEnded ? "\n" : "")
      let rest = Array(text.utf8)
      guard let match = rest.dropFirst(matched.offset).firstRange(of: Array(wanted.utf8)) else {
        return false
      }
      let lineEnds = rest[..<match.upperBound].indices.filter { rest[$0] == UInt8(ascii: "\n") }
      if let last = lineEnds.last {
        matched = (matched.line + lineEnds.count, match.upperBound - last - 1)
      } else {
        matched.offset = match.upperBound
      }
      return true
    }
  }

  /// Waits until the command has ended, and returns its exit status.
  package func expectExit() async throws -> TerminationStatus {
    var status = TerminationStatus.exited(0)
    try await wait(for: "the command's end") {
      guard let result = process.result else { return false }
      status = try result.get()
      return true
    }
    readOutput()
    return status
  }

  /// Sends a signal to the command.
  package func signal(_ signal: Int32) async throws {
    try await wait(for: "the command's start") { process.identifier != nil }
    guard let identifier = process.identifier, kill(identifier, signal) == 0 else {
      throw SystemCallError("kill")
    }
  }

  /// Changes the size of the window.
  package func resize(columns: UInt16, rows: UInt16 = 24) throws {
    readOutput()
    screen.resize(columns: Int(columns), rows: Int(rows))
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0 else {
      throw SystemCallError("ioctl")
    }
  }

  /// Closes the window; nothing can be sent nor shown any more.
  package func hangUp() {
    close(terminal)
    isHungUp = true
  }

  /// Whether the terminal echoes what is typed and hands it over line by line, as it did before the
  /// command was started.
  package func isInLineMode() throws -> Bool {
    var modes = termios()
    guard tcgetattr(otherSide, &modes) == 0 else {
      throw SystemCallError("tcgetattr")
    }
    let lineMode = tcflag_t(ICANON) | tcflag_t(ECHO)
    return modes.c_lflag & lineMode == lineMode
  }

  /// Waits until a condition is met, at most a minute, which only has to catch hangs.
  ///
  /// - Parameters:
  ///   - awaited: The condition in words, for the error.
  ///   - isReached: Whether it is met.
  /// - Throws: ``TimeLimitExceeded`` if it isn't in time.
  package func wait(
    for awaited: String, until isReached: () async throws -> Bool
  ) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
      readOutput()
      if try await isReached() { return }
      guard ContinuousClock.now < deadline else {
        throw TimeLimitExceeded(
          """
          \(awaited) didn't come in time. The screen:
          \(screen.text)
          All the terminal showed: «\(transcript)».
          """)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private func readOutput() {
    guard !isHungUp else { return }
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = read(terminal, &chunk, chunk.count), count > 0 {
      shown += chunk.prefix(count)
      screen.feed(chunk.prefix(count))
    }
  }
}

extension Substring {
  /// The text without a character at its end, however often it stands there.
  fileprivate func trimmingSuffix(_ character: Character) -> Substring {
    var text = self
    while text.last == character { text.removeLast() }
    return text
  }
}
