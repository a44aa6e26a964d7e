/// The chunk that a benchmark in Lua runs on either side.
enum LuaLoop {
  /// A chunk that takes a count and runs the body that many times.
  static func source(setup: String, body: String) -> String {
    "local count = ...; \(setup); for i = 1, count do \(body) end"
  }
}
