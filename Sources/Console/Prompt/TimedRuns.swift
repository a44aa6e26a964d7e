import Lua
import PrimereplFoundation
import PrimereplPlatform
import PrimereplTerminal
import StateStore

/// Code to run a number of times: the argument of `.time -n 1000 code`.
struct TimedRuns {
  let code: String
  let count: Int

  static let maximumCount = 1_000_000

  /// Nil if the argument has no number of runs.
  init?(_ argument: String) throws(CommandError) {
    let usage = ".time -n 1000 code"
    guard argument.prefixMatch(of: /-n(\s|$)/) != nil else { return nil }
    let words = argument.split(maxSplits: 2, whereSeparator: \.isWhitespace)
    guard words.count > 1 else { throw CommandError(description: "usage: \(usage)") }
    guard let count = Int(words[1]), (1...Self.maximumCount).contains(count) else {
      throw CommandError(
        description:
          ".time -n needs a number of runs from 1 to \(Self.maximumCount.grouped), not \(String(words[1]).printable)"
      )
    }
    guard words.count > 2 else { throw CommandError(description: "usage: \(usage)") }
    (code, self.count) = (String(words[2]), count)
  }

  /// The code as a function that a loop calls, for the transcript; its variables are apart from the loop's.
  func loop(isExpression: Bool) -> String {
    "(function(run) for i = 1, \(count) do run() end end)"
      + "(function(...) \(isExpression ? "return " : "")\(code)\nend)"
  }

  /// Calls a function some times, and another one before each call and after the last.
  private static let driver = """
    local code, count, mark = ...
    return function()
      for _ = 1, count do
        mark()
        code()
      end
      mark()
    end
    """

  /// A function that runs the code, and records the times in `clock`.
  func function(
    running code: LuaFunction, recording clock: RunClock, in state: LuaState
  ) throws(LuaError) -> LuaFunction {
    let mark = try state.function("mark") { clock.times.append(.now) }
    return try state.load(Self.driver, name: .text("timing"))
      .call(code, count, mark, as: LuaFunction.self)
  }
}

/// The times before each run, and after the last.
final class RunClock {
  fileprivate(set) var times: [ContinuousClock.Instant] = []

  init(runs: Int) { times.reserveCapacity(runs + 1) }

  /// The median and the extremes; nil if no run has ended.
  var text: String? {
    let durations = zip(times, times.dropFirst()).map { $1 - $0 }.sorted()
    guard let fastest = durations.first, let slowest = durations.last else { return nil }
    let median = durations[durations.count / 2]
    return "\(durations.count.counted("run")): median \(TimeText.duration(median)) "
      + "(\(TimeText.duration(fastest)) to \(TimeText.duration(slowest)))"
  }
}

extension Prompt {
  func run(_ request: TimedRuns) async throws {
    let input = nextInput(request.code)
    let clock = RunClock(runs: request.count)
    let loop = request.loop(isExpression: input.isExpression(in: state))
    var actions = 0
    var bytes = 0
    await run(loop, showing: request.code) {
      let function = try request.function(
        running: input.compile(in: state), recording: clock, in: state)
      let start = try state.memoryAllocated()
      defer { actions = monitor.actionCount }
      guard try await values(of: function) != nil else { return 0 }
      bytes = try state.memoryAllocated() - start
      return 0
    }
    guard let times = clock.text, clock.times.count == request.count + 1 else { return }
    func perRun(_ total: Int, _ noun: String) -> String {
      guard total % request.count != 0 else { return (total / request.count).counted(noun) }
      return (Double(total) / Double(request.count)).formatted("%.1f") + " \(noun)s"
    }
    screen.showNote("\(times); per run: \(perRun(actions, "action")), \(perRun(bytes, "byte"))")
  }
}
