import Testing
import TestSupport

@testable import StateStore

@Suite("Queries over a list")
struct ListQueryTests {
  struct Entry: Record {
    let id: Int
    var amount: StateValue
    var group = 0

    var stateValue: StateValue { .record([.init(name: "amount", value: amount)]) }

    init(id: Int, _ amount: StateValue, group: Int = 0) {
      (self.id, self.amount, self.group) = (id, amount, group)
    }

    init(from decoder: any Decoder) throws { throw DocumentError(decoder.codingPath, "unused") }
    func encode(to encoder: any Encoder) throws {}
  }

  private typealias Entries = RecordList<Entry>

  private static let groups = QueryKind.groups([
    .init("sum", .sum), .init("count", .count), .init("min", .minimum), .init("max", .maximum),
  ])

  private static let kinds: [QueryKind] = [
    .sum, .count, .minimum, .maximum, .selection, .order, groups,
  ]

  /// The value of a function: what is counted and selected is odd.
  private static func value(of kind: QueryKind, _ entry: Entry, _ function: Int) -> StateValue {
    switch (kind, function) {
    case (.count, _), (.selection, _): .boolean(entry.amount.isOdd)
    case (.groups, 0): .integer(entry.group)
    case (.groups, 2): .boolean(entry.amount.isOdd)
    default: entry.amount
    }
  }

  private static func text(_ result: QueryResult) throws -> String {
    switch result {
    case .value(let value): "\(value)"
    case .records(let ids): "\(Array(ids))"
    case .groups(let groups): try groups.stateValue.json
    }
  }

  private func list(_ amounts: StateValue..., order: Entries.Order = .oldestFirst) throws -> Entries
  {
    var list = Entries(order: order)
    for (index, amount) in amounts.enumerated() {
      try list.append(Entry(id: index + 1, amount, group: index % 2))
    }
    return list
  }

  private func result(_ kind: QueryKind, of list: Entries) throws -> String {
    try Self.text(ListQuery(kind).result(of: list) { Self.value(of: kind, $0, $1) })
  }

