package import PrimereplFoundation

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
