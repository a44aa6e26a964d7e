internal import CLuaTrampolines

/// Which of Lua's standard libraries scripts find.
///
/// ```swift
/// try LuaState(libraries: [.base, .string, .table, .math])
/// try LuaState(libraries: .sandbox.subtracting(.os))
/// ```
public struct LuaLibraries: OptionSet, Sendable {
  /// The set's bits.
  public let rawValue: UInt32

  /// Makes a set of its bits; those without a meaning are ignored.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  private init(_ flag: Int) { self.init(rawValue: UInt32(flag)) }

  /// The global functions, such as `print`, `pcall` and `setmetatable`.
  public static let base = LuaLibraries(CLUA_BASE)
  /// `require` and `package`.
  public static let package = LuaLibraries(CLUA_PACKAGE)
  /// `coroutine`.
  public static let coroutine = LuaLibraries(CLUA_COROUTINE)
  /// `table`.
  public static let table = LuaLibraries(CLUA_TABLE)
  /// `io`, and with it files.
  public static let io = LuaLibraries(CLUA_IO)
  /// `os`.
  public static let os = LuaLibraries(CLUA_OS)
  /// `string`, and with it the methods of strings.
  public static let string = LuaLibraries(CLUA_STRING)
  /// `math`.
  public static let math = LuaLibraries(CLUA_MATH)
  /// `utf8`.
  public static let utf8 = LuaLibraries(CLUA_UTF8)
  /// `debug`, by which scripts can break functions of the host.
  public static let debug = LuaLibraries(CLUA_DEBUG)

  /// Leaves out of the chosen libraries what reaches outside the state; it is no library itself.
  ///
  /// Without `dofile`, `loadfile`, `string.dump` and `package.loadlib`; of `os` only `clock`, `date`, `difftime` and
  /// `time`. `load` takes source text only, and `require` finds only what the host provides
  /// (``LuaState/provide(_:as:)``). ``io`` and ``debug`` have no harmless part: chosen together with it, they are
  /// complete.
  public static let restricted = LuaLibraries(CLUA_RESTRICTED)

  /// All libraries, complete.
  public static let all: LuaLibraries = [
    .base, .package, .coroutine, .table, .io, .os, .string, .math, .utf8, .debug,
  ]

  /// Only what can't reach outside the state, for scripts that aren't trusted: all but ``io`` and ``debug``,
  /// ``restricted``.
  ///
  /// `print` and `warn` still write to the process's own output, unless ``LuaState/redirectOutput(to:)`` redirects
  /// them. Each state has its own library tables and string metatable.
  ///
  /// Memory, instructions and time are limited separately: ``LuaState/limitMemory(to:)``,
  /// ``LuaState/limitInstructions(to:)``, ``LuaState/limitTime(to:)``.
  public static let sandbox: LuaLibraries = [
    .base, .package, .coroutine, .table, .os, .string, .math, .utf8, .restricted,
  ]
}
