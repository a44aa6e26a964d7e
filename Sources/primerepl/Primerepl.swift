import Bridge
import Console
import Domain
import Lua
import Scripting
import StateStore

/// Where the process begins.
@main
enum Primerepl {
  static func main() {
    var console = Console(
      "primerepl", schema: App.schema, modules: { App.scriptModules }, services: services)
    console.program = App.program
    console.environment = [
      ("WOLFRAM_APP_ID", "your Wolfram|Alpha app id"),
      ("PRIMEREPL_WOLFRAM_URL", "another address of the Wolfram|Alpha API"),
    ]
    console.subcommands = [PrimeHelperCommand.self]
    console.run()
  }

  @Sendable
  private static func services(_ options: ServiceOptions) -> any ScriptServices {
    let refusesNetwork = options.isSandboxed && !options.allowsNetwork
    return Services(
      primes: LocalPrimes(helper: PrimeHelperCommand.helper(memoryLimit: options.memoryLimit)),
      wolfram: refusesNetwork ? .refusing : WolframClient(environment: options.environment),
      sources: !options.isSandboxed
        ? SourceLoader() : options.allowsNetwork ? .refusingFiles : .refusing,
      exports: options.isSandboxed ? .refusing : ExportFiles(),
      clock: TimerClock(),
      identifiers: options.identifiers)
  }
}
