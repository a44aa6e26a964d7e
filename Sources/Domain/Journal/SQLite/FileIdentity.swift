import Foundation

/// Which file is at a path: after it was replaced, that is another one.
struct FileIdentity: Hashable {
  private let device: UInt64
  private let inode: UInt64

  /// Nil where there is no file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(bitPattern: Int64(status.st_dev))
    inode = UInt64(status.st_ino)
  }
}
