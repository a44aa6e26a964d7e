/// What messages call a chunk of Lua code.
public enum ChunkName: Sendable {
  /// A file: messages show its path and the line.
  case file(String)
  /// A file whose path need not be UTF-8: messages show `\xff` for a byte that isn't.
  case fileBytes([UInt8])
  /// Any other source: messages show the text as it is, and the line.
  case text(String)

  /// The name with the mark by which Lua tells them apart (`lua_load` in the manual).
  var luaName: [CChar] {
    let bytes: [UInt8] =
      switch self {
      case .file(let path): Array("@\(path)".utf8)
      case .fileBytes(let path): Array("@".utf8) + path
      case .text(let text): Array("=\(text)".utf8)
      }
    return bytes.map(CChar.init(bitPattern:)) + [0]
  }
}
