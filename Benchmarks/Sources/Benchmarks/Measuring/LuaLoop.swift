/// A loop in Lua, which is the same on both sides of a benchmark.
struct LuaLoop {
  /// What it is called.
  let name: String

  /// Runs once, before the loop.
  let setup: String

  /// Runs once for each `i` from 1 to the count.
  let body: String

  /// A chunk that takes a count and runs the body that many times.
  static func source(setup: String, body: String) -> String {
    "local count = ...; \(setup); for i = 1, count do \(body) end"
  }

  /// A chunk that takes a count, runs the body that many times and returns how many seconds of the
  /// processor that took.
  ///
  /// It runs the body as often before, so that a state that was just made has got its memory from
  /// the system by then, as one that is used again has. The count may be a string, as the arguments
  /// of a command are.
  var measuringSource: String {
    """
    local count = tonumber((...))
    local function work() \(setup); for i = 1, count do \(body) end end
    work()
    collectgarbage()
    local start = os.clock()
    work()
    return os.clock() - start
    """
  }
}
