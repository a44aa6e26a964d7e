/// The favorite primes, in the order they were added.
public enum FavoritePrimes: Feature {
  /// What the favorites screen remembers.
  public struct State: Codable, Equatable, Sendable {
    /// The favorites, in the order they were added.
    public internal(set) var primes = RecordList<FavoritePrime>()

    /// Makes the state without favorites.
    public init() {}

    /// Whether a number is a favorite.
    ///
    /// - Complexity: O(log favorites).
    public func contains(_ number: Int) -> Bool {
      primes.contains(id: number)
    }

    /// The number of favorites.
    public var count: Int { primes.count }

    /// The favorite at a position from 0, which must be one of the list's.
    ///
    /// - Complexity: O(log favorites).
    public subscript(position: Int) -> Int { primes[position].rawValue }

    /// The favorites as numbers.
    ///
    /// - Complexity: O(favorites).
    public var list: [Int] { primes.map(\.rawValue) }
  }

  /// Everything that can happen to the favorites.
  public enum Action: Codable, Equatable, Sendable {
    /// A prime becomes the last favorite, unless it is one already.
    case add(number: Int)
    /// A number is no favorite any more.
    case remove(number: Int)
    /// A favorite is removed, or a prime that is none is added.
    case toggle(number: Int)
    /// The favorites at these positions, which start at 0, are removed.
    case removeAt(positions: [Int])
    /// All favorites are removed.
    case clear
  }

  /// Changes the favorites as the action says.
  ///
  /// - Throws: `FavoritePrimesError`; then the state is unchanged.
  public static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let number):
      try add(number, to: &state)
    case .remove(let number):
      state.primes.remove(id: number)
    case .toggle(let number):
      if state.primes.remove(id: number) == nil {
        try add(number, to: &state)
      }
    case .removeAt(let positions):
      if let position = positions.first(where: { !state.primes.indices.contains($0) }) {
        throw FavoritePrimesError.positionOutOfRange(
          position: position, count: state.primes.count)
      }
      state.primes.remove(atPositions: positions)
    case .clear:
      state.primes.removeAll()
    }
  }

  private static func add(_ number: Int, to state: inout State) throws {
    guard Primality.isPrime(number) else { throw FavoritePrimesError.notPrime(number) }
    guard !state.contains(number) else { return }
    try state.primes.append(FavoritePrime(rawValue: number))
  }

  /// The list of favorites itself.
  public static var fields: [Field<State>] {
    [.list("", \.primes) { .integer($0.rawValue) }]
  }

  /// Whether the list of favorites has noted edits.
  public static func hasEdits(in state: State) -> Bool { state.primes.hasEdits }

  /// Forgets what the list of favorites noted of its edits.
  public static func discardEdits(in state: inout State) {
    state.primes.discardEdits()
  }
}
