public import StateStore

/// The favorite primes, in the order they were added.
public enum FavoritePrimes: Feature {
  /// "favorites".
  public static let name = "favorites"

  /// No favorites.
  public static var initial: State { State() }

  /// The state of the favorites.
  public struct State: Codable, Equatable, Sendable {
    var primes = RecordList<FavoritePrime>()

    /// Whether a number is a favorite.
    ///
    /// - Complexity: O(log favorites).
    public func contains(_ number: Int) -> Bool { primes.contains(id: number) }

    /// The number of favorites.
    public var count: Int { primes.count }

    /// The favorites as numbers.
    ///
    /// - Complexity: O(favorites).
    public var list: [Int] { primes.map(\.rawValue) }
  }

  /// Everything that can happen to the favorites.
  public enum Action: Codable, Equatable, Sendable {
    /// A prime becomes the last favorite, unless it is one already.
    case add(number: Int)
    /// A number is removed from the favorites.
    case remove(number: Int)
    /// A favorite is removed; any other prime is added.
    case toggle(number: Int)
    /// The favorites at these positions, which start at 0, are removed.
    case removeAt(positions: [Int])
    /// All favorites are removed.
    case clear
  }

  /// Applies an action to the favorites.
  ///
  /// - Throws: `FavoritePrimesError`; the state is then unchanged.
  public static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .add(let number):
      try add(number, to: &state)
    case .remove(let number):
      state.primes.remove(id: number)
    case .toggle(let number):
      if state.primes.remove(id: number) == nil { try add(number, to: &state) }
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
  public static let fields: [Field<FavoritePrimes>] = [
    .list("", \.primes).showing("number")
  ]
}

/// A favorite prime; the number is its own id.
public struct FavoritePrime: RawRepresentable, Record {
  /// The prime.
  public let rawValue: Int

  /// Makes a favorite of a number that is known to be prime.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// An integer.
  public static let valueType = ValueType.integer

  /// The prime.
  public var id: Int { rawValue }

  /// The prime.
  public var stateValue: StateValue { .integer(rawValue) }

  /// Checks that the number is prime.
  public func validate() throws {
    guard Primality.isPrime(rawValue) else { throw FavoritePrimesError.notPrime(rawValue) }
  }
}

extension FavoritePrimes {
  /// The codes of its errors.
  public enum ErrorCode: String, FeatureErrorCode {
    case notPrime, positionOutOfRange
  }
}

/// Why something can't be done with the favorite primes.
public typealias FavoritePrimesError = FeatureError<FavoritePrimes>

extension FavoritePrimesError {
  static func notPrime(_ number: Int) -> Self { Self(.notPrime, "\(number) is not prime") }

  static func positionOutOfRange(position: Int, count: Int) -> Self {
    // Messages count from 1, as far as an integer can hold the result.
    let ordinal = (min(position, Int.max - 1) + 1).ordinal
    return Self(
      .positionOutOfRange,
      "There is no \(ordinal) favorite prime, as there are \(count): none was removed.")
  }
}
