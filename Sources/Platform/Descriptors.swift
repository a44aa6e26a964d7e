import Foundation

/// A system call that failed.
package enum SystemFailure {
  /// The system's description of this thread's last failure.
  package static var reason: String { String(cString: strerror(errno)) }
}

/// The process's file descriptors.
package enum OpenDescriptors {
  /// Whether `count` more can be opened at once.
  package static func canOpen(_ count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<count {
      let descriptor = Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }

  /// Whether no more can be opened, because of the process's limit (`ulimit -n`) or the system's.
  ///
  /// For use after a failure without a known reason.
  package static var areExhausted: Bool {
    let descriptor = Foundation.open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return errno == EMFILE || errno == ENFILE
  }

  /// Writes all bytes to a descriptor; a signal doesn't end it.
  ///
  /// - Returns: Whether it succeeded; if not, `errno` says why.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { write($0, to: descriptor) }
  }

  /// Writes all bytes of a buffer, as `write(_:to:)` does those of an array.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Foundation.write(
        descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        // Another process may have made the shared terminal or pipe non-blocking.
        var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&waited, 1, -1) < 0, errno != EINTR { return false }
      } else if count == 0 || errno != EINTR {
        return false
      }
    }
    return true
  }

  /// Makes two connected sockets, one to keep and one to give to a child process; no other child inherits either.
  ///
  /// - Returns: The descriptors; nil, with the reason in `errno`, if none can be made.
  package static func makeSocketPair() -> (kept: Int32, given: Int32)? {
    var ends: [Int32] = [-1, -1]
    #if os(Linux)
      // Not a pipe: its close-on-exec flag is set only a moment later, when another thread may have started a child.
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    #if !os(Linux)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    return (ends[0], ends[1])
  }
}

/// Reading and writing of open files.
package enum FileDescriptor {
  /// Reads to the end; a signal either is an error (EINTR), or reading is retried.
  package static func readAll(
    _ descriptor: Int32, retries: Bool = true
  ) throws(SystemCallError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      switch read(descriptor, &buffer, buffer.count) {
      case 0: return bytes
      case let count where count > 0: bytes += buffer.prefix(count)
      default: if errno != EINTR || !retries { throw SystemCallError("read") }
      }
    }
  }

  /// Reads a whole file; a signal either is an error (EINTR), or reading is retried.
  package static func readAll(
    fileAt path: String, flags: Int32 = 0, retries: Bool = true
  ) throws(SystemCallError) -> [UInt8] {
    let descriptor = path.withSystemBytes { open($0, O_RDONLY | O_CLOEXEC | flags) }
    guard descriptor >= 0 else { throw SystemCallError("open") }
    defer { close(descriptor) }
    return try readAll(descriptor, retries: retries)
  }

  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemCallError) {
    guard OpenDescriptors.write(bytes, to: descriptor) else { throw SystemCallError("write") }
  }
}

/// The failure of a system call.
package struct SystemCallError: Error, Equatable, CustomStringConvertible {
  package let call: String
  package let errorNumber: Int32
  package let reason: String

  /// The error of the call that has just failed.
  package init(_ call: String, reason: String? = nil) {
    self.call = call
    errorNumber = errno
    self.reason = reason ?? String(cString: strerror(errorNumber))
  }

  package var description: String { "\(call) failed: \(reason)" }
}
