/// What scripts find of Lua's standard libraries.
public enum LuaLibraries: Sendable {
  /// All of it.
  case all

  /// Only what can't reach outside the state, for scripts that aren't trusted; but `print` and `warn` write to the
  /// process's own output.
  ///
  /// Without `io`, `debug`, `dofile`, `loadfile`, `string.dump` and `package.loadlib`; of `os` only `clock`, `date`,
  /// `difftime` and `time`. `load` takes source text only, and `require` finds only what the host provides
  /// (``LuaState/provide(_:as:)``). Each state has its own library tables and string metatable.
  ///
  /// Memory, instructions and time are limited separately: ``LuaState/limitMemory(to:)``,
  /// ``LuaState/limitInstructions(to:)``, ``LuaState/limitTime(to:)``.
  case sandbox
}
