/// Takes numbers apart into primes.
public enum Factorization {
  /// Divisors that are tried first, as most numbers have some.
  private static let smallPrimes = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
  ]

  /// The prime factors of a number, the smallest first, each as often as it divides; none for 1.
  ///
  /// - Throws: `PrimeError.notFactorable` for 0 and negative numbers.
  /// - Complexity: About the fourth root of the number, in multiplications.
  public static func factors(of number: Int) throws -> [Int] {
    guard number >= 1 else { throw PrimeError.notFactorable(number) }
    var factors: [Int] = []
    var rest = number
    for prime in smallPrimes {
      while rest.isMultiple(of: prime) {
        factors.append(prime)
        rest /= prime
      }
    }
    var parts = rest == 1 ? [] : [rest]
    while let part = parts.popLast() {
      if Primality.isPrime(part) {
        factors.append(part)
      } else {
        let divisor = PollardRho.divisor(of: part)
        parts += [divisor, part / divisor]
      }
    }
    return factors.sorted()
  }
}
