import StateStore
import Foundation

/// Reads a file that a user named, wherever that leads.
enum SourceFile {
  /// Bytes asked of the system at a time.
  private static let chunkSize = 1 << 16

  /// Reads a whole file.
  ///
  /// What is opened is checked, not what the path named before: only a regular file is read, because
  /// a pipe or a device may never end. The size is checked while reading, because a file may grow.
  ///
  /// - Parameters:
  ///   - path: the path, relative to the working directory.
  ///   - name: the source's name for errors.
  ///   - maximumSize: the largest size in bytes.
  /// - Returns: the content.
  /// - Throws: `SourceError`.
  static func read(
    _ path: String, name: String, maximumSize: Int
  ) throws(SourceError) -> Data {
    guard !OpenFiles.contains(path) else {
      throw .unreadable(name, reason: "is the file of a session that is open")
    }
    let descriptor = try opened(path, name: name)
    defer { close(descriptor) }
    try checkKind(descriptor, name: name)
    var content = Data()
    var chunk = [UInt8](repeating: 0, count: chunkSize)
    while true {
      guard !Task.isCancelled else { throw .cancelled(name) }
      let count = Foundation.read(descriptor, &chunk, chunkSize)
      if count == 0 { return content }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw .unreadable(name, reason: SystemFailure.reason)
      }
      guard count <= maximumSize - content.count else {
        throw .tooLarge(name, maximumSize: maximumSize)
      }
      content.append(contentsOf: chunk[..<count])
    }
  }

  private static func opened(_ path: String, name: String) throws(SourceError) -> Int32 {
    while true {
      // Without O_NONBLOCK, opening a pipe waits for someone to write to it.
      let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      if descriptor >= 0 { return descriptor }
      switch errno {
      case EINTR: continue
      case ENOENT, ENOTDIR: throw .notFound(name)
      default: throw .unreadable(name, reason: SystemFailure.reason)
      }
    }
  }

  private static func checkKind(_ descriptor: Int32, name: String) throws(SourceError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .unreadable(name, reason: SystemFailure.reason)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw .unreadable(name, reason: "is a directory")
    default: throw .unreadable(name, reason: "is a pipe or a device, not a file")
    }
  }
}
