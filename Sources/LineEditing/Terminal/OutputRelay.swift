@preconcurrency import Dispatch
@preconcurrency import PrimereplFoundation
package import PrimereplPlatform
import Synchronization

/// A terminal's screen, which shows everything that the process and its children write above what is being edited there.
///
/// While it is open, standard output and standard error lead into a pipe, if they are the terminal. A thread of its own
/// reads the pipe: a writer on the main actor never waits for the main actor, and much output is slowed down to what the
/// terminal can take. Child processes may keep the pipe; it is read as long as the relay lives.
package final class OutputRelay: Sendable {
  private let terminal: Terminal
  private let renderer: Mutex<Renderer>
  private let descriptors: [Int32]
  private let readEnd: Int32
  private let writeEnd: Int32
  private let source: any DispatchSourceRead
  /// Duplicates of the descriptors while they are redirected.
  private let originals = Mutex<[Int32: Int32]>([:])
  /// Serialises readers of the pipe.
  private let pump = Mutex<Void>(())

  private static let pieceSize = 64 * 1024
  /// The time in which output gathers before it is shown, in microseconds.
  private static let gatheringTime: UInt32 = 1000

  /// The open relay, to be closed when the process exits.
  private static let open = Mutex<OutputRelay?>(nil)
  private static let atExit = atexit { OutputRelay.open.withLock { $0 }?.close() }

  /// Those of the descriptors that aren't the terminal are left alone.
  ///
  /// - Throws: `SystemCallError` if there can't be a pipe.
  package init(
    terminal: Terminal, usesColors: Bool, descriptors: [Int32]
  ) throws(SystemCallError) {
    self.terminal = terminal
    renderer = Mutex(Renderer(screen: terminal.screen, usesColors: usesColors))
    self.descriptors = descriptors.filter { Self.isSame($0, terminal.output) }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemCallError("pipe") }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends {
      guard fcntl(end, F_SETFD, FD_CLOEXEC) == 0 else { throw SystemCallError("fcntl") }
    }
    guard fcntl(readEnd, F_SETFL, O_NONBLOCK) == 0 else { throw SystemCallError("fcntl") }
    source = DispatchSource.makeReadSource(
      fileDescriptor: readEnd, queue: DispatchQueue(label: "output-relay"))
    source.setEventHandler { [weak self] in
      self?.show(upTo: Self.pieceSize)
      usleep(Self.gatheringTime)
    }
    source.setCancelHandler { [readEnd] in _ = PrimereplFoundation.close(readEnd) }
    source.resume()
  }

  deinit {
    source.cancel()
    PrimereplFoundation.close(writeEnd)
  }

  /// Draws, on any thread; nothing else is written to the terminal meanwhile.
  package func draw(_ body: (inout sending Renderer) -> [UInt8]) {
    renderer.withLock { terminal.write(body(&$0)) }
  }

  /// Redirects output to the screen from now on; earlier output comes first.
  ///
  /// - Parameter isUnbuffered: Whether text without a line break is shown at once.
  package func open(isUnbuffered: Bool) {
    _ = Self.atExit
    flush()
    originals.withLock { originals in
      guard originals.isEmpty else { return }
      for descriptor in descriptors {
        let duplicate = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        // Without another descriptor, output goes to the terminal as before.
        guard duplicate >= 0 else { continue }
        originals[descriptor] = duplicate
        dup2(writeEnd, descriptor)
      }
    }
    setBuffering(isUnbuffered ? _IONBF : _IOLBF)
    Self.open.withLock { $0 = self }
  }

  /// Shows all output so far, then stops redirecting.
  package func close() {
    drain()
    originals.withLock { originals in
      for (descriptor, original) in originals {
        dup2(original, descriptor)
        PrimereplFoundation.close(original)
      }
      originals = [:]
    }
    setBuffering(_IOLBF)
    draw { $0.takeHeld() }
    Self.open.withLock { if $0 === self { $0 = nil } }
  }

  /// Shows all output so far.
  package func drain() {
    flush()
    // Only what is there now: a child process could write forever.
    var count: Int32 = 0
    if ioctl(readEnd, UInt(FIONREAD), &count) == 0 { show(upTo: Int(count)) }
  }

  private func flush() {
    if descriptors.contains(STDOUT_FILENO) { fflush(stdout) }
    if descriptors.contains(STDERR_FILENO) { fflush(stderr) }
  }

  private func setBuffering(_ mode: Int32) {
    if descriptors.contains(STDOUT_FILENO) { setvbuf(stdout, nil, mode, 0) }
  }

  /// Shows the pipe's content, up to a number of bytes.
  private func show(upTo limit: Int) {
    pump.withLock { _ in
      var rest = limit
      while rest > 0 {
        var bytes = [UInt8](repeating: 0, count: min(rest, Self.pieceSize))
        let count = read(readEnd, &bytes, bytes.count)
        guard count > 0 else { return }
        bytes.removeLast(bytes.count - count)
        draw { $0.write(output: bytes) }
        rest -= count
      }
    }
  }

  private static func isSame(_ descriptor: Int32, _ terminal: Int32) -> Bool {
    var (left, right) = (stat(), stat())
    return isatty(descriptor) == 1 && fstat(descriptor, &left) == 0 && fstat(terminal, &right) == 0
      && left.st_rdev == right.st_rdev
  }
}
