import Foundation
import Subprocess
import TestSupport
import Platform

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// The built command on a terminal, with a test in the user's place.
///
/// The terminal is the command's controlling one, so that Ctrl-C, job control and hanging up are as
/// they are for a user.
final class PseudoTerminal {
  /// What was waited for didn't come in time.
  struct TimeLimitExceeded: Error, CustomStringConvertible {
    let awaited: String
    let transcript: String

    var description: String {
      "\(awaited) didn't come in time. All the terminal showed: «\(transcript)»."
    }
  }

  /// A system call failed.
  struct SystemCallFailed: Error {
    let name: String
    let errorNumber: Int32
  }

  private let terminal: Int32
  private let timeLimit: Duration
  private let process = TerminalProcess()

  // The other side is kept open, or reading would fail until the command has opened it, too.
  private let otherSide: Int32
  private var isHungUp = false
  private var shown: [UInt8] = []
  private var matchedCount = 0

  /// Everything the terminal has shown, without escape sequences.
  var transcript: String { TerminalText.plain(shown) }

  private init(terminal: Int32, otherSide: Int32, timeLimit: Duration) {
    self.terminal = terminal
    self.otherSide = otherSide
    self.timeLimit = timeLimit
  }

  deinit {
    if !isHungUp { close(terminal) }
    close(otherSide)
  }

  /// Runs the command on a new terminal, and kills it if it is still there after the test's part.
  ///
  /// - Parameters:
  ///   - arguments: What follows the command's name.
  ///   - environment: Variables to set besides those of `CommandEnvironment`; nil unsets one.
  ///   - home: The folder that stands for the user's home; a new one if nil.
  ///   - columns: The terminal's width.
  ///   - timeLimit: How long each `expect` waits. It is generous, as it only has to catch what hangs.
  ///   - body: What the user does.
  /// - Returns: What `body` gives.
  /// - Throws: What `body` throws, or `SystemCallFailed` if there is no terminal to be had.
  static func run<Result>(
    _ arguments: [String] = [], environment: [String: String?] = [:], home: TemporaryFolder? = nil,
    columns: UInt16 = 80, timeLimit: Duration = .seconds(120),
    _ body: (PseudoTerminal) async throws -> Result
  ) async throws -> Result {
    let home = try home ?? TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    var sides: (terminal: Int32, other: Int32) = (-1, -1)
    var path = [CChar](repeating: 0, count: 128)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&sides.terminal, &sides.other, &path, nil, &size) == 0 else {
      throw SystemCallFailed(name: "openpty", errorNumber: errno)
    }
    let terminal = PseudoTerminal(
      terminal: sides.terminal, otherSide: sides.other, timeLimit: timeLimit)
    for side in [sides.terminal, sides.other] {
      guard fcntl(side, F_SETFD, FD_CLOEXEC) == 0 else {
        throw SystemCallFailed(name: "fcntl", errorNumber: errno)
      }
    }
    guard fcntl(sides.terminal, F_SETFL, O_NONBLOCK) == 0 else {
      throw SystemCallFailed(name: "fcntl", errorNumber: errno)
    }
    let configuration = try configuration(
      terminal: path, arguments: arguments,
      environment: CommandEnvironment.make(home: home.path, changes: environment), home: home)
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
    terminal: [CChar], arguments: [String], environment: Environment, home: TemporaryFolder
  ) throws -> Configuration {
    let path = terminal.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let script = #"exec 0<>"$0" 1>&0 2>&0 && exec "$@""#
    var options = PlatformOptions()
    options.createSession = true
    return Configuration(
      executable: .path("/bin/sh"),
      arguments: Arguments(
        [
          "-c", script, String(decoding: path, as: UTF8.self),
          try BuiltExecutable.path(of: "primerepl"),
        ]
          + arguments),
      environment: environment, workingDirectory: FilePath(home.path), platformOptions: options)
  }

  /// Types text; a newline is the Return key, and for example `\u{03}` is Ctrl-C.
  func send(_ text: String) async throws {
    try await send(Array(text.utf8))
  }

  /// Types bytes.
  func send(_ bytes: [UInt8]) async throws {
    var rest = bytes[...]
    try await wait(for: "reading what is typed") {
      let count = rest.withUnsafeBytes { write(terminal, $0.baseAddress, $0.count) }
      if count < 0, errno != EAGAIN, errno != EINTR {
        throw SystemCallFailed(name: "write", errorNumber: errno)
      }
      rest = rest.dropFirst(max(count, 0))
      return rest.isEmpty
    }
  }

  /// Waits until the terminal shows a text after what was expected before.
  func expect(_ text: String) async throws {
    try await wait(for: "«\(text)»") {
      let bytes = Array(transcript.utf8)
      let match = bytes[matchedCount...].firstRange(of: Array(text.utf8))
      guard let match else { return false }
      matchedCount = match.upperBound
      return true
    }
  }

  /// Waits until the command has ended, and gives how.
  func expectExit() async throws -> TerminationStatus {
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
  func signal(_ signal: Int32) async throws {
    try await wait(for: "the command's start") { process.identifier != nil }
    guard let identifier = process.identifier, kill(identifier, signal) == 0 else {
      throw SystemCallFailed(name: "kill", errorNumber: errno)
    }
  }

  /// Changes the size of the window.
  func resize(columns: UInt16) throws {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(terminal, UInt(TIOCSWINSZ), &size) == 0 else {
      throw SystemCallFailed(name: "ioctl", errorNumber: errno)
    }
  }

  /// Closes the window; nothing can be sent nor shown any more.
  func hangUp() {
    close(terminal)
    isHungUp = true
  }

  /// Whether the terminal echoes what is typed and hands it over line by line, as it did before the
  /// command was started.
  func isInLineMode() throws -> Bool {
    var modes = termios()
    guard tcgetattr(otherSide, &modes) == 0 else {
      throw SystemCallFailed(name: "tcgetattr", errorNumber: errno)
    }
    let lineMode = tcflag_t(ICANON) | tcflag_t(ECHO)
    return modes.c_lflag & lineMode == lineMode
  }

  private func wait(for awaited: String, until isReached: () throws -> Bool) async throws {
    let deadline = ContinuousClock.now + timeLimit
    while true {
      readOutput()
      if try isReached() { return }
      guard ContinuousClock.now < deadline else {
        throw TimeLimitExceeded(awaited: awaited, transcript: transcript)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private func readOutput() {
    guard !isHungUp else { return }
    var chunk = [UInt8](repeating: 0, count: 65536)
    while case let count = read(terminal, &chunk, chunk.count), count > 0 {
      shown += chunk.prefix(count)
    }
  }
}
