import PrimereplFoundation

package enum OpenDescriptors {
  /// Whether the process has as many as its limit (`ulimit -n`), or the system's, allows.
  ///
  /// For use after a failure without a known reason.
  package static var isLimitReached: Bool {
    let descriptor = PrimereplFoundation.open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    close(descriptor)
    return false
  }

  /// Checks that the process can open as many as it needs to run at all; for its start.
  ///
  /// Later, where a library gets none, it may end the process.
  ///
  /// - Throws: `SystemCallError` with EMFILE.
  package static func checkLimit() throws(SystemCallError) {
    var limit = rlimit()
    #if os(Linux)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    let descriptor = PrimereplFoundation.open("/dev/null", O_RDONLY | O_CLOEXEC)
    if descriptor >= 0 { close(descriptor) }
    guard getrlimit(resource, &limit) == 0 else { return }
    // A new descriptor is the lowest that is free.
    let isTooLow = descriptor >= 0 && rlim_t(descriptor) + neededCount > limit.rlim_cur
    guard descriptor < 0 && errno == EMFILE || isTooLow else { return }
    throw SystemCallError(
      "open", EMFILE,
      reason: "at most \(limit.rlim_cur) files can be open: raise the limit (ulimit -n)")
  }

  /// The number of descriptors that a script with a session takes.
  private static let neededCount: rlim_t = 16

  /// Makes two connected sockets, one to keep and one to give to a child process; no other child inherits either.
  package static func makeSocketPair() throws(SystemCallError) -> (kept: Int32, given: Int32) {
    var ends: [Int32] = [-1, -1]
    #if os(Linux)
      // Not a pipe: its close-on-exec flag is set only a moment later, when another thread may have started a child.
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemCallError("socketpair") }
    #if !os(Linux)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #endif
    return (ends[0], ends[1])
  }
}

package enum FileDescriptor {
  /// Reads to the end; after a signal it continues or, without `retries`, fails with EINTR.
  ///
  /// - Throws: `SystemCallError`, with EFBIG if there are more bytes than the limit.
  package static func readAll(
    _ descriptor: Int32, limit: Int = .max, retries: Bool = true
  ) throws(SystemCallError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      switch read(descriptor, &buffer, buffer.count) {
      case 0: return bytes
      case let count where count > 0:
        guard count <= limit - bytes.count else { throw SystemCallError("read", EFBIG) }
        bytes += buffer.prefix(count)
      default: if errno != EINTR || !retries { throw SystemCallError("read") }
      }
    }
  }

  /// Writes all bytes; a signal doesn't end it.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemCallError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        PrimereplFoundation.write(descriptor, $0.baseAddress, $0.count)
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EAGAIN {
        // Another process may have made the shared terminal or pipe non-blocking.
        var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        if poll(&waited, 1, -1) < 0, errno != EINTR { throw SystemCallError("poll") }
      } else if count == 0 || errno != EINTR {
        throw SystemCallError("write")
      }
    }
  }
}
