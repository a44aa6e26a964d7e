import PrimereplFoundation

/// The version of a file's contents: it changed if this did.
package struct FileVersion: Equatable, Sendable {
  /// When the file was last modified, in nanoseconds since 1970.
  package let modified: Int
  private let size: off_t

  /// The version of a file that doesn't exist.
  package static let missing = FileVersion(modified: 0, size: 0)

  private init(modified: Int, size: off_t) { (self.modified, self.size) = (modified, size) }

  /// The present version of a file.
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
