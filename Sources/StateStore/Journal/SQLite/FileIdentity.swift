import Foundation

/// Which file is at a path: after it was replaced, that is another one.
package struct FileIdentity: Hashable {
  private let device: UInt64
  private let inode: UInt64

  /// Nil where there is no file.
  package init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  fileprivate init(_ status: stat) {
    device = UInt64(bitPattern: Int64(status.st_dev))
    inode = UInt64(status.st_ino)
  }

  /// A number by which the file is known again, as long as it isn't copied.
  var number: Int64 { Int64(bitPattern: inode &* 0x9E37_79B9_7F4A_7C15 ^ device) }
}

/// A file as it is now: another one, or changed, is not equal.
struct FileVersion: Equatable {
  let identity: FileIdentity
  private let size: Int
  private let seconds: Int
  private let nanoseconds: Int

  /// Nil where there is no file.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    size = Int(status.st_size)
    // The time of the last change of anything, which nobody can set back, as `cp -p` does with that of the contents.
    #if canImport(Darwin)
      let time = status.st_ctimespec
    #else
      let time = status.st_ctim
    #endif
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }
}
