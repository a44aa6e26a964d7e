import Dispatch
import PrimereplFoundation
package import PrimereplPlatform
import Synchronization

/// Reads what is typed on a terminal, on a queue of its own.
///
/// It never reads beyond an Enter: later keys are for the next reader, such as a script's `io.read`. Only a paste is read in large pieces.
package final class TerminalInput: Sendable {
  package enum Event: Equatable, Sendable {
    /// Bytes that were typed at once, up to an Enter, which is a carriage return.
    ///
    /// They are followed if there is more after the Enter already: such lines were pasted, or typed ahead.
    case bytes([UInt8], isFollowed: Bool = false)
    /// A byte of the wake pipe.
    case woken(UInt8)
    case timedOut
    /// The input has ended, or the terminal is gone.
    case ended
  }

  private let descriptor: Int32
  private let wakePipe: WakePipe
  private let queue = DispatchQueue(label: "terminal-input")
  private let state = Mutex(State())

  private struct State {
    var brackets = PasteBrackets()
    /// Bytes that were read after the end of a paste.
    var kept: [UInt8] = []
    /// The number of the next bytes that were typed before the terminal gave keys one by one.
    var typedAheadCount = 0
    var isFollowed = false
  }

  private static let pieceSize = 64 * 1024
  /// Bytes that are typed at once are few; more are read with the next event.
  private static let maximumBatch = 4096
  /// Milliseconds in which the next lines of a paste come.
  private static let lineTimeout: Int32 = 20

  package init(descriptor: Int32, wakePipe: WakePipe) {
    (self.descriptor, self.wakePipe) = (descriptor, wakePipe)
  }

  /// Waits for the next event; the wake pipe comes first.
  ///
  /// The timeout is in milliseconds; nil means no limit.
  package func next(timeout: Int32? = nil) async -> Event {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        continuation.resume(returning: state.withLock { wait(timeout: timeout, &$0) })
      }
    }
  }

  /// Discards the start of a paste that was cut off.
  ///
  /// Not while `next` waits.
  package func discardPartialInput() {
    state.withLock { $0 = State() }
  }

  /// Counts the input so far, which was typed while the terminal still collected lines.
  ///
  /// Not while `next` waits.
  package func countTypeAhead() {
    var count: Int32 = 0
    guard ioctl(descriptor, UInt(FIONREAD), &count) == 0 else { return }
    state.withLock { $0.typedAheadCount = Int(count) }
  }

  private func wait(timeout: Int32?, _ state: inout State) -> Event {
    let deadline = timeout.map { ContinuousClock.now + .milliseconds($0) }
    while true {
      var waited = [
        pollfd(fd: wakePipe.readEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let remaining = state.kept.isEmpty ? Self.milliseconds(until: deadline) : 0
      let count = poll(&waited, nfds_t(waited.count), remaining)
      if count < 0, errno != EINTR, errno != EAGAIN { return .ended }
      if count > 0, waited[0].revents != 0, let reason = wakePipe.take() { return .woken(reason) }
      if !state.kept.isEmpty { return event(takeKept(&state), &state) }
      if count > 0, waited[1].revents != 0, let event = readBatch(&state) { return event }
      if let deadline, ContinuousClock.now >= deadline { return .timedOut }
    }
  }

  private static func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
    guard let deadline else { return -1 }
    let rest = (deadline - .now).components
    return Int32(
      clamping: max(rest.seconds * 1000 + rest.attoseconds / 1_000_000_000_000_000, 0) + 1)
  }

  /// Reads the input that there is, up to an Enter; nil if there was none after all.
  private func readBatch(_ state: inout State) -> Event? {
    var batch: [UInt8] = []
    while batch.count < Self.maximumBatch {
      guard let piece = read(upTo: state.brackets.isOpen ? Self.pieceSize : 1) else {
        return batch.isEmpty ? nil : .bytes(batch)
      }
      // The end is reported after what came before it.
      if piece.isEmpty { return batch.isEmpty ? .ended : .bytes(batch) }
      state.kept += Self.keys(piece, &state)
      let taken = takeKept(&state)
      batch += taken
      let isAtEnter = !state.brackets.isOpen && taken.last == Self.enter
      if isAtEnter || !state.kept.isEmpty || !hasInput() { break }
    }
    return event(batch, &state)
  }

  private func event(_ bytes: [UInt8], _ state: inout State) -> Event {
    let endsLine = !state.brackets.isOpen && bytes.last == Self.enter
    let timeout = state.isFollowed ? Self.lineTimeout : 0
    state.isFollowed = endsLine && (!state.kept.isEmpty || hasInput(within: timeout))
    return .bytes(bytes, isFollowed: state.isFollowed)
  }

  /// Restores each Ctrl-D that the terminal replaced with a zero while it collected lines.
  private static func keys(_ bytes: [UInt8], _ state: inout State) -> [UInt8] {
    guard state.typedAheadCount > 0 else { return bytes }
    let count = min(state.typedAheadCount, bytes.count)
    state.typedAheadCount -= count
    let controlD: UInt8 = 0x04
    return bytes.prefix(count).map { $0 == 0 ? controlD : $0 } + bytes.dropFirst(count)
  }

  /// Takes the kept bytes up to an Enter outside a paste.
  private func takeKept(_ state: inout State) -> [UInt8] {
    var taken: [UInt8] = []
    for byte in state.kept {
      state.brackets.follow(byte)
      guard byte == Self.newline || byte == Self.enter else {
        taken.append(byte)
        continue
      }
      // In a paste, what was sent: the terminal's mode exchanges the two (see `Terminal.Mode.editing`).
      guard !state.brackets.isOpen else {
        taken.append(byte == Self.newline ? Self.enter : Self.newline)
        continue
      }
      taken.append(Self.enter)
      break
    }
    state.kept.removeFirst(taken.count)
    return taken
  }

  private static let enter = UInt8(ascii: "\r")
  private static let newline = UInt8(ascii: "\n")

  private func hasInput(within timeout: Int32 = 0) -> Bool {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waited, 1, timeout) > 0 && waited.revents & Int16(POLLIN) != 0
  }

  private var isHungUp: Bool {
    var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waited, 1, 0) > 0 && waited.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
  }

  /// No bytes at the end of the input; nil if there was no input after all.
  private func read(upTo size: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: size)
    let count = PrimereplFoundation.read(descriptor, &bytes, size)
    if count < 0, errno == EINTR || errno == EAGAIN { return nil }
    if count == 0, !isHungUp { return nil }
    // EIO: the terminal has hung up. Other errors won't go away either.
    return Array(bytes.prefix(max(count, 0)))
  }
}

/// Follows the brackets around pastes: `ESC [ 200 ~` and `ESC [ 201 ~`.
private struct PasteBrackets {
  private(set) var isOpen = false
  private var matched = 0

  private static let start = Array("\u{1B}[200~".utf8)
  private static let end = Array("\u{1B}[201~".utf8)

  mutating func follow(_ byte: UInt8) {
    let sequence = isOpen ? Self.end : Self.start
    if byte == sequence[matched] {
      matched += 1
    } else {
      // Only the first byte of a sequence begins one.
      matched = byte == sequence[0] ? 1 : 0
    }
    guard matched == sequence.count else { return }
    isOpen.toggle()
    matched = 0
  }
}
