import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A small file system, which only root can make; it goes away with this.
final class FullFileSystem {
  /// Why there is none.
  struct Failure: Error {
    let reason: String
  }

  /// Whether this process may make one.
  static let canBeMade: Bool = {
    do {
      _ = try FullFileSystem(size: "64k")
      return true
    } catch {
      return false
    }
  }()

  private let folder: TemporaryDirectory

  /// Where it is.
  var path: String { folder.url.path }

  /// Makes one.
  ///
  /// - Parameter size: Such as `256k`.
  /// - Throws: `Failure`, where this process may not.
  init(size: String) throws {
    folder = try TemporaryDirectory()
    try mount(size: size)
  }

  /// Makes it larger.
  func resize(to size: String) throws {
    #if os(Linux)
      try mount(size: size, flags: UInt(MS_REMOUNT))
    #endif
  }

  private func mount(size: String, flags: UInt = 0) throws {
    #if os(Linux)
      guard Glibc.mount("tmpfs", path, "tmpfs", flags, "size=\(size)") == 0 else {
        throw Failure(reason: String(cString: strerror(errno)))
      }
    #else
      throw Failure(reason: "not on this system")
    #endif
  }

  deinit {
    #if os(Linux)
      umount(path)
    #endif
  }
}
