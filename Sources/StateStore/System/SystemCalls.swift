import Foundation

// The system's functions that take a path, for paths as this package has them (see SystemText.swift). In this module they
// take the place of the C library's, to which Swift would hand a path's text, and so another path where it isn't UTF-8.

func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
  path.withSystemBytes { Foundation.open($0, flags, mode) }
}

func stat(_ path: String, _ status: UnsafeMutablePointer<Foundation.stat>) -> Int32 {
  // By another function of the same effect: `Foundation.stat` is the structure.
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

/// The path without symbolic links; nil, and `errno` says why, where there is no such file.
func realpath(_ path: String) -> String? {
  guard let real = path.withSystemBytes({ Foundation.realpath($0, nil) }) else { return nil }
  defer { free(real) }
  return String(systemBytes: UnsafeRawBufferPointer(start: real, count: strlen(real)))
}

/// Where a symbolic link leads; nil, and `errno` says why, for what isn't one.
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
  /// The path as SQLite takes it, which is text: where it isn't UTF-8, as an address whose escapes are its bytes.
  var databaseName: String {
    hasSystemByte ? databaseAddress : self
  }

  /// The path as an address for SQLite, in which every byte but letters, digits and `-._~/` is escaped.
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

/// A call of the system that failed.
package enum SystemFailure {
  /// What the system says about the last one of this thread.
  package static var reason: String { String(cString: strerror(errno)) }
}

/// The process's file descriptors.
package enum OpenDescriptors {
  /// Whether so many more can be opened at once now.
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

  /// Whether no more can be opened now: by the process's limit (`ulimit -n`), or the system's.
  ///
  /// Asked after a failure whose reason wasn't told.
  package static var areExhausted: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return errno == EMFILE || errno == ENFILE
  }
}
