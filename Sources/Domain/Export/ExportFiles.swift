import StateStore
import Foundation

/// Writes texts to files that users name.
public struct ExportFiles: Sendable {
  private let isRefusing: Bool

  /// One that writes nothing, for scripts that aren't trusted.
  public static let refusing = ExportFiles(isRefusing: true)

  /// Makes one that writes.
  public init() {
    self.init(isRefusing: false)
  }

  private init(isRefusing: Bool) {
    self.isRefusing = isRefusing
  }

  /// Writes a text to a file, in place of what it held: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - path: The file's path, relative to the working directory, where `~` is the home directory.
  /// - Throws: `ExportError`; then the file is as it was.
  public func write(_ text: String, to path: String) throws {
    // Before anything is done with the path, which may be megabytes of what is none.
    guard !isRefusing else { throw ExportError.notAllowed(ExternalText.quoted(path)) }
    let (file, name) = try Self.file(named: path)
    guard try !Self.isOfDatabase(file) else { throw ExportError.isDatabase(name) }
    var status = stat()
    var mode: mode_t = 0o600
    if stat(file, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw ExportError.unwritable(name, reason: "it isn't a regular file")
      }
      guard access(file, W_OK) == 0 else {
        throw ExportError.unwritable(name, reason: SystemFailure.reason)
      }
      mode = status.st_mode & 0o777
    }
    guard Self.replace(file, by: Array(text.utf8), mode: mode) else {
      throw ExportError.unwritable(name, reason: SystemFailure.reason)
    }
  }

  /// Whether a file is a database, or what SQLite keeps beside one.
  ///
  /// One that this process has open isn't opened by other means: see `OpenFiles`.
  private static func isOfDatabase(_ file: String) throws -> Bool {
    let owners = StateFile.companions.filter(file.hasSuffix).map { file.dropLast($0.count) }
    return try OpenFiles.whileNoOtherIsOpened { openFiles in
      ([file] + owners.map(String.init)).contains { path in
        var status = stat()
        guard let identity = FileIdentity(path: path), stat(path, &status) == 0 else {
          return false
        }
        return openFiles.contains(identity)
          || (status.st_mode & S_IFMT == S_IFREG && StateFileHeader.isDatabase(path))
      }
    }
  }

  /// Writes a new file, which takes the place of another once all of it is on disk.
  ///
  /// - Returns: Whether that went well; `errno` says why not.
  private static func replace(_ file: String, by bytes: [UInt8], mode: mode_t) -> Bool {
    let template = FilePath.path(of: ".primerepl-XXXXXX", in: FilePath.folder(of: file))
    var temporary = (template.systemBytes + [0]).map(CChar.init(bitPattern:))
    let descriptor = mkstemp(&temporary)
    guard descriptor >= 0 else { return false }
    let isWritten =
      write(bytes, to: descriptor) && fchmod(descriptor, mode) == 0 && fsync(descriptor) == 0
    var reason = errno
    close(descriptor)
    if isWritten, file.withSystemBytes({ Foundation.rename(temporary, $0) }) == 0 { return true }
    if isWritten { reason = errno }
    Foundation.unlink(temporary)
    errno = reason
    return false
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 || errno == EINTR else { return false }
      rest = rest.dropFirst(max(count, 0))
    }
    return true
  }

  /// The path of the file itself, which a symbolic link may name, and the name for messages.
  private static func file(named path: String) throws -> (path: String, name: String) {
    let source: RecordSource
    do throws(SourceError) {
      source = try RecordSource(path)
    } catch {
      let name = ExternalText.quoted(RecordSource.name(of: path).shownSystemText)
      if case .unreadable(_, let reason) = error {
        throw ExportError.unwritable(name, reason: reason)
      }
      throw ExportError.badPath("“\(name)”")
    }
    guard case .file(let path) = source.location else { throw ExportError.badPath(source.name) }
    return (StateFile.resolved(path), source.name)
  }
}
