import Foundation
import StateStore
import Synchronization
import Platform

/// The terminal's modes from before a line was edited, to be restored if the process ends during editing.
enum TerminalModes {
  private static let saved = Mutex<(descriptor: Int32, modes: termios)?>(nil)

  /// Makes `restore` run when the process exits; evaluated once.
  private static let atExit = atexit { TerminalModes.restore() }

  static func save(of descriptor: Int32) {
    _ = atExit
    var modes = termios()
    // A descriptor that isn't a terminal, or one that has hung up, has no modes to lose.
    guard tcgetattr(descriptor, &modes) == 0 else { return }
    saved.withLock { $0 = (descriptor, modes) }
  }

  /// Forgets the modes, as the terminal has them again.
  static func forget() {
    saved.withLock { $0 = nil }
  }

  static func restore() {
    saved.withLock { saved in
      guard let terminal = saved else { return }
      var modes = terminal.modes
      // TCSANOW doesn't wait for output: the terminal may be gone.
      tcsetattr(terminal.descriptor, TCSANOW, &modes)
      saved = nil
    }
  }
}

/// The streams that libedit reads from and draws to.
final class TerminalFiles {
  let input: UnsafeMutablePointer<FILE>

  /// Everything drawn goes through this stream, since it is buffered.
  let output: UnsafeMutablePointer<FILE>

  /// Opens streams on duplicates of two file descriptors.
  init(input: Int32, output: Int32) throws(SystemCallError) {
    self.input = try Self.open(input, mode: "r")
    do {
      self.output = try Self.open(output, mode: "w")
    } catch {
      fclose(self.input)
      throw error
    }
  }

  deinit {
    fclose(input)
    fclose(output)
  }

  /// Writes text now, whatever its bytes (see `String.init(systemBytes:)`).
  func write(_ text: String) {
    let bytes = text.systemBytes
    // Reading will notice a terminal that is gone.
    fwrite(bytes, 1, bytes.count, output)
    fflush(output)
  }

  private static func open(
    _ descriptor: Int32, mode: String
  ) throws(SystemCallError) -> UnsafeMutablePointer<FILE> {
    let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard duplicate >= 0 else { throw SystemCallError("fcntl") }
    guard let stream = fdopen(duplicate, mode) else {
      defer { close(duplicate) }
      throw SystemCallError("fdopen")
    }
    return stream
  }
}

/// Turns signals into bytes of a wake pipe while a line is being edited.
///
/// The editor acts on them outside a signal handler: it redraws when the terminal's size changes or the process
/// continues, and restores the terminal's modes before the process stops or ends. The command itself handles SIGINT.
struct SignalRelay {
  private static let ending = [SIGTSTP, SIGTERM, SIGHUP, SIGQUIT]
  private static let relayed = [SIGWINCH, SIGCONT] + ending

  /// Where the handler writes; a process has one terminal, so one line is edited at a time.
  private static let writeEnd = Atomic<Int32>(-1)

  private var previous: [Int32: sigaction] = [:]

  /// Starts to relay to a pipe, which must outlive the relaying; ignored signals stay ignored.
  mutating func start(to pipe: WakePipe) {
    // This store also initializes the static, which the handler must not do.
    Self.writeEnd.store(pipe.writeEnd, ordering: .sequentiallyConsistent)
    for signal in Self.relayed {
      guard let action = Signal.action(of: signal) else { continue }
      previous[signal] = action
      relay(signal)
    }
  }

  /// Restores how the signals were handled before, and passes on those still in the pipe.
  mutating func stop(relayingTo pipe: WakePipe) {
    for (signal, var old) in previous { sigaction(signal, &old, nil) }
    previous = [:]
    while let reason = pipe.take() {
      if Self.ending.contains(Int32(reason)) { Signal.raise(Int32(reason)) }
    }
  }

  /// Lets a relayed signal take its previous effect, for example stop or end the process.
  ///
  /// It returns if the process survives; after a stop, when the process continues.
  func passOn(_ signal: Int32) {
    guard var old = previous[signal] else { return }
    sigaction(signal, &old, nil)
    Signal.raise(signal)
    relay(signal)
  }

  private func relay(_ signal: Int32) {
    Signal.setHandler(of: signal, flags: Int32(SA_RESTART)) { signal in
      let writeEnd = Self.writeEnd.load(ordering: .sequentiallyConsistent)
      WakePipe.write(UInt8(truncatingIfNeeded: signal), to: writeEnd)
    }
  }
}
