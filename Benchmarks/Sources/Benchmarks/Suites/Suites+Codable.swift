internal import Foundation
internal import Lua

extension Suites {
  private static let count = 10_000

  /// Tables of records, written and read.
  static func codable() throws -> [Benchmark] {
    let plain = try PlainInterpreter()
    let plainPersons = try PlainPersons(samples: count)
    return [
      Benchmark(
        "encode \(count) records",
        reference: { for _ in 0..<$0 { plainPersons.withTable(in: plain) { _ in } } },
        ours: try encoding()),
      Benchmark(
        "decode \(count) records",
        reference: { rounds in
          try plainPersons.withTable(in: plain) { table in
            for _ in 0..<rounds { try check(PlainPersons(from: table, in: plain).count) }
          }
        },
        ours: try decoding()),
    ]
  }

  /// The same by Foundation's coders.
  static func json() throws -> [Benchmark] {
    let persons = Person.samples(count)
    let text = try JSONEncoder().encode(persons)
    return [
      Benchmark(
        "JSON: encode \(count) records",
        reference: { for _ in 0..<$0 { _ = try JSONEncoder().encode(persons) } },
        ours: try encoding()),
      Benchmark(
        "JSON: decode \(count) records",
        reference: { rounds in
          for _ in 0..<rounds {
            try check(try JSONDecoder().decode([Person].self, from: text).count)
          }
        },
        ours: try decoding()),
    ]
  }

  private static func encoding() throws -> Benchmark.Work {
    let state = try LuaState()
    let persons = Person.samples(count)
    return { for _ in 0..<$0 { _ = try LuaEncoder().encode(persons, in: state) } }
  }

  private static func decoding() throws -> Benchmark.Work {
    let state = try LuaState()
    let persons = Person.samples(count)
    let table = try LuaEncoder().encode(persons, in: state)
    guard try LuaDecoder().decode([Person].self, from: table, in: state) == persons else {
      throw BenchmarkError.wrongResult(benchmark: "decode \(count) records")
    }
    return { rounds in
      for _ in 0..<rounds {
        try check(try LuaDecoder().decode([Person].self, from: table, in: state).count)
      }
    }
  }

  private static func check(_ count: Int) throws {
    guard count == Self.count else {
      throw BenchmarkError.wrongResult(benchmark: "decode \(Self.count) records")
    }
  }
}
