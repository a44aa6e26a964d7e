import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A small file system, which only root can make; it goes away with this.
package final class FullFileSystem {
  /// Why there is none.
  package struct Failure: Error {
    let reason: String
    /// Whether it may succeed a moment later.
    var isBusy = false
  }

  /// Whether this process may make one.
  package static let canBeMade: Bool = {
    do {
      _ = try FullFileSystem(size: "64k")
      return true
    } catch {
      return false
    }
  }()

  /// Where it is.
  package let path: String

  /// Makes one.
  ///
  /// - Parameter size: Such as `256k`.
  /// - Throws: `Failure`, where this process may not.
  package init(size: String) throws {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("primerepl-file-system-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try mount(size: size)
  }

  /// Makes it larger.
  package func resize(to size: String) throws {
    #if os(Linux)
      try mount(size: size, flags: UInt(MS_REMOUNT))
    #endif
  }

  /// Makes it read-only.
  ///
  /// It is busy while a file is open for writing, which all files of this process are for the moment in which a test starts
  /// a child process.
  package func makeReadOnly() throws {
    #if os(Linux)
      let end = ContinuousClock.now + .seconds(30)
      while true {
        do {
          return try mount(size: "1m", flags: UInt(MS_REMOUNT | MS_RDONLY))
        } catch let failure as Failure where failure.isBusy && .now < end {
          usleep(1_000)
        }
      }
    #endif
  }

  /// Fills all of it with a file.
  package func fill() {
    let descriptor = open(path + "/filling", O_WRONLY | O_CREAT, 0o600)
    let bytes = [UInt8](repeating: 0, count: 512)
    while write(descriptor, bytes, bytes.count) > 0 {}
    close(descriptor)
  }

  private func mount(size: String, flags: UInt = 0) throws {
    #if os(Linux)
      guard Glibc.mount("tmpfs", path, "tmpfs", flags, "size=\(size)") == 0 else {
        let error = errno
        throw Failure(reason: String(cString: strerror(error)), isBusy: error == EBUSY)
      }
    #else
      throw Failure(reason: "not on this system")
    #endif
  }

  deinit {
    #if os(Linux)
      umount2(path, CInt(MNT_DETACH))
    #endif
    rmdir(path)
  }
}
