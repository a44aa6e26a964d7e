import ArgumentParser
import Domain
import StateStore
import Foundation
import Lua

/// Where the process begins.
@main
enum EntryPoint {
  static func main() {
    Task { @MainActor in await Primerepl.execute(Array(CurrentProcess.arguments.dropFirst())) }
    MainLoop.run()
  }
}

/// The command `primerepl`.
struct Primerepl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "primerepl",
    abstract: "Drive the app's state from Lua: at a prompt, or by scripts.",
    usage: usage,
    discussion: """
      Without code or a script it opens the prompt, or, when standard input isn't a terminal, runs \
      that as a script. Modules named by -l are loaded first, then the code of each -e is run, then \
      the script. Scripts get their arguments in `arg` and `...`, as with the lua command.

      The prompt goes on with its last session. Code, scripts, and the prompt after them begin anew, \
      unless a file is named that keeps the session.

      Options before the script:
        -e <code>    run Lua code
        -l <module>  load a module into a global variable of its name
        -i           open the prompt after the code and the script
        --state <file>  keep the session in this file, and go on with it; ~ is $HOME
        --ephemeral     keep the session in memory only, also at the prompt
        --sandbox    run without io, debug and what else reaches outside: files, the network
        --allow-network  in the sandbox, allow requests over the network
        --max-memory <size>    limit the memory of Lua code: 500K, 64M, 1G
        --max-time <seconds>   limit the time of each -e, script or line

      Environment:
        WOLFRAM_APP_ID         your Wolfram|Alpha app id
        PRIMEREPL_WOLFRAM_URL  another address of the Wolfram|Alpha API
        PRIMEREPL_STATE        the file that keeps the session, as --state
        PRIMEREPL_HISTORY      the file that remembers the prompt's lines; empty for none
      """,
    version: "primerepl \(version) (\(LuaState.release))",
    subcommands: [RunCommand.self, PrimeHelperCommand.self],
    defaultSubcommand: RunCommand.self)

  /// Runs the command, and ends the process.
  @MainActor
  fileprivate static func execute(_ arguments: [String]) async -> Never {
    do {
      var command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      let status = exitCode(for: error)
      let message = fullMessage(for: error).shownSystemText
      if !message.isEmpty {
        fflush(nil)
        CurrentProcess.write(
          Array("\(message)\n".utf8), to: status == .success ? STDOUT_FILENO : STDERR_FILENO)
      }
      Foundation.exit(status.rawValue)
    }
    Foundation.exit(EXIT_SUCCESS)
  }

  static let usage =
    "primerepl [-e <code>] [-l <module>] [-i] [--state <file>] [--ephemeral] [--sandbox [--allow-network]] [--max-memory <size>] [--max-time <seconds>] [<script>|- [<arguments> ...]]"

  /// The command's own version.
  static let version = "0.1.0"
}
