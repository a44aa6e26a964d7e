package import Foundation
import Platform

/// Files named by users, to which documents are written and from which they are read.
package enum DocumentFile {
  /// Replaces the contents of a file with a text: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: The file's path; a symbolic link is followed.
  ///   - name: The file's name in errors.
  /// - Throws: ``ExportError``; then the file is unchanged.
  package static func write(_ text: String, to path: String, name: String) throws {
    let file = StateFile.resolved(path)
    guard try !isOfDatabase(file) else { throw ExportError.isDatabase(name) }
    var status = stat()
    var mode: mode_t = 0o600
    if stat(file, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw ExportError.unwritable(name, reason: "it isn't a regular file")
      }
      guard access(file, W_OK) == 0 else {
        throw ExportError.unwritable(name, reason: SystemFailure.reason)
      }
      mode = status.st_mode & 0o777
    }
    guard replace(file, by: Array(text.utf8), mode: mode) else {
      throw ExportError.unwritable(name, reason: SystemFailure.reason)
    }
  }

  /// Whether a file is a database, or one of SQLite's files beside one.
  ///
  /// A file that this process has open isn't opened by other means than SQLite's: see `OpenFiles`.
  private static func isOfDatabase(_ file: String) throws -> Bool {
    let owners = StateFile.companions.filter(file.hasSuffix).map { file.dropLast($0.count) }
    return try OpenFiles.whileNoOtherIsOpened { openFiles in
      ([file] + owners.map(String.init)).contains { path in
        var status = stat()
        guard let identity = FileIdentity(path: path), stat(path, &status) == 0 else {
          return false
        }
        return openFiles.contains(identity)
          || (status.st_mode & S_IFMT == S_IFREG && StateFileHeader.isDatabase(path))
      }
    }
  }

  /// Writes a new file, which replaces another once all of it is on disk.
  ///
  /// - Returns: Whether it succeeded; if not, `errno` says why.
  private static func replace(_ file: String, by bytes: [UInt8], mode: mode_t) -> Bool {
    let template = FilePath.path(of: ".export-XXXXXX", in: FilePath.folder(of: file))
    var temporary = (template.systemBytes + [0]).map(CChar.init(bitPattern:))
    let descriptor = mkstemp(&temporary)
    guard descriptor >= 0 else { return false }
    let isWritten =
      OpenDescriptors.write(bytes, to: descriptor) && fchmod(descriptor, mode) == 0
      && fsync(descriptor) == 0
    var reason = errno
    close(descriptor)
    if isWritten, file.withSystemBytes({ Foundation.rename(temporary, $0) }) == 0 { return true }
    if isWritten { reason = errno }
    Foundation.unlink(temporary)
    errno = reason
    return false
  }

  // MARK: - Reading

  /// Why a file can't be read.
  package enum Problem: Error, Equatable {
    case notFound
    /// It isn't a regular file, or the system refuses it.
    case unreadable(reason: String)
    /// It is larger than `maximumSize`.
    case tooLarge
    case cancelled
  }

  /// The number of bytes read at a time.
  private static let chunkSize = 1 << 16

  /// Reads a whole file.
  ///
  /// The opened file is checked, not the one that the path named before: only a regular file is read, because a pipe
  /// or a device may never end. The size is checked while reading, because a file may grow.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the working directory.
  ///   - maximumSize: The largest size in bytes.
  /// - Returns: The content.
  /// - Throws: `Problem`.
  package static func read(_ path: String, maximumSize: Int) throws(Problem) -> Data {
    guard !OpenFiles.contains(path) else {
      throw .unreadable(reason: "is the file of a session that is open")
    }
    let descriptor = try opened(path)
    defer { close(descriptor) }
    try checkKind(descriptor)
    var content = Data()
    var chunk = [UInt8](repeating: 0, count: chunkSize)
    while true {
      guard !Task.isCancelled else { throw .cancelled }
      let count = Foundation.read(descriptor, &chunk, chunkSize)
      if count == 0 { return content }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw .unreadable(reason: SystemFailure.reason)
      }
      guard count <= maximumSize - content.count else { throw .tooLarge }
      content.append(contentsOf: chunk[..<count])
    }
  }

  private static func opened(_ path: String) throws(Problem) -> Int32 {
    while true {
      // Without O_NONBLOCK, opening a pipe waits for a writer.
      let descriptor = path.withSystemBytes {
        open($0, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      }
      if descriptor >= 0 { return descriptor }
      switch errno {
      case EINTR: continue
      case ENOENT, ENOTDIR: throw .notFound
      default: throw .unreadable(reason: SystemFailure.reason)
      }
    }
  }

  private static func checkKind(_ descriptor: Int32) throws(Problem) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unreadable(reason: SystemFailure.reason)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw .unreadable(reason: "is a directory")
    default: throw .unreadable(reason: "is a pipe or a device, not a file")
    }
  }
}

/// Why a state can't be written to a file.
package typealias ExportError = PlainError<DocumentFile>

extension ExportError {
  package static func badPath(_ path: String) -> Self {
    Self("export_bad_path", "\(path): not a file's path: name a file to write to")
  }

  package static func notAllowed(_ path: String) -> Self {
    Self("export_not_allowed", "\(path): files can't be written here")
  }

  package static func isDatabase(_ path: String) -> Self {
    Self(
      "export_onto_database",
      "\(path): a database, or belongs to one, which an export would replace: name another file")
  }

  package static func unwritable(_ path: String, reason: String) -> Self {
    Self(
      "export_unwritable",
      "\(path): can't be written: \(reason): change that, or name another file")
  }
}

/// Why a state can't be read from a file.
package typealias ImportError = PlainError<StateDocument>

extension ImportError {
  package static func badPath(_ path: String, reason: String) -> Self {
    Self("import_bad_path", "\(path): \(reason)")
  }

  package static func notAllowed(_ path: String) -> Self {
    Self("import_not_allowed", "\(path): files can't be read here")
  }

  package static func unreadable(_ path: String, reason: String) -> Self {
    Self("import_unreadable", "\(path): can't be read: \(reason)")
  }

  package static func wrongShape(_ path: String, reason: String) -> Self {
    Self("import_wrong_shape", "\(path): \(reason)")
  }
}
