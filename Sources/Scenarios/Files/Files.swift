import Foundation
import StateStore
import Platform

/// The files of scenarios, whatever bytes their names have (see `String.init(systemBytes:)`).
enum Files {
  /// What a path leads to.
  enum Kind {
    case file
    case folder
    /// A pipe, a device or a socket, which may have no end.
    case special
  }

  /// What a path leads to; nil, with the reason in `errno`, if there is nothing.
  static func kind(of path: String) -> Kind? {
    var status = stat()
    guard path.withSystemBytes({ fstatat(AT_FDCWD, $0, &status, 0) }) == 0 else { return nil }
    return switch status.st_mode & S_IFMT {
    case S_IFREG: .file
    case S_IFDIR: .folder
    default: .special
    }
  }

  static func isFile(_ path: String) -> Bool { kind(of: path) == .file }

  /// Whether a path is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return path.withSystemBytes { lstat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// A text that is the same for all paths of a file, but not for a link in another folder, where modules are others.
  static func identity(of path: String) -> String {
    let (folder, name) = (FilePath.folder(of: path), FilePath.name(of: path))
    return FilePath.path(of: name, in: realPath(of: folder) ?? folder)
  }

  /// The path without links; nil if nothing is there.
  static func realPath(of path: String) -> String? {
    path.withSystemBytes { path in
      guard let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      return String(systemBytes: UnsafeRawBufferPointer(start: real, count: strlen(real)))
    }
  }

  /// The contents of a file; nil, with the reason in `errno`, if it can't be read.
  static func contents(of path: String) -> [UInt8]? {
    let descriptor = path.withSystemBytes { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    // A pipe or a device may never end.
    guard status.st_mode & S_IFMT == S_IFREG else {
      errno = status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EINVAL
      return nil
    }
    var contents: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      guard count > 0 else { return contents }
      contents += piece.prefix(count)
    }
  }

  /// Makes a file, or replaces one: all of it, or nothing.
  ///
  /// - Returns: Whether it succeeded; if not, `errno` says why.
  static func write(_ bytes: [UInt8], to path: String) -> Bool {
    // Another process may be writing the same file.
    let temporary = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    let descriptor = temporary.withSystemBytes {
      open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard descriptor >= 0 else { return false }
    let isWritten = OpenDescriptors.write(bytes, to: descriptor) && fsync(descriptor) == 0
    var reason = errno
    close(descriptor)
    if isWritten {
      let status = temporary.withSystemBytes { temporary in
        path.withSystemBytes { rename(temporary, $0) }
      }
      if status == 0 { return true }
      reason = errno
    }
    remove(temporary)
    errno = reason
    return false
  }

  /// Removes a file.
  ///
  /// - Returns: Whether it succeeded; if not, `errno` says why.
  @discardableResult
  static func remove(_ path: String) -> Bool { path.withSystemBytes { unlink($0) } == 0 }

  /// Makes a folder, unless there is one.
  ///
  /// - Returns: Whether it succeeded; if not, `errno` says why.
  static func makeFolder(_ path: String, mode: mode_t = 0o777) -> Bool {
    path.withSystemBytes { mkdir($0, mode) } == 0 || (errno == EEXIST && kind(of: path) == .folder)
  }

  /// The names in a folder, in a stable order; nil, with the reason in `errno`, if it can't be read.
  static func names(in folder: String) -> [String]? {
    guard let stream = folder.withSystemBytes({ opendir($0) }) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(systemBytes: $0.prefix { $0 != 0 })
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return errno == 0 ? names.sorted() : nil
  }
}
