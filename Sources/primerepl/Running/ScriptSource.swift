import Foundation
import Lua

/// The text of a script and its name in messages.
struct ScriptSource {
  let bytes: [UInt8]
  let name: ChunkName

  @concurrent
  static func file(_ path: String) async throws(CommandError) -> ScriptSource {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { throw .scriptUnreadable(path, errorNumber: errno) }
    defer { close(descriptor) }
    return ScriptSource(bytes: try read(descriptor, of: path), name: .file(path))
  }

  @concurrent
  static func standardInput() async throws(CommandError) -> ScriptSource {
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
        throw .scriptUnreadable(path, errorNumber: errno)
      }
    }
  }
}
