import PrimereplFoundation
import PrimereplPlatform
import StateStore

package enum ReportOutput: Equatable, Sendable {
  /// A file that is open, such as standard output, and stays open.
  case descriptor(Int32)
  /// A file by its path, which is made or replaced.
  case file(String)

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
      return FileSystem.resolved(first) == FileSystem.resolved(second)
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
  private enum Target {
    /// A descriptor that stays open.
    case borrowed(Int32)
    /// A pipe, a device, or a file that is written in place and removed unless the report is completed.
    case opened(Int32, unfinishedFile: String?)
    case replacement(FileReplacement)
    case finished
  }

  /// The output's name in errors.
  private let name: String
  private var target: Target

  /// Opens an output.
  ///
  /// If it `isReplacedAtEnd`, a file keeps its earlier content until `finish`; pipes and devices never do.
  init(_ output: ReportOutput, isReplacedAtEnd: Bool) throws(ReportError) {
    switch output {
    case .descriptor(let descriptor):
      name = descriptor == STDOUT_FILENO ? "standard output" : "file descriptor \(descriptor)"
      target = .borrowed(descriptor)
    case .file(let path):
      name = path.isEmpty ? "''" : ReportText.line(path)
      guard !path.isEmpty else { throw .unwritable(name, reason: "the path is empty") }
      target = try Self.target(path, name, isReplacedAtEnd)
    }
  }

  private static func target(
    _ path: String, _ name: String, _ isReplacedAtEnd: Bool
  ) throws(ReportError) -> Target {
    let file: String
    do throws(FilePath.Problem) {
      file = try FilePath.expanding(path)
    } catch {
      throw .unwritable(name, reason: error.reason)
    }
    do throws(SystemCallError) {
      // A pipe or a device can't be replaced.
      let isReplaceable = [nil, .file].contains(FileSystem.kind(of: file))
      if isReplacedAtEnd, isReplaceable { return .replacement(try FileReplacement(of: file)) }
      // Without O_NONBLOCK, opening a pipe waits for a reader, which may never come.
      let descriptor = try FileSystem.open(
        file, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_NOCTTY)
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
      return .opened(descriptor, unfinishedFile: isReplaceable ? FileSystem.resolved(file) : nil)
    } catch {
      let isPipe = error.errorNumber == ENXIO
      throw .unwritable(name, reason: isPipe ? "nothing reads from this pipe" : error.reason)
    }
  }

  deinit {
    guard case .opened(let descriptor, let file) = target else { return }
    close(descriptor)
    Self.remove(file)
  }

  private static func remove(_ unfinishedFile: String?) {
    _ = unfinishedFile?.withSystemBytes { unlink($0) }
  }

  /// Writes text at once, waiting for the reader if necessary.
  func write(_ text: String) throws(ReportError) {
    let descriptor: Int32
    switch target {
    case .borrowed(let open), .opened(let open, _): descriptor = open
    case .replacement(let file): descriptor = file.descriptor
    case .finished: return
    }
    do throws(SystemCallError) {
      try FileDescriptor.write(Array(text.utf8), to: descriptor)
    } catch {
      throw .unwritable(name, reason: error.reason)
    }
  }

  /// Closes the file and puts it in its place.
  ///
  /// - Throws: `ReportError`; then the file has its earlier content, if it was to be replaced.
  func finish() throws(ReportError) {
    do throws(SystemCallError) {
      switch target {
      case .borrowed, .finished: return
      case .replacement(let file): try file.commit()
      case .opened(let descriptor, let file):
        target = .finished
        // Network file systems say only now that the disk is full.
        guard close(descriptor) == 0 || errno == EINTR else {
          let failure = SystemCallError("close")
          Self.remove(file)
          throw failure
        }
      }
      target = .finished
    } catch {
      throw .unwritable(name, reason: error.reason)
    }
  }
}
