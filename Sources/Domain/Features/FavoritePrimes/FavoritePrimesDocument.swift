extension FavoritePrimes {
  /// The state of a document's list of numbers.
  static func state(_ numbers: [Int]) throws(StateDocumentProblem) -> State {
    try StateDocumentProblem.check(numbers, at: "favorites") { number in
      guard Primality.isPrime(number) else { throw FavoritePrimesError.notPrime(number) }
    }
    var state = State()
    state.primes = try StateDocumentProblem.list(
      numbers.map(FavoritePrime.init), at: "favorites")
    return state
  }
}
