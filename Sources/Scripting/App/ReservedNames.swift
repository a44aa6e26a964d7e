/// The names that no feature's module can have, because scripts or scenarios have something else of that name.
enum ReservedNames {
  /// The modules and functions of every app.
  ///
  /// They are written here once more: reading them from the signatures takes a thirtieth of a start. Arrays of literals
  /// are part of the program, while a start would build sets.
  private static let ofApps = [
    "store", "task", "clock", "date", "json", "csv", "http", "app", "help", "inspect", "show",
    "template", "arg",
  ]

  /// The global names of Lua that a feature's name could be; some are missing in a sandbox.
  private static let ofLua = [
    "assert", "collectgarbage", "coroutine", "debug", "dofile", "error", "getmetatable", "io",
    "ipairs", "load", "loadfile", "math", "next", "os", "package", "pairs", "pcall", "print",
    "rawequal", "rawget", "rawlen", "rawset", "require", "select", "setmetatable", "string",
    "table", "tonumber", "tostring", "type", "utf8", "warn", "xpcall",
  ]

  static let ofScenarios = [
    "after", "before", "calls", "each", "expect", "group", "invariant", "property", "scenario",
    "spy", "stub", "tmp",
  ]

  /// The owner of a name, such as "a word of scenarios"; nil for a name that a feature can have.
  static func owner(of name: String) -> String? {
    if ofApps.contains(name) { return "a name that every app has" }
    if ofLua.contains(name) { return "a name of Lua" }
    return ofScenarios.contains(name) ? "a word of scenarios" : nil
  }
}