  @Test("sums, counts, selects, sorts and groups its records")
  func results() throws {
    let list = try list(.integer(3), .integer(8), .number(0.5), .integer(1))
    #expect(try result(.sum, of: list) == "\(StateValue.number(12.5))")
    #expect(try result(.count, of: list) == "\(StateValue.integer(2))")
    #expect(try result(.minimum, of: list) == "\(StateValue.number(0.5))")
    #expect(try result(.maximum, of: list) == "\(StateValue.integer(8))")
    #expect(try result(.selection, of: list) == "[1, 4]")
    #expect(try result(.order, of: list) == "[3, 4, 1, 2]")
    #expect(
      try result(Self.groups, of: list)
        == #"{"0":{"sum":3.5,"count":1,"min":0.5,"max":3},"1":{"sum":9,"count":1,"min":1,"max":8}}"#
    )
  }

  @Test("keep the order of the list, whichever end comes first")
  func order() throws {
    let newest = try list(.integer(1), .integer(1), .integer(3), order: .newestFirst)
    #expect(try result(.selection, of: newest) == "[3, 2, 1]")
    #expect(try result(.order, of: newest) == "[2, 1, 3]")
  }

  @Test("leave nil out, but sort it first")
  func nothing() throws {
    let list = try list(.none, .integer(2), .none, .integer(1))
    #expect(try result(.sum, of: list) == "\(StateValue.integer(3))")
    #expect(try result(.minimum, of: list) == "\(StateValue.integer(1))")
    #expect(try result(.order, of: list) == "[1, 3, 4, 2]")
    #expect(try result(.maximum, of: Entries()) == "\(StateValue.none)")
  }

  @Test("name the record whose value they can't use")
  func refused() throws {
    let list = try list(.integer(1), .text("a"))
    #expect(throws: QueryError.notANumber(.text("a"), ofRecord: 2)) {
      try result(.sum, of: list)
    }
    #expect(throws: QueryError.mixedKinds(.integer(1), .text("a"), ofRecord: 2)) {
      try result(.order, of: list)
    }
    #expect(throws: QueryError.notAKey(.number(.nan), ofRecord: 1)) {
      try result(.minimum, of: self.list(.number(.nan)))
    }
  }

  @Test("compare numbers of both kinds exactly")
  func numbers() throws {
    let large = 1 << 53
    let list = try list(
      .number(Double(large)), .integer(large + 1), .number(-0.5), .integer(-1), .number(0x1p70))
    #expect(try result(.order, of: list) == "[4, 3, 1, 2, 5]")
  }

  @Test("give the lowest and the highest number as what it is, also if a float is whole")
  func wholeFloats() throws {
    let floats = try list(.number(0), .number(2))
    #expect(try result(.minimum, of: floats) == "\(StateValue.number(0))")
    #expect(try result(.maximum, of: floats) == "\(StateValue.number(2))")
    let both = try list(.integer(0), .number(1), .integer(2))
    #expect(try result(.minimum, of: both) == "\(StateValue.integer(0))")
    #expect(try result(.maximum, of: both) == "\(StateValue.integer(2))")
  }

  @Test("call their functions only for the records that differ")
  func followsChanges() throws {
    for kind in Self.kinds {
      var list = Entries()
      for id in 1...1_000 { try list.append(Entry(id: id, .integer(id), group: id % 7)) }
      let query = ListQuery<Entry>(kind)
      var called: Set<Int> = []
      func ask() throws -> String {
        called = []
        return try Self.text(
          query.result(of: list) { entry, function in
            called.insert(entry.id)
            return Self.value(of: kind, entry, function)
          })
      }
      _ = try ask()
      #expect(called.count == 1_000)
      _ = try ask()
      #expect(called.isEmpty)
      let before = list
      list.update(id: 500) { $0.amount = .integer(-1) }
      list.remove(id: 3)
      try list.append(Entry(id: 2_000, .integer(5)))
      #expect(try ask() == result(kind, of: list))
      #expect(called == [500, 2_000])
      list = before
      #expect(try ask() == result(kind, of: list))
      #expect(called == [3, 500])
    }
  }

  @Test("are as before if a function fails, and go on from there")
  func failure() throws {
    struct Failure: Error {}
    var list = try list(.integer(1), .integer(2))
    let query = ListQuery<Entry>(.sum)
    _ = try query.result(of: list) { entry, _ in entry.amount }
    list.update(id: 1) { $0.amount = .integer(10) }
    try list.append(Entry(id: 3, .integer(100)))
    #expect(throws: Failure.self) {
      try query.result(of: list) { entry, _ in
        if entry.id == 3 { throw Failure() }
        return entry.amount
      }
    }
    let result = try query.result(of: list) { entry, _ in entry.amount }
    #expect(try Self.text(result) == "\(StateValue.integer(112))")
  }

  @Test("give what asking all records gives, after any changes", arguments: 1...10)
  func property(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    var list = Entries(order: seed % 2 == 0 ? .oldestFirst : .newestFirst)
    var earlier = [list]
    var nextID = 1
    let queries = Self.kinds.map { ListQuery<Entry>($0) }
    func entry(_ id: Int) -> Entry {
      let number = Int.random(in: -9...9, using: &generator)
      let amount: StateValue =
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: .none
        case 1: .number(Double(number) / 10)
        default: .integer(number)
        }
      return Entry(id: id, amount, group: Int.random(in: 0..<3, using: &generator))
    }
    for _ in 1...60 {
      for _ in 0..<Int.random(in: 0..<30, using: &generator) {
        let position = list.isEmpty ? 0 : Int.random(in: 0..<list.count, using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...4:
          try list.append(entry(nextID))
          nextID += 1
        case 5:
          try list.insert(entry(nextID), at: position)
          nextID += 1
        case 6...7 where !list.isEmpty: list.remove(id: list[position].id)
        case 8 where !list.isEmpty: try list.move(id: list[position].id, to: 0)
        case 9...10 where !list.isEmpty:
          let new = entry(list[position].id)
          list.update(id: new.id) { $0 = new }
        case 11 where Int.random(in: 0..<10, using: &generator) == 0:
          try list.replaceAll(with: list.map { entry($0.id) }.reversed())
        default: break
        }
      }
      // An undo, or another store.
      if Int.random(in: 0..<5, using: &generator) == 0 {
        list = earlier[Int.random(in: earlier.indices, using: &generator)]
      }
      earlier.append(list)
      for query in queries {
        let followed = try query.result(of: list) { Self.value(of: query.kind, $0, $1) }
        #expect(try Self.text(followed) == result(query.kind, of: list))
      }
    }
  }
}

extension StateValue {
  fileprivate var isOdd: Bool {
    if case .integer(let integer) = self { integer % 2 != 0 } else { false }
  }
}
