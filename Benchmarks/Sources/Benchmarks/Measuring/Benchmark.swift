/// The same work done by a reference, such as plain C, and by our library.
@MainActor
struct Benchmark {
  /// Does the work a number of times.
  typealias Work = @MainActor (_ count: Int) async throws -> Void

  /// Does the work a number of times, and gives how long that took.
  typealias Measurement = @MainActor (_ count: Int) async throws -> Duration

  let name: String

  /// How many times the time of the reference ours may take, where the project has set a limit.
  let limit: Double?

  let reference: Measurement
  let ours: Measurement

  private static let statesPerSide = 8

  /// A benchmark of work that measures itself.
  init(
    _ name: String, limit: Double? = nil, measuredReference: @escaping Measurement,
    measuredOurs: @escaping Measurement
  ) {
    self.name = name
    self.limit = limit
    reference = measuredReference
    ours = measuredOurs
  }

  /// A benchmark of work that is measured by the wall clock.
  init(
    _ name: String, limit: Double? = nil, reference: @escaping Work, ours: @escaping Work
  ) {
    self.init(
      name, limit: limit, measuredReference: Self.measured(reference),
      measuredOurs: Self.measured(ours))
  }

  /// A benchmark whose work is a loop in Lua, in a plain state and in ours.
  ///
  /// - Parameters:
  ///   - name: what it measures.
  ///   - limit: the greatest ratio that the project allows itself.
  ///   - setup: Lua code that runs once, before the loop.
  ///   - body: Lua code that runs once for each `i` from 1 to the count.
  /// - Returns: the benchmark. Several states of each side take turns, so that it doesn't depend on
  ///   where one of them happened to lie in memory.
  /// - Throws: when there is no memory for a state, or the Lua code is wrong.
  static func loop(
    _ name: String, limit: Double? = nil, setup: String = "", _ body: String
  ) throws -> Benchmark {
    let source = LuaLoop.source(setup: setup, body: body)
    let plain = try inTurn { try PlainInterpreter().load(source) }
    let ours = try inTurn { try LibraryInterpreter().load(source) }
    return Benchmark(name, limit: limit, reference: plain, ours: ours)
  }

  /// Work that several states do in turn.
  static func inTurn<Result>(
    _ makeWork: () throws -> (Int) async throws -> Result
  ) throws -> @MainActor (Int) async throws -> Result {
    let works = RoundRobin(try (0..<statesPerSide).map { _ in try makeWork() })
    return { try await works.next()($0) }
  }

  private static func measured(_ work: @escaping Work) -> Measurement {
    { count in
      let start = ContinuousClock.now
      try await work(count)
      return ContinuousClock.now - start
    }
  }
}
