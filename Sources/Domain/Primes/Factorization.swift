package enum Factorization {
  /// Divisors to try first, since most numbers have one of them.
  private static let smallPrimes = [
    2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97,
  ]

  /// The prime factors of a number in ascending order, each as often as it divides; none for 1.
  ///
  /// - Throws: `PrimeError.notFactorable` for 0 and negative numbers.
  /// - Complexity: About the fourth root of the number, in multiplications.
  package static func factors(of number: Int) throws -> [Int] {
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

/// Finds a divisor of a composite number by Pollard's rho method, in Brent's form.
///
/// The sequence x -> x^2 + c runs into a cycle modulo a prime divisor p after about sqrt(p) steps; a difference of
/// two of its numbers then has the divisor p in common with the number (R. P. Brent, "An improved Monte Carlo
/// factorization algorithm", BIT 20, 1980).
enum PollardRho {
  /// The number of differences to multiply before computing their common divisor, which costs as much as some fifty
  /// multiplications.
  private static let batch = 128

  /// A divisor other than 1 and the number, of an odd composite number.
  static func divisor(of number: Int) -> Int {
    let field = Montgomery(modulus: UInt64(number))
    // If a sequence hits all divisors at once, try another one.
    var constant: UInt64 = 1
    while true {
      if let divisor = divisor(field: field, constant: constant) { return Int(divisor) }
      constant += 1
    }
  }

  private static func divisor(field: Montgomery, constant: UInt64) -> UInt64? {
    let number = field.modulus
    // The number is below 2^63, so the sum doesn't overflow.
    func step(_ x: UInt64) -> UInt64 {
      let sum = field.multiply(x, x) + constant
      return sum >= number ? sum - number : sum
    }
    func distance(_ x: UInt64, _ y: UInt64) -> UInt64 {
      x > y ? x - y : y - x
    }

    var current = field.represent(2)
    var anchor = current
    var batchStart = current
    var divisor: UInt64 = 1
    var length = 1
    while divisor == 1 {
      anchor = current
      for _ in 0..<length { current = step(current) }
      var done = 0
      while done < length, divisor == 1 {
        batchStart = current
        var product = field.one
        for _ in 0..<min(batch, length - done) {
          current = step(current)
          product = field.multiply(product, distance(anchor, current))
        }
        divisor = greatestCommonDivisor(product, number)
        done += batch
      }
      length *= 2
    }
    guard divisor == number else { return divisor }

    // The batch met all prime divisors; step by step, they may come one after the other.
    repeat {
      batchStart = step(batchStart)
      divisor = greatestCommonDivisor(distance(anchor, batchStart), number)
    } while divisor == 1
    return divisor == number ? nil : divisor
  }

  /// By Euclid's method; that of 0 and a number is the number.
  private static func greatestCommonDivisor(_ left: UInt64, _ right: UInt64) -> UInt64 {
    var (left, right) = (left, right)
    while right != 0 {
      (left, right) = (right, left % right)
    }
    return left
  }
}
