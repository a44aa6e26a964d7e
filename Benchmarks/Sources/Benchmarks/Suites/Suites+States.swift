internal import Lua
internal import Scripting

extension Suites {
  /// Making and closing states.
  static func states() throws -> [Benchmark] {
    let plain: Benchmark.Work = { count in for _ in 0..<count { _ = try PlainInterpreter() } }
    return [
      Benchmark("fresh state", reference: plain) { count in
        for _ in 0..<count { _ = try LibraryInterpreter() }
      },
      Benchmark("fresh state, the app's modules", reference: plain) { count in
        for _ in 0..<count {
          _ = try ScriptedApp(in: LuaState())
        }
      },
    ]
  }
}
