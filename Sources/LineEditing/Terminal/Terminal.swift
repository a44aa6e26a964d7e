import PrimereplFoundation
package import PrimereplPlatform
import Synchronization

/// A terminal that a line editor reads keys from and draws on.
///
/// While it is entered, its modes are the editor's. They are restored when it is left, when the process exits, and when
/// a signal stops or ends the process.
package final class Terminal: Sendable {
  /// The purpose that the terminal's modes are set for.
  package enum Mode: Sendable {
    /// Keys come one by one without echo, and pastes in brackets. Only Ctrl-C is still a signal, so that it also
    /// stops code that keeps the keys from being read.
    case editing
    /// The terminal collects lines for programs that read them, but doesn't echo. Ctrl-T is SIGQUIT.
    case waiting
  }

  let input: Int32
  /// A duplicate, which stays the terminal while the process's standard output is redirected.
  let output: Int32

  private let saved: SavedModes

  /// - Throws: `SystemCallError` if the output can't be duplicated.
  package init(input: Int32, output: Int32) throws(SystemCallError) {
    self.input = input
    let duplicate = fcntl(output, F_DUPFD_CLOEXEC, 3)
    guard duplicate >= 0 else { throw SystemCallError("fcntl") }
    self.output = duplicate
    saved = SavedModes(input: input, output: duplicate)
  }

  deinit {
    leave()
    close(output)
  }

  /// 80 columns in 24 rows if it is unknown.
  package var screen: ScreenSize {
    var size = winsize()
    let isKnown =
      ioctl(output, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0
    return isKnown
      ? ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
      : ScreenSize(columns: 80, rows: 24)
  }

  /// Sets the modes, and reports signals to a pipe, which must live as long as the terminal is entered.
  ///
  /// The pipe gets SIGWINCH when the screen's size changes, and SIGCONT when the process continues after a stop.
  package func enter(_ mode: Mode, reportingTo pipe: WakePipe) {
    saved.activate(mode, reportingTo: pipe.writeEnd)
  }

  /// Restores the modes from before the terminal was entered.
  package func leave() { saved.deactivate() }

  /// Whether there is a row below the cursor that must be gone when a signal stops or ends the process.
  package func setRowBelowCursor(_ isShown: Bool) { SavedModes.setRowBelowCursor(isShown) }

  package func write(_ bytes: [UInt8]) {
    do throws(SystemCallError) {
      try FileDescriptor.write(bytes, to: output)
    } catch {
      // The reader of keys notices a terminal that is gone.
    }
  }

  /// Whether a terminal continues rows that have become too long for a narrower screen in the next row, as most do by
  /// now; the others cut them off, as xterm does.
  ///
  /// Terminals are recognized by their own variables, since TERM is `xterm` for all. An unknown one is taken to cut off:
  /// then no rows of earlier output are erased by mistake.
  package static func reflows(in environment: [String: String]) -> Bool {
    let signs = [
      "VTE_VERSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "ALACRITTY_WINDOW_ID", "WT_SESSION",
      "TMUX",
      "TERM_PROGRAM",
    ]
    return signs.contains { environment[$0]?.isEmpty == false }
  }

  /// Restores the modes of the entered terminal, if there is one, as the process is about to end; on any thread.
  package static func restore() { SavedModes.restoreAtExit() }

  /// Stops the process and its process group, as Ctrl-Z does; returns when it continues.
  ///
  /// The terminal must not be entered.
  static func stopProcess() {
    // The group's signal could reach another thread later on, so this process stops by one of its own.
    var action = sigaction()
    sigaction(SIGTSTP, nil, &action)
    signal(SIGTSTP, SIG_IGN)
    kill(0, SIGTSTP)
    sigaction(SIGTSTP, &action, nil)
    Signal.raise(SIGTSTP)
  }
}

// MARK: - Modes

/// The modes of an entered terminal, where `exit` and signal handlers find them.
///
/// A process has one terminal, so one is active at a time. Signal handlers can't take locks: they read `active`, which
/// points to memory that is never freed and that changes only while `active` doesn't point to it.
private final class SavedModes: Sendable {
  /// The data for signal handlers.
  struct Contents {
    let input: Int32
    let output: Int32
    var original = termios()
    var current = termios()
    var hasPasteBrackets = false
    /// The pipe's end to which signals are reported.
    var writeEnd: Int32 = -1
  }

  private static let active = SharedPointer<Contents>()

  private static let hasRowBelowCursor = Atomic(false)

  private static let lock = Mutex<Void>(())

  private static let atExit = atexit { SavedModes.restoreAtExit() }

  private let contents = SharedPointer<Contents>()

  init(input: Int32, output: Int32) {
    let memory = UnsafeMutablePointer<Contents>.allocate(capacity: 1)
    memory.initialize(to: Contents(input: input, output: output))
    contents.store(memory)
  }

  func activate(_ mode: Terminal.Mode, reportingTo writeEnd: Int32) {
    Self.lock.withLock { _ in
      Self.deactivateLocked()
      guard let contents = contents.load() else { return }
      // A terminal that has hung up has no modes to lose.
      guard tcgetattr(contents.pointee.input, &contents.pointee.original) == 0 else { return }
      contents.pointee.current = Self.modes(
        mode, from: contents.pointee.original, of: contents.pointee.input)
      contents.pointee.hasPasteBrackets = mode == .editing
      contents.pointee.writeEnd = writeEnd
      _ = Self.atExit
      SignalActions.prepare()
      Self.active.store(contents)
      SignalActions.install(handlesQuit: mode == .editing)
      Self.apply(contents)
    }
  }

  func deactivate() {
    Self.lock.withLock { _ in
      let own = contents.load()
      if own == Self.active.load() { Self.deactivateLocked() }
    }
  }

  private static func deactivateLocked() {
    guard let contents = active.load() else { return }
    // Signals are handled until there is nothing to restore any more.
    restore(contents)
    active.store(nil)
    SignalActions.remove()
  }

  static func setRowBelowCursor(_ isShown: Bool) {
    hasRowBelowCursor.store(isShown, ordering: .relaxed)
  }

  static func restoreAtExit() {
    if let contents = active.take() { restore(contents) }
  }

  private static func modes(
    _ mode: Terminal.Mode, from original: termios, of input: Int32
  ) -> termios {
    var modes = original
    switch mode {
    case .editing:
      modes.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
      modes.c_lflag |= tcflag_t(ISIG)
      modes.c_iflag &= ~tcflag_t(IXON | IGNCR | ISTRIP)
      // Enter, a carriage return, gives a newline, as in other modes: what is typed ahead is right for whoever reads it.
      // A newline gives a carriage return, so that the line ends of a paste can be told apart.
      modes.c_iflag |= tcflag_t(ICRNL | INLCR)
      // Of the keys that send signals, only Ctrl-C still does.
      let disabled = cc_t(fpathconf(input, Int32(_PC_VDISABLE)) & 0xFF)
      modes.set(VSUSP, disabled)
      modes.set(VQUIT, disabled)
      // A read never waits: Ctrl-C flushes the keys that `poll` has just reported.
      modes.set(VMIN, 0)
      modes.set(VTIME, 0)
    case .waiting:
      modes.c_lflag &= ~tcflag_t(ECHO | ECHONL)
      modes.c_lflag |= tcflag_t(ISIG | ICANON)
      modes.set(VQUIT, controlT)
    }
    return modes
  }

  private static let controlT: cc_t = 0x14

  /// Safe in a signal handler.
  private static func apply(_ contents: UnsafeMutablePointer<Contents>) {
    // TCSANOW doesn't wait for output: the terminal may be gone.
    tcsetattr(contents.pointee.input, TCSANOW, &contents.pointee.current)
    if contents.pointee.hasPasteBrackets { send("\u{1B}[?2004h", to: contents.pointee.output) }
  }

  /// Safe in a signal handler.
  private static func restore(_ contents: UnsafeMutablePointer<Contents>) {
    if contents.pointee.hasPasteBrackets { send("\u{1B}[?2004l", to: contents.pointee.output) }
    tcsetattr(contents.pointee.input, TCSANOW, &contents.pointee.original)
  }

  private static func send(_ sequence: StaticString, to output: Int32) {
    _ = write(output, sequence.utf8Start, sequence.utf8CodeUnitCount)
  }

  // MARK: In signal handlers

  static func restoreInHandler() {
    guard let contents = active.load() else { return }
    if hasRowBelowCursor.load(ordering: .relaxed) {
      send("\u{1B}7\u{1B}[B\r\u{1B}[K\u{1B}8", to: contents.pointee.output)
    }
    restore(contents)
  }

  static func applyInHandler() {
    if let contents = active.load() { apply(contents) }
  }

  static func report(_ signal: Int32) {
    guard let contents = active.load() else { return }
    WakePipe.write(UInt8(truncatingIfNeeded: signal), to: contents.pointee.writeEnd)
  }
}

/// A pointer that any thread and signal handlers can read and change at any time.
private struct SharedPointer<Pointee>: ~Copyable, Sendable {
  private let address = Atomic<UInt>(0)

  func load() -> UnsafeMutablePointer<Pointee>? {
    UnsafeMutablePointer(bitPattern: address.load(ordering: .acquiring))
  }

  func store(_ pointer: UnsafeMutablePointer<Pointee>?) {
    address.store(UInt(bitPattern: pointer), ordering: .releasing)
  }

  /// Takes the pointer and leaves nil.
  func take() -> UnsafeMutablePointer<Pointee>? {
    UnsafeMutablePointer(bitPattern: address.exchange(0, ordering: .acquiringAndReleasing))
  }
}

extension termios {
  fileprivate mutating func set(_ index: Int32, _ value: cc_t) {
    withUnsafeMutableBytes(of: &c_cc) { characters in
      guard characters.indices.contains(Int(index)) else { return }
      characters.storeBytes(of: value, toByteOffset: Int(index), as: cc_t.self)
    }
  }
}

/// The handlers of signals while a terminal is entered: they restore the modes before the process stops or ends.
///
/// Used only under the lock of `SavedModes`, and in signal handlers.
private enum SignalActions {
  private static let ending = [SIGTERM, SIGHUP, SIGQUIT]
  /// Those that end the process unless the program handles them: then it restores the terminal, if it ends.
  private static let endingByDefault = [
    SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPIPE, SIGXCPU, SIGXFSZ, SIGABRT, SIGBUS,
    SIGFPE, SIGILL, SIGSEGV, SIGSYS, SIGTRAP,
  ]
  private static let limit = 65

  /// The actions from before, by signal, in memory that is never freed.
  private static let previous = SharedPointer<sigaction>()

  private static let installed = Mutex<[Int32]>([])

  /// Allocates the memory for handlers, which can't allocate.
  static func prepare() {
    guard previous.load() == nil else { return }
    let memory = UnsafeMutablePointer<sigaction>.allocate(capacity: limit)
    memory.initialize(repeating: sigaction(), count: limit)
    previous.store(memory)
  }

  /// Handles signals; ignored ones stay ignored.
  static func install(handlesQuit: Bool) {
    let signals =
      ending.filter { $0 != SIGQUIT || handlesQuit } + endingByDefault
      + [SIGTSTP, SIGCONT, SIGWINCH]
    guard let previous = previous.load() else { return }
    for signal in signals {
      guard let action = Signal.action(of: signal) else { continue }
      if endingByDefault.contains(signal), !action.isDefault { continue }
      previous[Int(signal)] = action
      let flags = Int32(SA_RESTART)
      switch signal {
      case SIGTSTP: Signal.setHandler(of: signal, flags: flags) { SignalActions.stop($0) }
      case SIGCONT, SIGWINCH:
        Signal.setHandler(of: signal, flags: flags) { SignalActions.report($0) }
      default: Signal.setHandler(of: signal, flags: flags) { SignalActions.end($0) }
      }
      installed.withLock { $0.append(signal) }
    }
  }

  static func remove() {
    guard let previous = previous.load() else { return }
    installed.withLock { installed in
      for signal in installed { sigaction(signal, &previous[Int(signal)], nil) }
      installed = []
    }
  }

  // MARK: In signal handlers

  /// Gives a signal its previous effect, which is mostly the process's end.
  private static func end(_ signal: Int32) {
    let number = errno
    SavedModes.restoreInHandler()
    takePreviousAction(of: signal)
    // Takes effect when this handler returns, as the signal is blocked until then.
    raise(signal)
    errno = number
  }

  /// Stops the process, and sets the modes again when it continues.
  private static func stop(_ signal: Int32) {
    let number = errno
    SavedModes.restoreInHandler()
    var own = sigaction()
    sigaction(signal, nil, &own)
    takePreviousAction(of: signal)
    Signal.raise(signal)
    sigaction(signal, &own, nil)
    SavedModes.applyInHandler()
    errno = number
  }

  private static func report(_ signal: Int32) {
    let number = errno
    if signal == SIGCONT { SavedModes.applyInHandler() }
    SavedModes.report(signal)
    errno = number
  }

  private static func takePreviousAction(of signal: Int32) {
    guard let previous = previous.load() else { return }
    sigaction(signal, &previous[Int(signal)], nil)
  }
}
