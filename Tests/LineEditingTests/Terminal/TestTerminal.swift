import Foundation
import PrimereplPlatform
import Synchronization
import TerminalSupport
import TestSupport

/// A pseudo-terminal with a screen, and a test in the user's place.
final class TestTerminal: Sendable {
  /// The side that programs use.
  let descriptor: Int32
  private let userSide: Int32
  private let screenState: Mutex<TerminalScreen>
  private let isHungUp = Mutex(false)
  private let reader = DispatchQueue(label: "test-terminal")

  init(columns: Int = 40, rows: Int = 10) throws {
    var (user, program) = (Int32(-1), Int32(-1))
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&user, &program, nil, nil, &size) == 0 else { throw SystemCallError("openpty") }
    (userSide, descriptor) = (user, program)
    screenState = Mutex(TerminalScreen(columns: columns, rows: rows))
    reader.async { [weak self] in
      while self?.readOutput() == true {}
    }
  }

  deinit {
    hangUp()
    close(descriptor)
  }

  var screen: TerminalScreen { screenState.withLock { $0 } }

  var modes: termios {
    var modes = termios()
    tcgetattr(descriptor, &modes)
    return modes
  }

  func type(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(userSide, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Changes the window's size, and signals it as the kernel does for a process's controlling terminal.
  func resize(columns: Int, rows: Int) {
    screenState.withLock { $0.resize(columns: columns, rows: rows) }
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(userSide, UInt(TIOCSWINSZ), &size)
    kill(getpid(), SIGWINCH)
  }

  /// Closes the window.
  func hangUp() {
    isHungUp.withLock { isHungUp in
      if !isHungUp { close(userSide) }
      isHungUp = true
    }
  }

  /// Shows the output of programs; returns false after a hang-up.
  ///
  /// It doesn't wait in `read`, which would keep the window open.
  private func readOutput() -> Bool {
    isHungUp.withLock { isHungUp in
      guard !isHungUp else { return false }
      var waited = pollfd(fd: userSide, events: Int16(POLLIN), revents: 0)
      guard poll(&waited, 1, 5) > 0 else { return true }
      var bytes = [UInt8](repeating: 0, count: 65536)
      let count = read(userSide, &bytes, bytes.count)
      if count > 0 { screenState.withLock { $0.feed(bytes.prefix(count)) } }
      return true
    }
  }

  /// Waits until the screen is as awaited, at most a minute.
  func wait(
    for awaited: String, until isReached: (TerminalScreen) -> Bool
  ) async throws {
    do {
      try await TestSupport.wait(for: awaited) { isReached(screen) }
    } catch let error as TimeLimitExceeded {
      throw TimeLimitExceeded("\(error); the screen shows:\n\(screen.text)")
    }
  }

  /// Waits until the screen shows certain rows and nothing else.
  func expect(_ rows: [String]) async throws {
    let text = rows.joined(separator: "\n")
    try await wait(for: "«\(text)»") { $0.text == text }
  }
}
