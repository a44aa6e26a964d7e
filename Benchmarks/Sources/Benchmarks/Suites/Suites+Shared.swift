internal import Foundation
internal import PostgresJournal
internal import PrimereplDomain
internal import StateStore

extension Suites {
  private static let saves = 200
  private static let increments = 100_000

  /// What saving an action on a server costs, compared with the same row inserted by psql.
  static func sharedSaves() -> [Benchmark] {
    [
      Benchmark(
        "shared: 200 saves", limit: 3,
        measuredReference: { count in
          try await total(count) { try await insert(into: DatabaseServer.shared.value()) }
        },
        measuredOurs: { count in
          try await total(count) {
            let session = try DatabaseServer.shared.value().session("saves")
            return try ContinuousClock().measure {
              for _ in 0..<saves {
                try session.store.send(.increment(by: 1), to: Counter.self)
                try session.save()
              }
            }
          }
        })
    ]
  }

  /// Inserts rows like those of saved actions, each in a transaction of its own.
  ///
  /// - Returns: the time without psql's start, and without the first of all, for which the server reads its catalogs.
  private static func insert(into server: DatabaseServer) async throws -> Duration {
    let time = "SELECT extract(epoch FROM clock_timestamp());\n"
    func insertion(_ number: Int) -> String {
      """
      INSERT INTO bare (session, number, sequence, time, author, text, action, changes) VALUES (
        1, \(number), \(number), now(), 'user@host', 'counter.increment()',
        '{"action":{"increment":{"by":1}},"feature":"counter"}',
        '[{"state":"counter","from":{"count":0,"isModalOpen":false},\
      "to":{"count":1,"isModalOpen":false}}]');

      """
    }
    let times = try await server.run(
      """
      DROP TABLE IF EXISTS bare;
      CREATE TABLE bare (LIKE history INCLUDING ALL);
      \(insertion(0))\(time)\((1...saves).map(insertion).joined())\(time)
      """
    ).compactMap(Double.init)
    guard times.count == 2 else { throw BenchmarkError.wrongResult(benchmark: "psql") }
    return .seconds(times[1] - times[0])
  }

  /// What it costs a script that its session is on a server, compared with one in a file.
  static func sharedScripts() -> [Benchmark] {
    func benchmark(_ name: String, _ body: String) -> Benchmark {
      let script = "for i = 1, \(increments) do \(body) end"
      return Benchmark(
        "shared: 100,000 \(name)", limit: 2,
        measuredReference: { count in
          try await total(count) {
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            return try await run(script, on: folder.path(of: "session.sqlite"))
          }
        },
        measuredOurs: { count in
          try await total(count) {
            let server = try DatabaseServer.shared.value()
            try await server.run("DELETE FROM sessions WHERE name = 'script'; CHECKPOINT;")
            return try await run(script, on: server.address(session: "script"))
          }
        })
    }
    return [
      benchmark("increments", "counter.increment()"),
      benchmark("different increments", "counter.increment(i)"),
    ]
  }

  private static func run(_ script: String, on state: String) async throws -> Duration {
    let start = ContinuousClock.now
    _ = try await CommandInterpreter.program.run(["--state", state, "-e", script])
    return ContinuousClock.now - start
  }

  /// What sessions on a server may take to be opened, and actions to reach others.
  static func sharedTimeChecks(quick: Bool) -> [TimeCheck] {
    let rounds = quick ? 50 : 200
    return [
      TimeCheck("shared: open, 100,000 todos", limit: .seconds(1), of: \.least) {
        let server = try DatabaseServer.shared.value()
        _ = try await run(
          "for i = 1, \(TodoFile.count) do todo.add('something to do, ' .. i) end",
          on: server.address(session: "todos"))
        return try (0..<(quick ? 5 : 20)).map { _ in
          let start = ContinuousClock.now
          let session = try server.session("todos", usesTCP: true)
          let duration = ContinuousClock.now - start
          guard session.store.state(of: Todo.self).items.count == TodoFile.count else {
            throw BenchmarkError.wrongResult(benchmark: "a session of \(TodoFile.count) todos")
          }
          return duration
        }
      },
      TimeCheck("shared: an action reaches 1 other", limit: .milliseconds(100), of: \.worst) {
        try reachingTimes(rounds: rounds, followers: 1)
      },
      TimeCheck("shared: an action reaches 50 others", limit: .milliseconds(500), of: \.worst) {
        try reachingTimes(rounds: rounds / 5, followers: 50)
      },
    ]
  }

  /// The times from the save of an action until the subscribers of all processes that follow are called.
  private static func reachingTimes(rounds: Int, followers: Int) throws -> [Duration] {
    let server = try DatabaseServer.shared.value()
    let name = "followed-by-\(followers)"
    let session = try server.session(name)
    let followers = try (0..<followers).map { _ in
      try FollowingCommand(server.address(session: name))
    }
    for follower in followers { try follower.waitForLine() }
    func act(_ count: Int) throws -> Duration {
      try session.store.send(.increment(by: count), to: Counter.self)
      let start = ContinuousClock.now
      try session.save()
      for follower in followers { try follower.waitForLine() }
      return ContinuousClock.now - start
    }
    defer { _ = try? act(FollowingCommand.lastCount - session.store.state(of: Counter.self).count) }
    return try (0..<rounds).map { _ in
      // Not while they still do what follows the last one.
      usleep(.random(in: 20_000...80_000))
      return try act(1)
    }
  }

  /// How many actions a second one server takes.
  static func simulations() -> [SharedSimulation] {
    [
      SharedSimulation(connections: 8), SharedSimulation(connections: 32),
      SharedSimulation(connections: 64), SharedSimulation(connections: 32, .listening),
      SharedSimulation(connections: 32, .notifyBeforeCommit),
      SharedSimulation(connections: 32, .withoutNotify),
      SharedSimulation(connections: 32, .asynchronous),
      SharedSimulation(connections: 32, .withoutSync),
    ]
  }
}
