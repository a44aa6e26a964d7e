import Foundation
import StateStore
import Platform

/// Where a report goes.
package enum ReportOutput: Equatable, Sendable {
  /// A file that is open, such as standard output, and stays open.
  case descriptor(Int32)
  /// A file by its path, which is made or replaced.
  case file(String)

  /// The process's standard output.
  package static var standardOutput: Self { .descriptor(STDOUT_FILENO) }

  /// Whether two reports would be mixed, or one lost.
  package func isSamePlace(as other: Self) -> Bool {
    switch (status, other.status) {
    case (let first?, let second?):
      // Nothing that is written to /dev/null is missed.
      return first.st_dev == second.st_dev && first.st_ino == second.st_ino
        && Self.nothing.map { $0.st_dev != first.st_dev || $0.st_ino != first.st_ino } ?? true
    case (nil, nil):
      guard case .file(let first) = self, case .file(let second) = other else { return false }
      return Files.identity(of: first) == Files.identity(of: second)
    default: return false
    }
  }

  /// The file that is there; nil if none is.
  private var status: stat? {
    var status = stat()
    let result =
      switch self {
      case .descriptor(let descriptor): fstat(descriptor, &status)
      case .file(let path): path.withSystemBytes { fstatat(AT_FDCWD, $0, &status, 0) }
      }
    return result == 0 ? status : nil
  }

  private static var nothing: stat? { Self.file("/dev/null").status }
}

/// A report on its way to its output.
///
/// Nothing is buffered: what was written is there for the reader of a pipe, and after a crash.
final class ReportStream {
  /// The output's name in errors.
  private let name: String
  /// The open file; -1 once it is closed.
  private var descriptor: Int32
  private let isOwner: Bool
  /// The file that the report is written to, which is removed unless the report gets complete; nil for a pipe or device.
  private var unfinished: String?
  /// The file whose place it takes at the end; nil if it has its own.
  private var replaced: String?

  /// Opens an output.
  ///
  /// - Parameters:
  ///   - output: The output.
  ///   - isReplacedAtEnd: Whether a file keeps its earlier content until `finish`. Pipes and devices never do.
  /// - Throws: `ReportError`.
  init(_ output: ReportOutput, isReplacedAtEnd: Bool) throws(ReportError) {
    switch output {
    case .descriptor(let descriptor):
      name = descriptor == STDOUT_FILENO ? "standard output" : "file descriptor \(descriptor)"
      self.descriptor = descriptor
      isOwner = false
    case .file(let path):
      name = ReportText.line(path)
      isOwner = true
      let target = try ReportFile(path, name: name)
      if isReplacedAtEnd, target.isReplaceable {
        let temporary = target.temporaryPath
        descriptor = try target.openTemporary(temporary)
        unfinished = temporary
        replaced = target.path
      } else {
        descriptor = try target.open()
        if target.isReplaceable { unfinished = target.path }
      }
    }
  }

  deinit {
    if isOwner, descriptor >= 0 { close(descriptor) }
    if let unfinished { Files.remove(unfinished) }
  }

  /// Writes text at once, waiting for the reader if necessary.
  ///
  /// - Throws: `ReportError`.
  func write(_ text: String) throws(ReportError) {
    var text = text
    let isWritten = text.withUTF8 { bytes in
      OpenDescriptors.write(UnsafeRawBufferPointer(bytes), to: descriptor)
    }
    guard isWritten else { throw .unwritable(name, reason: SystemFailure.reason) }
  }

  /// Closes the file and puts it in its place.
  ///
  /// - Throws: `ReportError`; then the file has its earlier content, if it was to be replaced.
  func finish() throws(ReportError) {
    guard isOwner, descriptor >= 0 else { return }
    // Network file systems say only now that the disk is full.
    let isClosed = close(descriptor) == 0 || errno == EINTR
    descriptor = -1
    guard isClosed else { throw .unwritable(name, reason: SystemFailure.reason) }
    if let unfinished, let replaced {
      let status = unfinished.withSystemBytes { temporary in
        replaced.withSystemBytes { rename(temporary, $0) }
      }
      guard status == 0 else { throw .unwritable(name, reason: SystemFailure.reason) }
    }
    unfinished = nil
  }
}

/// A file that a report is written to, by its path.
private struct ReportFile {
  /// The path, of the target for a symbolic link.
  let path: String
  /// The name in errors.
  let name: String
  /// Whether it is a regular file or none yet: a pipe or a device can't be replaced.
  let isReplaceable: Bool
  /// The permissions of the file that is there.
  private let mode: mode_t?

  init(_ path: String, name: String) throws(ReportError) {
    self.name = name
    guard !path.isEmpty else { throw .unwritable("''", reason: "the path is empty") }
    let expanded: String
    do {
      expanded = try FilePath.expanding(path)
    } catch {
      throw .unwritable(name, reason: error.reason)
    }
    self.path = Files.realPath(of: expanded) ?? expanded
    var status = stat()
    // `Foundation.stat` is the structure, so this calls another function with the same effect.
    let isThere = self.path.withSystemBytes { fstatat(AT_FDCWD, $0, &status, 0) } == 0
    let isRegular = status.st_mode & S_IFMT == S_IFREG
    isReplaceable = !isThere || isRegular
    mode = isThere ? status.st_mode & 0o777 : nil
    if isThere, isRegular, self.path.withSystemBytes({ access($0, W_OK) }) != 0 {
      throw .unwritable(name, reason: SystemFailure.reason)
    }
  }

  /// A new name in the same folder, and so on the same disk.
  var temporaryPath: String {
    let suffix = String(UInt64.random(in: 0 ... .max), radix: 36)
    return FilePath.path(of: ".report-\(suffix)", in: FilePath.folder(of: path))
  }

  func openTemporary(_ temporary: String) throws(ReportError) -> Int32 {
    let descriptor = temporary.withSystemBytes {
      Foundation.open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    guard descriptor >= 0 else { throw .unwritable(name, reason: SystemFailure.reason) }
    if let mode { fchmod(descriptor, mode) }
    return descriptor
  }

  func open() throws(ReportError) -> Int32 {
    // Without O_NONBLOCK, opening a pipe waits for a reader, which may never come.
    let descriptor = path.withSystemBytes {
      Foundation.open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o666)
    }
    guard descriptor >= 0 else {
      let reason = errno == ENXIO ? "nothing reads from this pipe" : SystemFailure.reason
      throw .unwritable(name, reason: reason)
    }
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    return descriptor
  }
}
