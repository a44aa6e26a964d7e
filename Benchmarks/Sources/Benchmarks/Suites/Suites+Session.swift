internal import Foundation
internal import PrimereplDomain

extension Suites {
  private static let increments = 100_000

  /// What it costs a script that its session is kept in a file.
  static func sessions() -> [Benchmark] {
    [
      Benchmark(
        // Each is an entry with what it changed.
        "session: 100,000 increments", limit: 5,
        measuredReference: { count in
          try total(count) { try increment(in: CommandApp(stateFile: nil)) }
        },
        measuredOurs: { count in
          try total(count) {
            let folder = try TemporaryFolder()
            return try withExtendedLifetime(folder) {
              try increment(in: CommandApp(stateFile: folder.path(of: "session.sqlite")))
            }
          }
        })
    ]
  }

  /// A saved session of many things to do, compared with a file of JSON that has the same ones.
  static func openings() -> [Benchmark] {
    let todos = Lazily { try TodoFile() }
    let json = Lazily { try JSONEncoder().encode(todos.value().items()) }
    return [
      Benchmark(
        "session: open, 100,000 todos", limit: 3,
        measuredReference: { count in
          let json = try json.value()
          return try ContinuousClock().measure {
            for _ in 0..<count { _ = try JSONDecoder().decode([Todo.Item].self, from: json) }
          }
        },
        measuredOurs: { count in try total(count) { try todos.value().open() } })
    ]
  }

  /// What a large session that is kept in a file may take at the prompt.
  static func sessionTimeChecks(quick: Bool) -> [TimeCheck] {
    let todos = Lazily { try TodoFile() }
    func line(_ name: String, _ line: String) -> TimeCheck {
      TimeCheck("session: \(name)", limit: .milliseconds(30), of: \.worst) {
        // One in some 200 lines waits while SQLite moves its log into the file.
        try lineTimes(rounds: quick ? 500 : 2000, line, in: TodoFile(copying: todos.value()))
      }
    }
    return [
      line("add to 100,000 todos", "todo.add('something to do')"),
      line(
        "edit 1 of 100,000 todos", "todo.items[50000].done = not todo.items[50000].done"),
    ]
  }

  /// Runs a script of increments.
  private static func increment(in app: CommandApp) throws -> Duration {
    defer { app.close() }
    let duration = try app.runScript("for _ = 1, \(increments) do counter.increment() end")
    guard app.store.state(of: Counter.self).count == increments else {
      throw BenchmarkError.wrongResult(benchmark: "\(increments) increments")
    }
    return duration
  }

  private static func total(_ count: Int, _ measure: () throws -> Duration) rethrows -> Duration {
    var duration = Duration.zero
    for _ in 0..<count { duration += try measure() }
    return duration
  }

  /// The same line, run some times on a session that grows with it.
  private static func lineTimes(
    rounds: Int, _ line: String, in file: TodoFile
  ) throws -> [Duration] {
    try withExtendedLifetime(file) {
      let app = try CommandApp(stateFile: file.path)
      defer { app.close() }
      return try (0..<rounds).map { _ in try app.runLine(line) }
    }
  }
}
