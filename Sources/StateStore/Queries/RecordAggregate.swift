/// What a query knows of the records of a list, which it keeps up to date as records come and go.
///
/// Records are known by their ranks: numbers in the order of the list.
protocol RecordAggregate: Sendable {
  /// Adds a record, unless its share is none of this aggregate.
  mutating func add(_ share: RecordShare, id: Int, rank: Int)

  /// Removes a record, if it is part of this.
  mutating func remove(rank: Int)

  /// The result of a query of the kind for which this was made.
  func result(_ kind: QueryKind) throws(QueryError) -> QueryResult
}

extension QueryKind {
  func makeAggregate() -> any RecordAggregate {
    switch self {
    case .sum: RecordSum()
    case .count, .selection: RecordSelection()
    case .minimum, .maximum, .order: RecordOrder()
    case .groups(let members): RecordGroups(members)
    }
  }
}

/// What a record adds to an aggregate.
indirect enum RecordShare: Sendable {
  /// The record isn't part of it.
  case none
  case member
  case number(ExactNumber)
  /// The key of a value, and whether that is a float, also with the key of an integer.
  case key(SortKey, isFloat: Bool = false)
  case group(SortKey, [RecordShare])

  /// Makes the share of a record in a query.
  ///
  /// `value` gives the value of the function at an index: that of groups comes before those of their members.
  ///
  /// - Throws: ``QueryError`` for a value that a query of the kind can't use, or what the function throws.
  init(_ kind: QueryKind, ofRecord id: Int, _ value: (Int) throws -> StateValue) throws {
    func key(of value: StateValue) throws(QueryError) -> SortKey {
      guard let key = SortKey(value) else { throw QueryError.notAKey(value, ofRecord: id) }
      return key
    }
    switch kind {
    case .sum:
      switch try value(0) {
      case .integer(let integer): self = .number(.integer(integer))
      case .number(let number): self = .number(.number(number))
      case .none: self = .none
      case let other: throw QueryError.notANumber(other, ofRecord: id)
      }
    case .count, .selection:
      switch try value(0) {
      case .none, .boolean(false): self = .none
      default: self = .member
      }
    case .minimum, .maximum:
      let value = try value(0)
      let key = try key(of: value)
      let isFloat = if case .number = value { true } else { false }
      self = key == .none ? .none : .key(key, isFloat: isFloat)
    case .order: self = .key(try key(of: value(0)))
    case .groups(let members):
      let key = try key(of: value(0))
      guard key != .none else {
        self = .none
        return
      }
      var shares: [RecordShare] = []
      for (index, member) in members.enumerated() {
        shares.append(try RecordShare(member.kind, ofRecord: id) { try value($0 + index + 1) })
      }
      self = .group(key, shares)
    }
  }
}

struct RecordSum: RecordAggregate {
  private var total = ExactSum()
  private var numbers = SortedTree<Int, ExactNumber>()

  mutating func add(_ share: RecordShare, id: Int, rank: Int) {
    guard case .number(let number) = share else { return }
    numbers.set(number, for: rank)
    total.add(number)
  }

  mutating func remove(rank: Int) {
    if let number = numbers.remove(rank) { total.subtract(number) }
  }

  func result(_ kind: QueryKind) throws(QueryError) -> QueryResult { .value(try total.value) }
}

/// The records for which a function is true.
struct RecordSelection: RecordAggregate {
  /// The ids by the ranks.
  private var ids = SortedTree<Int, Int>()

  mutating func add(_ share: RecordShare, id: Int, rank: Int) {
    if case .member = share { ids.set(id, for: rank) }
  }

  mutating func remove(rank: Int) { ids.remove(rank) }

  func result(_ kind: QueryKind) throws(QueryError) -> QueryResult {
    if kind == .count { return .value(.integer(ids.count)) }
    return .records(ids.values)
  }
}

/// Records in the order of their keys; those with equal keys in the order of the list.
struct RecordOrder: RecordAggregate {
  private struct Place: Comparable, Sendable {
    let key: SortKey
    /// Whether the value is a float; it is no part of the order.
    var isFloat = false
    let rank: Int

    var value: StateValue {
      guard isFloat, case .integer(let integer) = key else { return key.stateValue }
      return .number(Double(integer))
    }

