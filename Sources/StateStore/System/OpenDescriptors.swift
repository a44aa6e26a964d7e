import Foundation

/// The process's file descriptors.
package enum OpenDescriptors {
  /// Whether so many more can be opened at once now.
  package static func canOpen(_ count: Int) -> Bool {
    var opened: [Int32] = []
    defer { for descriptor in opened { close(descriptor) } }
    for _ in 0..<count {
      let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return false }
      opened.append(descriptor)
    }
    return true
  }

  /// Whether no more can be opened now: by the process's limit (`ulimit -n`), or the system's.
  ///
  /// Asked after a failure whose reason wasn't told.
  package static var areExhausted: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor < 0 else {
      close(descriptor)
      return false
    }
    return errno == EMFILE || errno == ENFILE
  }
}
