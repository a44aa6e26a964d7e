internal import PrimereplBridge
internal import PrimereplDomain
internal import StateStore

/// A state with many records in each of its lists, and what actions on them need.
struct LargeState {
  let states: States

  /// The number of favorites, of things to do, and of persons.
  let count: Int

  /// The favorites, in ascending order.
  private let primes: [Int]

  /// - Throws: What a reducer throws, which it wouldn't for these actions.
  init(count: Int) throws {
    let store = Store(App.schema, historyLimit: 0)
    var primes: [Int] = []
    while primes.count < count + Self.batchSize {
      primes.append(try PrimeNeighbors.next(after: primes.last ?? 1))
    }
    for prime in primes.prefix(count) {
      try store.send(.add(number: prime), to: FavoritePrimes.self)
    }
    // Each new item comes before the others.
    for id in (1...count).reversed() {
      try store.send(.add(id: id, text: "item \(id)"), to: Todo.self)
    }
    for id in 1...count {
      let person = Persons.Person(id: id, name: "person \(id)", age: id % 100)
      try store.send(.add(person), to: Persons.self)
    }
    states = store.states
    self.count = count
    self.primes = primes
  }

  /// How many actions are done on the state before it is taken afresh, so that it keeps its size.
  static let batchSize = 1000

  /// Primes that aren't favorites, one for each action of a batch.
  var freshPrimes: [Int] { Array(primes.suffix(Self.batchSize)) }

  /// Favorites from all over the list.
  var someFavorites: [Int] { somePositions.map { primes[$0 - 1] } }

  /// A thousand positions from all over a list, from 1, in no order; ids of records, too.
  ///
  /// They are the same each time: as many different records are used of a large list as of a small one.
  var somePositions: [Int] {
    // 617 and 1000 have no common divisor.
    (0..<Self.batchSize).map { $0 * 617 % Self.batchSize * (count / Self.batchSize) + 1 }
  }
}
