import ArgumentParser
import Domain
import Foundation

/// The child process in which long computations of primes run, since they can't be cancelled within one.
struct PrimeHelperCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: name, shouldDisplay: false)

  /// Not a name that a script is likely to have.
  static let name = "__prime-helper"

  @Argument private var computation: [String] = []

  func run() throws {
    print(try PrimeHelperTask(arguments: computation).run())
  }

  /// This program itself, as the process that computes large primes.
  static func helper(memoryLimit: Int?) -> PrimeHelper? {
    executable.map {
      PrimeHelper(executable: $0, arguments: [name], memoryLimit: memoryLimit)
    }
  }

  private static var executable: String? {
    #if os(Linux)
      // Bundle.main would add a tenth to the time it takes to start.
      "/proc/self/exe"
    #else
      Bundle.main.executablePath
    #endif
  }
}
