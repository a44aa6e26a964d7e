internal import CPrimecount
import PrimereplFoundation
import PrimereplPlatform

/// A question for libprimecount, limited to what the library can answer.
///
/// The library prints to standard error or crashes on anything else, so nothing else is asked.
enum PrimeComputation: Equatable, Sendable {
  case nth(Int)
  case count(upTo: Int)

  /// The ordinals of the primes below 2^63, as libprimecount documents them.
  static let ordinals = 1...216_289_611_853_439_384

  /// The last ordinal that is answered within about 0.1 s: 0.11 s with version 7.6 on two cores.
  private static let longestShortOrdinal = 1_000_000_000_000

  /// The last power of ten to which primes are counted within 0.1 s: 0.05 s with version 7.6 on two
  /// cores, and 0.19 s for the next.
  private static let longestShortCount = 10_000_000_000_000

  /// - Throws: `PrimeError.ordinalOutOfRange`.
  static func nth(checking n: Int) throws -> PrimeComputation {
    guard ordinals.contains(n) else { throw PrimeError.ordinalOutOfRange(n) }
    return .nth(n)
  }

  /// Whether the answer may take long enough to be worth cancelling.
  var isLong: Bool {
    switch self {
    case .nth(let n): n > Self.longestShortOrdinal
    case .count(let x): x > Self.longestShortCount
    }
  }

  /// Computes the answer, blocking the thread until then.
  ///
  /// - Throws: `PrimeError.unavailable` or `PrimeError.computationFailed`.
  func run() throws -> Int {
    let answer: Int64
    switch self {
    case .nth(let n): answer = try PrimecountLibrary.loaded().primecount_nth_prime(Int64(n))
    case .count(let x) where x < 2: answer = 0
    case .count(let x): answer = try PrimecountLibrary.loaded().primecount_pi(Int64(x))
    }
    guard answer >= 0 else {
      throw PrimeError.computationFailed("\(self)")
    }
    return Int(answer)
  }
}

extension PrimeComputation: CustomStringConvertible {
  /// The question in two words: `nth 17`.
  var description: String {
    switch self {
    case .nth(let n): "nth \(n)"
    case .count(let x): "count \(x)"
    }
  }
}

// MARK: - libprimecount

/// The functions of libprimecount that the app uses, loaded on first use; they return -1 for a failure.
///
/// The library isn't linked: with its OpenMP and C++ run-times it would add 2 ms to the start of a process that may
/// never use it.
typealias PrimecountLibrary = cprimecount_functions

extension PrimecountLibrary {
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

  /// The library, loaded by the first call; it stays loaded.
  ///
  /// - Throws: `PrimeError.unavailable`.
  static func loaded() throws -> PrimecountLibrary {
    try library.get()
  }

  /// Loads the first library that is found; the names are paths, or file names that the system's loader looks for.
  ///
  /// - Throws: `PrimeError.unavailable`.
  init(names: [String]) throws {
    do throws(DynamicLibrary.Problem) {
      self = try DynamicLibrary.functions(of: names, cprimecount_functions_in)
    } catch {
      throw PrimeError.unavailable(reason: error.reason)
    }
  }
}
