import Foundation
import Platform

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
