import ArgumentParser
import Domain
import StateStore

/// The child process in which long computations of primes run, since they can't be cancelled within one.
struct PrimeHelperCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: name, shouldDisplay: false)

  /// Not a name that a script is likely to have.
  static let name = "__prime-helper"

  @Argument private var computation: [String] = []

  func run() throws {
    print(try PrimeHelperTask(arguments: computation).run())
  }
}
