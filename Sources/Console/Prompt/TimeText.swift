import Lua
import PrimereplFoundation

enum TimeText {
  /// "850 ns", "12.3 µs", "4.56 ms", "1.23 s".
  static func duration(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return switch seconds {
    case ..<0.000_001: (seconds * 1e9).formatted("%.0f ns")
    case ..<0.001: (seconds * 1e6).formatted("%.1f µs")
    case ..<1: (seconds * 1e3).formatted("%.2f ms")
    default: seconds.formatted("%.2f s")
    }
  }
}

enum TaskText {
  /// Such as "2.3 s" or "4 min 10 s".
  static func elapsed(since start: ContinuousClock.Instant) -> String {
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    guard seconds >= 60 else { return seconds.formatted("%.1f s") }
    let whole = Int(seconds)
    guard whole >= 3600 else { return "\(whole / 60) min \(whole % 60) s" }
    return "\(whole / 3600) h \(whole / 60 % 60) min"
  }

  /// The function that a task waits for: "todo.fetch", "task.all, 2 of 3 done"; nil while it doesn't wait.
  static func awaited(by task: LuaTask) -> String? {
    guard let function = task.waitingFunction else { return nil }
    guard let progress = task.progress else { return function }
    return "\(function), \(progress.ended) of \(progress.count) done"
  }
}
