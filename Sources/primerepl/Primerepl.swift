import ArgumentParser
import Console
import PostgresJournal
import PrimereplBridge
import PrimereplDomain
import PrimereplFoundation

@main
enum Primerepl {
  static func main() {
    var console = Console(
      "primerepl", features: App.features, derived: App.derived, modules: App.modules,
      services: services)
    console.version = "0.4.0"
    console.program = App.program
    console.servers = [PostgresServer.self]
    console.environment = [
      ("WOLFRAM_APP_ID", "your Wolfram|Alpha app id"),
      ("PRIMEREPL_WOLFRAM_URL", "another address of the Wolfram|Alpha API"),
    ]
    console.subcommands = [PrimeHelperCommand.self]
    console.run()
  }

  @Sendable
  private static func services(_ options: ServiceOptions) -> any Sendable {
    Services(
      primes: LocalPrimes(helper: PrimeHelperCommand.helper(memoryLimit: options.memoryLimit)),
      wolfram: WolframClient(
        environment: options.environment, network: options.documents.network,
        memory: options.documents.memory),
      documents: options.documents)
  }
}

/// The child process that computes large primes, since only a separate process can be cancelled.
struct PrimeHelperCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: name, shouldDisplay: false)

  /// A name that no script is likely to have.
  static let name = "__prime-helper"

  @Argument private var computation: [String] = []

  func run() throws {
    print(try PrimeHelperTask(arguments: computation).run())
  }

  /// This program, to be run as the child process.
  static func helper(memoryLimit: Int?) -> PrimeHelper {
    PrimeHelper(
      executable: CurrentProcess.executable, arguments: [name], memoryLimit: memoryLimit)
  }
}
