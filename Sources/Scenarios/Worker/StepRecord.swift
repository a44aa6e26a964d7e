import PrimereplFoundation
import PrimereplPlatform

/// The steps of a property's run in a file, from which the runner reads them if the process ends.
final class StepRecord {
  private let path: String
  /// The open file; nil before the first step.
  private var descriptor: Int32?
  /// The place of each step in the file, and of the next one.
  private var offsets = [0]

  /// Lua text has no such byte.
  private static let separator: UInt8 = 0

  /// The file is made when it is needed.
  init(path: String) { self.path = path }

  deinit { if let descriptor { close(descriptor) } }

  func clear() {
    offsets = [0]
    if let descriptor { ftruncate(descriptor, 0) } else { _ = path.withSystemBytes { unlink($0) } }
  }

  /// Records a step before it is done, at its index; those from there on were refused.
  func write(_ text: [UInt8], at position: Int) throws(SystemCallError) {
    let file = try openFile()
    offsets.removeLast(max(0, offsets.count - position - 1))
    let start = offsets.last ?? 0
    let bytes = text + [Self.separator]
    guard pwrite(file, bytes, bytes.count, off_t(start)) == bytes.count else {
      throw SystemCallError("pwrite")
    }
    offsets.append(start + bytes.count)
    // Refused steps can have been longer.
    guard ftruncate(file, off_t(start + bytes.count)) == 0 else {
      throw SystemCallError("ftruncate")
    }
  }

  private func openFile() throws(SystemCallError) -> Int32 {
    if let descriptor { return descriptor }
    try FileSystem.makeFolder(FilePath.folder(of: path), mode: 0o700)
    let file = try FileSystem.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    descriptor = file
    return file
  }

  /// The steps that a file has; none if there is no such file.
  static func steps(in path: String) -> [String] {
    do throws(SystemCallError) {
      return try FileSystem.contents(of: path).split(separator: separator)
        .map { String(escapingInvalid: $0) }
    } catch {
      // No step was done.
      return []
    }
  }
}
