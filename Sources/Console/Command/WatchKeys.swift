import PrimereplFoundation
import PrimereplPlatform
import Scenarios

/// The keys with which the user of `--watch` asks for runs.
///
/// While it exists, the terminal delivers keys without waiting for Return, and doesn't show them; Ctrl-C still interrupts.
@MainActor
final class WatchKeys {
  /// For the line that is shown while waiting.
  static let help = "a: all, f: failed, /: filter, q: quit"

  private var settings: termios
  /// The text typed after `/`; nil if none is.
  private var filter: String?

  /// Nil unless standard input and output are a terminal.
  init?() {
    settings = termios()
    guard isatty(STDIN_FILENO) != 0, isatty(STDOUT_FILENO) != 0,
      tcgetattr(STDIN_FILENO, &settings) == 0
    else { return nil }
    var keys = settings
    keys.c_lflag &= ~tcflag_t(ICANON | ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &keys)
  }

  /// Restores the terminal.
  func close() { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }

  /// The command of the keys pressed so far; nil if they make none yet.
  func command() -> WatchCommand? {
    while let byte = pressedByte() {
      if let command = filter == nil ? command(for: byte) : edit(byte) { return command }
    }
    return nil
  }

  private func command(for byte: UInt8) -> WatchCommand? {
    switch byte {
    case UInt8(ascii: "a"), UInt8(ascii: "\n"): return .runAll
    case UInt8(ascii: "f"): return .runFailed
    case UInt8(ascii: "q"): return .quit
    case UInt8(ascii: "/"):
      filter = ""
      show("\r\u{1B}[Kfilter: ")
      return nil
    default: return nil
    }
  }

  /// Edits the filter; Return ends it.
  private func edit(_ byte: UInt8) -> WatchCommand? {
    switch byte {
    case UInt8(ascii: "\n"):
      defer { filter = nil }
      show("\n")
      return .filter(filter ?? "")
    case 0x7F, 0x08:
      filter = filter.map { String($0.dropLast()) }
    case 0x20...:
      filter?.append(Character(Unicode.Scalar(byte)))
    default: return nil
    }
    show("\r\u{1B}[Kfilter: \((filter ?? "").printable)")
    return nil
  }

  private func pressedByte() -> UInt8? {
    var waited = [pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)]
    guard poll(&waited, 1, 0) > 0, waited[0].revents & Int16(POLLIN) != 0 else { return nil }
    var byte: UInt8 = 0
    return read(STDIN_FILENO, &byte, 1) == 1 ? byte : nil
  }

  private func show(_ text: String) {
    CurrentProcess.flush()
    CurrentProcess.write(Array(text.utf8), to: STDOUT_FILENO)
  }
}
