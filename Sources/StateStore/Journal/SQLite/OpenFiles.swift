import Synchronization

/// The state files that this process has open.
///
/// When a process closes a file, it loses the locks that it has on it, also those of other descriptors: so POSIX has it. A
/// state file that is open must therefore not be opened, read and closed by other means than SQLite's. Whoever wants to do
/// that asks here first, and meanwhile no other is opened.
package struct OpenFiles {
  private static let shared = Mutex(OpenFiles())

  /// How often each is open.
  private var counts: [FileIdentity: Int] = [:]

  package func contains(_ file: FileIdentity) -> Bool { counts[file] != nil }

  /// Counts a file as open for as long as what is returned is there.
  mutating func insert(_ file: FileIdentity) -> OpenFile {
    counts[file, default: 0] += 1
    return OpenFile(file)
  }

  /// Whether this process has the file at a path open, and so must not open it by other means.
  package static func contains(_ path: String) -> Bool {
    guard let file = FileIdentity(path: path) else { return false }
    return shared.withLock { $0.contains(file) }
  }

  /// Does something with the open files while no other thread of this process opens one.
  package static func whileNoOtherIsOpened<Result: Sendable>(
    _ body: (inout OpenFiles) throws -> Result
  ) throws -> Result {
    try shared.withLock { try body(&$0) }
  }

  fileprivate static func remove(_ file: FileIdentity) {
    shared.withLock { files in
      guard let count = files.counts[file] else { return }
      files.counts[file] = count == 1 ? nil : count - 1
    }
  }
}

/// A file that counts as open.
final class OpenFile: Sendable {
  let identity: FileIdentity

  fileprivate init(_ identity: FileIdentity) {
    self.identity = identity
  }

  deinit { OpenFiles.remove(identity) }
}
