import PrimereplFoundation
import PrimereplPlatform
import Subprocess

/// Programs that use the terminal for a while: editors and pagers.
enum ForegroundProgram {
  /// Runs a program with its options, as typed in a shell, on a file.
  ///
  /// - Returns: Its exit status; 128 plus the signal's number if a signal ended it.
  static func run(_ command: String, on path: String) async throws(CommandError) -> Int32 {
    CurrentProcess.flush()
    do {
      let result = try await Subprocess.run(
        .path("/bin/sh"), arguments: ["-c", "\(command) \"$1\"", "sh", path],
        input: .fileDescriptor(.init(rawValue: STDIN_FILENO), closeAfterSpawningProcess: false),
        output: .fileDescriptor(.init(rawValue: STDOUT_FILENO), closeAfterSpawningProcess: false),
        error: .fileDescriptor(.init(rawValue: STDERR_FILENO), closeAfterSpawningProcess: false))
      switch result.terminationStatus {
      case .exited(let status): return status
      case .signaled(let signal): return 128 + signal
      }
    } catch {
      throw .notStarted(command, reason: "\(error)")
    }
  }
}

/// A text in a temporary file, readable by the user alone, for another program.
struct TemporaryText {
  let path: String
  private let folder: String

  /// The name has an ending for editors.
  init(_ text: String, named name: String) throws(SystemCallError) {
    var template = Array("\(FileManager.default.temporaryDirectory.path)/prompt-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemCallError("mkdtemp") }
    folder = String(systemBytes: template.dropLast().map(UInt8.init(bitPattern:)))
    path = "\(folder)/\(name)"
    let descriptor = try FileSystem.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    defer { close(descriptor) }
    try FileDescriptor.write(text.systemBytes, to: descriptor)
  }

  func read() throws(SystemCallError) -> String {
    String(systemBytes: try FileSystem.contents(of: path))
  }

  /// A file that can't be removed is left for the system to clean up.
  func remove() {
    _ = path.withSystemBytes { unlink($0) }
    _ = folder.withSystemBytes { rmdir($0) }
  }
}
