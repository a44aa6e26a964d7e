internal import CPrimecount
import Foundation

/// The functions of libprimecount that the app uses, loaded when they are first needed.
///
/// The library isn't linked: with its OpenMP and C++ run-times it would add 2 ms to the start of a
/// process that may never ask for it. The functions' types are those of `primecount.h`.
struct PrimecountLibrary: Sendable {
  /// `primecount_nth_prime`: the nth prime, or -1 for a failure.
  let nthPrime: primecount_nth_prime_function

  /// `primecount_pi`: the number of primes up to a number, or -1 for a failure.
  let count: primecount_pi_function

  /// `primecount_set_num_threads`: how many threads a computation uses from now on.
  let setThreadCount: primecount_set_num_threads_function

  #if canImport(Darwin)
    private static let names = [
      "libprimecount.dylib",
      "/opt/homebrew/lib/libprimecount.dylib",
      "/usr/local/lib/libprimecount.dylib",
    ]
  #else
    private static let names = ["libprimecount.so.7", "libprimecount.so.8", "libprimecount.so"]
  #endif

  private static let library = Result { try PrimecountLibrary(names: names) }

  /// The library, which stays loaded once it was asked for.
  ///
  /// - Throws: `PrimeError.unavailable`.
  static func loaded() throws -> PrimecountLibrary {
    try library.get()
  }

  /// Loads the first library that is there.
  ///
  /// - Parameter names: File names the system's loader looks for, or paths.
  /// - Throws: `PrimeError.unavailable`.
  init(names: [String]) throws {
    var reasons: [String] = []
    for name in names {
      if let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) {
        nthPrime = unsafeBitCast(
          try Self.address(of: "primecount_nth_prime", in: library, name: name),
          to: primecount_nth_prime_function.self)
        count = unsafeBitCast(
          try Self.address(of: "primecount_pi", in: library, name: name),
          to: primecount_pi_function.self)
        setThreadCount = unsafeBitCast(
          try Self.address(of: "primecount_set_num_threads", in: library, name: name),
          to: primecount_set_num_threads_function.self)
        return
      }
      reasons.append(Self.loaderMessage)
    }
    throw PrimeError.unavailable(reason: reasons.joined(separator: "; "))
  }

  private static func address(
    of symbol: String, in library: UnsafeMutableRawPointer, name: String
  ) throws -> UnsafeMutableRawPointer {
    guard let address = dlsym(library, symbol) else {
      throw PrimeError.unavailable(reason: "\(name) has no \(symbol)")
    }
    return address
  }

  private static var loaderMessage: String {
    dlerror().map { String(cString: $0) } ?? "the loader gave no reason"
  }
}
