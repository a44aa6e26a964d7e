/// Why a benchmark can't be run.
enum BenchmarkError: Error, CustomStringConvertible {
  case outOfMemory
  case wrongResult(benchmark: String)
  case unknownBenchmark(String)
  case unreadableMemory(String)

  var description: String {
    switch self {
    case .outOfMemory: "not enough memory for a Lua state"
    case .wrongResult(let benchmark): "\(benchmark): plain C and ours don't give the same result"
    case .unknownBenchmark(let filter):
      "no benchmark's name contains '\(filter)'; --list shows them all"
    case .unreadableMemory(let text): "/proc/self/statm says '\(text)', not a number of pages"
    }
  }
}
