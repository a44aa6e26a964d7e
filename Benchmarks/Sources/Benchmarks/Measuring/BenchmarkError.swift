/// Why a benchmark can't be run.
enum BenchmarkError: Error, CustomStringConvertible {
  case outOfMemory
  case wrongResult(benchmark: String)
  case unknownBenchmark(String)
  case unreadableMemory(String)
  case notStopped(benchmark: String)
  case commandFailed(String)

  /// Not a failure: what it needs isn't there.
  case skipped(reason: String)

  var description: String {
    switch self {
    case .outOfMemory: "not enough memory for a Lua state"
    case .wrongResult(let benchmark): "\(benchmark): the result is wrong"
    case .unknownBenchmark(let filter):
      "no benchmark's name contains '\(filter)'; --list shows them all"
    case .unreadableMemory(let text): "/proc/self/statm says '\(text)', not a number of pages"
    case .notStopped(let benchmark): "\(benchmark): the code ended without being stopped"
    case .commandFailed(let text): "the command failed: \(text)"
    case .skipped(let reason): "skipped: \(reason)"
    }
  }
}
