/// The same work done by plain C and by our library.
@MainActor
struct Benchmark {
  /// Does the work a number of times.
  typealias Work = @MainActor (_ count: Int) async throws -> Void

  let name: String

  /// How many times the time of plain C ours may take, where the project has set a limit.
  let limit: Double?

  let plain: Work
  let ours: Work

  private static let statesPerSide = 5

  init(_ name: String, limit: Double? = nil, plain: @escaping Work, ours: @escaping Work) {
    self.name = name
    self.limit = limit
    self.plain = plain
    self.ours = ours
  }

  /// A benchmark whose work is a loop in Lua, the same on both sides.
  ///
  /// - Parameters:
  ///   - name: what it measures.
  ///   - limit: the greatest ratio that the project allows itself.
  ///   - setup: Lua code that runs once, before the loop.
  ///   - body: Lua code that runs once for each `i` from 1 to the count.
  /// - Returns: the benchmark. Several states of each side take turns, so that it doesn't depend on where one of them
  ///   happened to lie in memory.
  /// - Throws: when there is no memory for a state, or the Lua code is wrong.
  static func loop(
    _ name: String, limit: Double? = nil, setup: String = "", _ body: String
  ) throws -> Benchmark {
    let source = LuaLoop.source(setup: setup, body: body)
    let pairs = try (0..<statesPerSide).map { _ in
      (plain: try PlainInterpreter().load(source), ours: try LibraryInterpreter().load(source))
    }
    let plain = RoundRobin(pairs.map(\.plain))
    let ours = RoundRobin(pairs.map(\.ours))
    return Benchmark(
      name, limit: limit, plain: { plain.next()($0) }, ours: { try ours.next()($0) })
  }
}
