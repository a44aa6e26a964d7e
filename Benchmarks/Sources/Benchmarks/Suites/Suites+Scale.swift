internal import PrimereplDomain

extension Suites {
  /// How much longer actions of the app take on a million records than on a thousand.
  ///
  /// The actions are done on the same thousand records from all over the lists. On records that were never used before,
  /// what is measured is how long it takes to get at memory that is in no cache.
  static func scale() throws -> [Benchmark] {
    let few = Lazily { try LargeState(count: 1000) }
    let many = Lazily { try LargeState(count: 1_000_000) }
    func benchmark(
      _ name: String, _ path: String, batchSize: Int = LargeState.batchSize,
      setup: String = "", _ body: String
    ) -> Benchmark {
      func measure(_ count: Int, on large: LargeState) throws -> Duration {
        try batches(count, of: batchSize, on: large, watching: path, setup: setup, body)
      }
      return Benchmark(
        name, limit: 2, measuredReference: { try measure($0, on: few.value()) },
        measuredOurs: { try measure($0, on: many.value()) })
    }
    return [
      benchmark("counter.increment()", "counter.count", "counter.increment()"),
      benchmark("favorites.add(n)", "favorites", "favorites.add(fresh[i])"),
      // Changes nothing, so one batch is enough; the first question of all, which isn't measured, makes a hash table.
      benchmark(
        "favorites.contains(n)", "favorites", batchSize: .max, setup: "favorites.contains(2)",
        "favorites.contains(favorite[i % 1000 + 1])"),
      benchmark("todo.add(text)", "todo.items", "todo.add('something to do')"),
      benchmark("todo.complete(id)", "todo.items", "todo.complete(position[i])"),
      benchmark("persons[i].age = x", "persons", "persons[position[i]].age = i % 150"),
    ]
  }

  /// Does an action a number of times, on states that have their size again after each batch.
  private static func batches(
    _ count: Int, of batchSize: Int, on large: LargeState, watching path: String, setup: String,
    _ body: String
  ) throws -> Duration {
    var duration = Duration.zero
    var rest = count
    while rest > 0 {
      let batch = try AppBatch(on: large, watching: path, setup: setup, body: body)
      duration += try batch.run(min(batchSize, rest))
      batch.close()
      rest -= min(batchSize, rest)
    }
    return duration
  }
}
