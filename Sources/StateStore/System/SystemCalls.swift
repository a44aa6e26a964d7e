import Foundation

// The system functions that take a path, for paths as this package encodes them (see SystemText.swift). In this
// module they shadow the C library's functions, to which Swift would pass the text itself: a wrong path if it isn't
// UTF-8.

func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
  path.withSystemBytes { Foundation.open($0, flags, mode) }
}

func stat(_ path: String, _ status: UnsafeMutablePointer<Foundation.stat>) -> Int32 {
  // `Foundation.stat` is the structure, so this calls another function with the same effect.
  path.withSystemBytes { fstatat(AT_FDCWD, $0, status, 0) }
}

func lstat(_ path: String, _ status: UnsafeMutablePointer<Foundation.stat>) -> Int32 {
  path.withSystemBytes { Foundation.lstat($0, status) }
}

func access(_ path: String, _ mode: Int32) -> Int32 {
  path.withSystemBytes { Foundation.access($0, mode) }
}

func mkdir(_ path: String, _ mode: mode_t) -> Int32 {
  path.withSystemBytes { Foundation.mkdir($0, mode) }
}

func chmod(_ path: String, _ mode: mode_t) -> Int32 {
  path.withSystemBytes { Foundation.chmod($0, mode) }
}

@discardableResult
func unlink(_ path: String) -> Int32 {
  path.withSystemBytes { Foundation.unlink($0) }
}

func rename(_ old: String, _ new: String) -> Int32 {
  old.withSystemBytes { old in new.withSystemBytes { Foundation.rename(old, $0) } }
}

func link(_ old: String, _ new: String) -> Int32 {
  old.withSystemBytes { old in new.withSystemBytes { Foundation.link(old, $0) } }
}

/// The path without symbolic links; nil, with the reason in `errno`, if there is no such file.
func realpath(_ path: String) -> String? {
  guard let real = path.withSystemBytes({ Foundation.realpath($0, nil) }) else { return nil }
  defer { free(real) }
  return String(systemBytes: UnsafeRawBufferPointer(start: real, count: strlen(real)))
}

/// The target of a symbolic link; nil, with the reason in `errno`, if the path isn't a symbolic link.
func readlink(_ path: String) -> String? {
  var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let count = path.withSystemBytes { path in
    target.withUnsafeMutableBytes { buffer in
      buffer.baseAddress.map {
        Foundation.readlink(path, $0.assumingMemoryBound(to: CChar.self), buffer.count)
      } ?? 0
    }
  }
  return count > 0 ? String(systemBytes: target[..<count]) : nil
}

extension String {
  /// The path as text for SQLite: a path that isn't UTF-8 becomes a URI with its bytes escaped.
  var databaseName: String {
    hasSystemByte ? databaseAddress : self
  }

  /// The path as a URI for SQLite, in which every byte except letters, digits and `-._~/` is escaped.
  var databaseAddress: String {
    let unreserved = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    return systemBytes.reduce(into: "file:") { name, byte in
      if unreserved.contains(byte) {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        name += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
      }
    }
  }
}

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
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }

  /// Whether no more can be opened, because of the process's limit (`ulimit -n`) or the system's.
  ///
  /// For use after a failure without a known reason.
  package static var areExhausted: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
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
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || (count < 0 && errno == EINTR) else { return false }
      rest = rest.dropFirst(max(count, 0))
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
