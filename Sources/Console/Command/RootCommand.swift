import ArgumentParser
import Foundation
import Lua
import StateStore

/// The command: `Console.current`.
struct RootCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let console = Console.current
    return CommandConfiguration(
      commandName: console.name,
      abstract: console.abstract,
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
        \(environment)
        """,
      version: version,
      subcommands: [RunCommand.self] + console.subcommands,
      defaultSubcommand: RunCommand.self)
  }

  private static var environment: String {
    let console = Console.current
    let variables =
      console.environment + [
        (console.variable("STATE"), "the file that keeps the session, as --state"),
        (
          console.variable("HISTORY"),
          "the file that remembers the prompt's lines; empty for none"
        ),
      ]
    let width = variables.map(\.0.count).max() ?? 0
    return variables.map { name, help in
      "  \(name)\(String(repeating: " ", count: width - name.count))  \(help)"
    }.joined(separator: "\n")
  }

  /// Runs the command, and ends the process.
  @MainActor
  static func execute(_ arguments: [String]) async -> Never {
    do {
      _ = try Console.current.schema
      var command = try parseAsRoot(arguments)
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let error as SchemaError {
      Diagnostics.report(error)
      Foundation.exit(EXIT_FAILURE)
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

  static var usage: String {
    "\(Console.current.name) [-e <code>] [-l <module>] [-i] [--state <file>] [--ephemeral] [--sandbox [--allow-network]] [--max-memory <size>] [--max-time <seconds>] [<script>|- [<arguments> ...]]"
  }

  /// The command with its version, and that of Lua.
  static var version: String {
    "\(Console.current.name) \(Console.current.version) (\(LuaState.release))"
  }
}