    static func == (left: Place, right: Place) -> Bool {
      left.key == right.key && left.rank == right.rank
    }

    static func < (left: Place, right: Place) -> Bool {
      left.key < right.key || (left.key == right.key && left.rank < right.rank)
    }
  }

  private var keys = SortedTree<Int, SortKey>()
  /// The ids of the records.
  private var order = SortedTree<Place, Int>()
  /// The number of records whose key is nil, which come first.
  private var noneCount = 0

  mutating func add(_ share: RecordShare, id: Int, rank: Int) {
    guard case .key(let key, let isFloat) = share else { return }
    keys.set(key, for: rank)
    order.set(id, for: Place(key: key, isFloat: isFloat, rank: rank))
    if key == .none { noneCount += 1 }
  }

  mutating func remove(rank: Int) {
    guard let key = keys.remove(rank) else { return }
    order.remove(Place(key: key, rank: rank))
    if key == .none { noneCount -= 1 }
  }

  func result(_ kind: QueryKind) throws(QueryError) -> QueryResult {
    if order.count > noneCount {
      let (first, last) = (order[position: noneCount], order[position: order.count - 1])
      guard first.key.key.isOfSameKind(as: last.key.key) else {
        throw .mixedKinds(first.key.key, last.key.key, ofRecord: last.value)
      }
    }
    guard kind != .order else { return .records(order.values) }
    guard order.count > 0 else { return .value(.none) }
    let position = kind == .maximum ? order.count - 1 : 0
    return .value(order[position: position].key.value)
  }
}

struct RecordGroups: RecordAggregate {
  private let members: [QueryKind.Member]
  private var keys = SortedTree<Int, SortKey>()
  private var groups = SortedTree<SortKey, RecordGroup>()

  init(_ members: [QueryKind.Member]) { self.members = members }

  mutating func add(_ share: RecordShare, id: Int, rank: Int) {
    guard case .group(let key, let shares) = share else { return }
    keys.set(key, for: rank)
    if !groups.contains(key) { groups.set(RecordGroup(members), for: key) }
    _ = groups.update(key) { $0.add(shares, id: id, rank: rank) }
  }

  mutating func remove(rank: Int) {
    guard let key = keys.remove(rank) else { return }
    let isEmpty = groups.update(key) { group in
      group.remove(rank: rank)
      return group.ids.count == 0
    }
    if isEmpty == true { groups.remove(key) }
  }

  func result(_ kind: QueryKind) throws(QueryError) -> QueryResult {
    if groups.count > 0 {
      let (first, last) = (groups[position: 0], groups[position: groups.count - 1])
      guard first.key.isOfSameKind(as: last.key) else {
        throw .mixedKinds(first.key, last.key, ofRecord: last.value.ids[position: 0].value)
      }
    }
    return .groups(QueryGroups(groups: groups, members: members))
  }
}

struct RecordGroup: Sendable {
  /// The ids by the ranks.
  fileprivate var ids = SortedTree<Int, Int>()
  private var aggregates: [any RecordAggregate]

  /// The ids in the order of the list.
  var elements: ListElements<Int> { ids.values }

  fileprivate init(_ members: [QueryKind.Member]) {
    aggregates = members.map { $0.kind.makeAggregate() }
  }

  fileprivate mutating func add(_ shares: [RecordShare], id: Int, rank: Int) {
    ids.set(id, for: rank)
    for (index, share) in shares.enumerated() { aggregates[index].add(share, id: id, rank: rank) }
  }

  fileprivate mutating func remove(rank: Int) {
    ids.remove(rank)
    for index in aggregates.indices { aggregates[index].remove(rank: rank) }
  }

  /// The aggregates by their names.
  func values(_ members: [QueryKind.Member]) throws(QueryError) -> StateValue {
    var values: [StateValue.Member] = []
    for (member, aggregate) in zip(members, aggregates) {
      if case .value(let value) = try aggregate.result(member.kind) {
        values.append(.init(name: member.name, value: value))
      }
    }
    return .record(values)
  }
}

extension SortedTree {
  /// The values in the order of their keys.
  fileprivate var values: ListElements<Value> {
    ListElements(count: count) { self[position: $0].value }
  }
}
