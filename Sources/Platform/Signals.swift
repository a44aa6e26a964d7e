package import PrimereplFoundation

extension sigaction {
  #if canImport(Darwin)
    /// The address of the function that handles the signal, or one of the system's own values.
    package var handler: Int { unsafeBitCast(__sigaction_u.__sa_handler, to: Int.self) }

    mutating func setHandler(_ handler: @escaping @convention(c) (Int32) -> Void) {
      __sigaction_u.__sa_handler = handler
    }
  #else
    /// The address of the function that handles the signal, or one of the system's own values.
    package var handler: Int { unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self) }

    mutating func setHandler(_ handler: @escaping @convention(c) (Int32) -> Void) {
      __sigaction_handler.sa_handler = handler
    }
  #endif

  var isIgnored: Bool { handler == unsafeBitCast(SIG_IGN, to: Int.self) }
  package var isDefault: Bool { handler == unsafeBitCast(SIG_DFL, to: Int.self) }
}

package enum Signal {
  /// The action of a signal; nil if it is ignored, as by `nohup`.
  package static func action(of signal: Int32) -> sigaction? {
    var action = sigaction()
    return sigaction(signal, nil, &action) == 0 && !action.isIgnored ? action : nil
  }

  package static func setHandler(
    of signal: Int32, flags: Int32 = 0, _ handler: @escaping @convention(c) (Int32) -> Void
  ) {
    var action = sigaction()
    action.setHandler(handler)
    action.sa_flags = flags
    sigaction(signal, &action, nil)
  }

  /// Sends a signal to this thread, so that it takes effect before this returns.
  package static func raise(_ signal: Int32) {
    // Dispatch blocks signals on its threads.
    var unblocked = sigset_t()
    var previous = sigset_t()
    sigemptyset(&unblocked)
    sigaddset(&unblocked, signal)
    pthread_sigmask(SIG_UNBLOCK, &unblocked, &previous)
    PrimereplFoundation.raise(signal)
    pthread_sigmask(SIG_SETMASK, &previous, nil)
  }
}

/// A pipe that wakes a thread waiting for input, each time with one byte that is the reason.
///
/// The bytes are signal numbers, since a signal handler can do little more than write one, or `look`, which means that
/// something is left for the reader in another place.
package final class WakePipe: Sendable {
  package static let look: UInt8 = 0

  package let readEnd: Int32
  package let writeEnd: Int32

  package init() throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemCallError("pipe") }
    (readEnd, writeEnd) = (ends[0], ends[1])
    for end in ends {
      // Neither end may block (a full pipe wakes the reader anyway), nor reach child processes.
      guard fcntl(end, F_SETFL, O_NONBLOCK) == 0, fcntl(end, F_SETFD, FD_CLOEXEC) == 0 else {
        throw SystemCallError("fcntl")
      }
    }
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Wakes the reader; safe in a signal handler.
  package func wake(_ reason: UInt8) {
    Self.write(reason, to: writeEnd)
  }

  /// Writes one byte; safe in a signal handler: it preserves `errno`.
  package static func write(_ reason: UInt8, to writeEnd: Int32) {
    let previous = errno
    var byte = reason
    // It fails if the pipe is full, and then its reader will wake, or if the reader is gone.
    _ = PrimereplFoundation.write(writeEnd, &byte, 1)
    errno = previous
  }

  package func take() -> UInt8? {
    var byte: UInt8 = 0
    return read(readEnd, &byte, 1) == 1 ? byte : nil
  }

  package func drain() {
    while take() != nil {}
  }
}
