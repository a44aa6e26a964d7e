import Lua
import PrimereplDomain
import Scripting
import StateStore

extension ScriptModule {
  static let prime = ScriptModule(
    "prime", services: Services.self,
    help: "Primes: tests, neighbors, factors, the nth prime, counts."
  ) { module in
    module.function(
      "is", "n", help: "Whether a number is prime.", example: "prime.is(299210837) --> true"
    ) { (number: Int) in Primality.isPrime(number) }
    module.function(
      Services.nthPrime, "n", help: "The nth prime.",
      example: "prime.nth(1000000) --> 15485863")
    module.function(
      Services.countPrimes, "x", help: "The number of primes up to a number.",
      example: "prime.count(100) --> 25")
    module.function(
      "next", "n", help: "The least prime above a number.", example: "prime.next(7) --> 11"
    ) { (number: Int) in try PrimeNeighbors.next(after: number) }
    module.function(
      "previous", "n", help: "The greatest prime below a number.",
      example: "prime.previous(7) --> 5"
    ) { (number: Int) in try PrimeNeighbors.previous(before: number) }
    module.function(
      "factor", "n", help: "The prime factors of a number, ascending.",
      example: "prime.factor(60) --> {2, 2, 3, 5}"
    ) { (number: Int) in try Factorization.factors(of: number) }
  }
}
