import StateStore
import Lua

/// The lines typed so far, which may be an expression or statements, in any bytes (see `String.init(systemBytes:)`).
struct PromptChunk {
  private(set) var text = ""

  private static let name = ChunkName.text("stdin")

  var isBlank: Bool { text.allSatisfy(\.isWhitespace) }

  mutating func append(_ line: String) {
    text += isBlank ? line : "\n" + line
  }

  /// Whether Lua's compiler has no use for more lines: they compile, or are wrong however they go on.
  @MainActor
  func isComplete(in state: LuaState) -> Bool {
    do {
      _ = try compile(in: state)
      return true
    } catch {
      return !error.message.hasSuffix("near <eof>")
    }
  }

  /// Compiles the text as an expression, or else as statements.
  ///
  /// - Throws: the syntax error of the statements.
  @MainActor
  func compile(in state: LuaState) throws(LuaError) -> LuaFunction {
    do throws(LuaError) {
      return try state.load(("return " + text).systemBytes, name: Self.name)
    } catch {
      return try state.load(text.systemBytes, name: Self.name)
    }
  }
}
