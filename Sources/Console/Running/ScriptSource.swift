import StateStore
import Foundation
import Lua

/// The text of a script and its name in messages.
struct ScriptSource {
  let bytes: [UInt8]
  let name: ChunkName

  /// Reads a file; off the caller's actor where that may take long, as for a pipe.
  static func file(_ path: String) async throws(CommandError) -> ScriptSource {
    guard !isRegularFile(path), Threads.areAvailable else { return try readFile(path) }
    return try await readFileInBackground(path)
  }

  /// Reads standard input to its end, off the caller's actor.
  static func standardInput() async throws(CommandError) -> ScriptSource {
    guard Threads.areAvailable else { return try readStandardInput() }
    return try await readStandardInputInBackground()
  }

  @concurrent
  private static func readFileInBackground(
    _ path: String
  ) async throws(CommandError) -> ScriptSource {
    try readFile(path)
  }

  @concurrent
  private static func readStandardInputInBackground() async throws(CommandError) -> ScriptSource {
    try readStandardInput()
  }

  private static func isRegularFile(_ path: String) -> Bool {
    var status = stat()
    return path.withSystemBytes { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func readFile(_ path: String) throws(CommandError) -> ScriptSource {
    let descriptor = path.withSystemBytes { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    return ScriptSource(bytes: try read(descriptor, of: path), name: .fileBytes(path.systemBytes))
  }

  private static func readStandardInput() throws(CommandError) -> ScriptSource {
    ScriptSource(bytes: try read(STDIN_FILENO, of: "standard input"), name: .text("stdin"))
  }

  private static func read(_ descriptor: Int32, of path: String) throws(CommandError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += buffer.prefix(count)
      } else if errno != EINTR {
        throw failure(path)
      } else if Thread.isMainThread {
        // Ctrl-C, which else the main thread would see while another one reads.
        throw .interrupted
      }
    }
  }

  private static func failure(_ path: String) -> CommandError {
    .scriptUnreadable(path, errorNumber: errno)
  }
}
