package import PrimereplFoundation
import Synchronization

/// The file at a path; its replacement has another identity.
package struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Nil if there is no file.
  package init?(path: String) {
    do throws(SystemCallError) {
      self.init(try FileSystem.status(of: path))
    } catch {
      return nil
    }
  }

  fileprivate init(_ status: stat) {
    device = UInt64(bitPattern: Int64(status.st_dev))
    inode = UInt64(status.st_ino)
  }
}

/// The use of a database file by this process, which other processes can detect.
///
/// When a process closes any descriptor of a file, POSIX releases all its locks on that file, those of SQLite included.
/// So a file in use must not be opened and closed by other means, and the descriptors of ended uses are closed only
/// when no use of the file is left.
package final class FileUse: Sendable {
  package let identity: FileIdentity
  private let descriptor: Int32

  private struct Uses {
    var count = 0
    var descriptors: [Int32] = []
  }

  private static let files = Mutex<[FileIdentity: Uses]>([:])

  /// Begins a use; SQLite opens the file afterwards and closes it before the use ends.
  ///
  /// If the flags create the file, other users have no access to it.
  package init(path: String, _ flags: Int32 = 0) throws(SystemCallError) {
    let descriptor = try FileSystem.open(path, O_RDONLY | O_NONBLOCK | flags, mode: 0o600)
    let identity = FileIdentity(try FileSystem.status(of: descriptor))
    Self.files.withLock {
      $0[identity, default: Uses()].count += 1
      $0[identity]?.descriptors.append(descriptor)
    }
    (self.identity, self.descriptor) = (identity, descriptor)
    _ = lock(LOCK_SH)
  }

  deinit {
    flock(descriptor, LOCK_UN)
    Self.files.withLock { files in
      files[identity]?.count -= 1
      guard let uses = files[identity], uses.count == 0 else { return }
      for descriptor in uses.descriptors { close(descriptor) }
      files[identity] = nil
    }
  }

  /// Whether the file has another use, in this process or elsewhere; true if that can't be determined.
  package var hasOthers: Bool {
    let isAlone = lock(LOCK_EX | LOCK_NB)
    // The system may have dropped the shared lock even if it didn't give the exclusive one.
    _ = lock(LOCK_SH)
    return !isAlone
  }

  private func lock(_ operation: Int32) -> Bool {
    while flock(descriptor, operation) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Whether this process uses the file at a path, and so must not open it by other means.
  package static func isInUse(_ path: String) -> Bool {
    guard let file = FileIdentity(path: path) else { return false }
    return files.withLock { $0[file] != nil }
  }
}

/// Files named by users, to which documents are written and from which they are read.
package enum DocumentFile {
  /// Whether a file is a SQLite database, or belongs to one: a document must not replace it.
  package static func isOfDatabase(_ path: String) -> Bool {
    let file = FileSystem.resolved(path)
    let owners = ["-journal", "-wal", "-shm"].filter(file.hasSuffix).map {
      String(file.dropLast($0.count))
    }
    return ([file] + owners).contains { FileUse.isInUse($0) || isDatabase($0) }
  }

  /// Whether a file that isn't in use begins as SQLite's files do; false if it can't be read.
  private static func isDatabase(_ path: String) -> Bool {
    do throws(SystemCallError) {
      let descriptor = try FileSystem.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      defer { close(descriptor) }
      let magic = Array("SQLite format 3\0".utf8)
      var beginning = [UInt8](repeating: 0, count: magic.count)
      return PrimereplFoundation.read(descriptor, &beginning, magic.count) == magic.count
        && beginning == magic
    } catch {
      return false
    }
  }

  /// Reads a whole file, up to a maximum size in bytes.
  ///
  /// - Throws: `SystemCallError`, with EFBIG for a larger file, and EBUSY for that of an open session.
  package static func read(_ path: String, maximumSize: Int) throws(SystemCallError) -> Data {
    guard !FileUse.isInUse(path) else {
      throw SystemCallError("open", EBUSY, reason: "is the file of a session that is open")
    }
    return Data(try FileSystem.contents(of: path, limit: maximumSize))
  }
}

/// The version of a file's contents: it changed if this did.
package struct FileVersion: Equatable, Sendable {
  /// When the file was last modified, in nanoseconds since 1970.
  package let modified: Int
  private let size: off_t

  package static let missing = FileVersion(modified: 0, size: 0)

  private init(modified: Int, size: off_t) { (self.modified, self.size) = (modified, size) }

  package init(of path: String) {
    do throws(SystemCallError) {
      let status = try FileSystem.status(of: path)
      #if os(Linux)
        let time = status.st_mtim
      #else
        let time = status.st_mtimespec
      #endif
      self.init(modified: time.tv_sec * 1_000_000_000 + time.tv_nsec, size: status.st_size)
    } catch {
      self = .missing
    }
  }
}
