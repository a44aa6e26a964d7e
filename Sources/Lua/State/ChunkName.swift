/// What messages call a chunk of Lua code.
public enum ChunkName: Sendable {
  /// A file: messages show its path and the line.
  case file(String)
  /// Any other source: messages show the text as it is, and the line.
  case text(String)

  /// The name with the mark by which Lua tells them apart (`lua_load` in the manual).
  var luaName: String {
    switch self {
    case .file(let path): "@" + path
    case .text(let text): "=" + text
    }
  }
}
