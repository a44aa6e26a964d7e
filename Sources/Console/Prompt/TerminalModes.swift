import Foundation
import Synchronization

/// The terminal's modes from before a line was edited, for when the process ends in the middle of it.
enum TerminalModes {
  private struct Saved {
    let descriptor: Int32
    let modes: termios
  }

  private static let saved = Mutex<Saved?>(nil)

  /// Has `restore` called when the process exits; evaluated once.
  private static let atExit = atexit { TerminalModes.restore() }

  /// Remembers the modes as they are now.
  static func save(of descriptor: Int32) {
    _ = atExit
    var modes = termios()
    // A descriptor that isn't a terminal, or one that has hung up, has no modes to lose.
    guard tcgetattr(descriptor, &modes) == 0 else { return }
    saved.withLock { $0 = Saved(descriptor: descriptor, modes: modes) }
  }

  /// Forgets them: the terminal is as it was.
  static func forget() {
    saved.withLock { $0 = nil }
  }

  /// Puts the terminal back, if it isn't as it was.
  static func restore() {
    saved.withLock { saved in
      guard let terminal = saved else { return }
      var modes = terminal.modes
      // TCSANOW: the output of a terminal that is gone must not be waited for.
      tcsetattr(terminal.descriptor, TCSANOW, &modes)
      saved = nil
    }
  }
}
