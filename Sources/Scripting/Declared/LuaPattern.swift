import Lua
import StateStore
import Synchronization

/// A pattern of Lua's string library that a text has to match as a whole.
struct LuaPattern: TextPattern {
  let text: String

  private struct Matcher {
    let state: LuaState
    let function: LuaFunction

    init() throws(LuaError) {
      state = try LuaState(libraries: [.base, .string, .table])
      function = try CompiledChunk(
        PackageResources.pattern_lua, name: .text("pattern"), .optional
      ).function(in: state).call(as: LuaFunction.self)
    }
  }

  /// A Lua state of its own, as the types of values are checked wherever a store is.
  private static let matcher = Mutex<Matcher?>(nil)

  init(_ text: String) throws(LuaError) {
    self.text = text
    _ = try Self.isMatch(text, of: nil)
  }

  /// Whether it matches the whole of a text; false for one that is too complex to be matched.
  func matches(_ text: String) -> Bool {
    do {
      return try Self.isMatch(self.text, of: text)
    } catch {
      return false
    }
  }

  private static func isMatch(_ pattern: String, of text: String?) throws(LuaError) -> Bool {
    try matcher.withLock { known throws(LuaError) in
      if known == nil { known = try Matcher() }
      return try known?.function.call(pattern, text, as: Bool.self) ?? false
    }
  }
}
