import ArgumentParser
import Foundation
import StateStore
import Platform

extension Console {
  /// Runs the command that the command line names, and ends the process.
  ///
  /// Call it first in `main`, on the main thread.
  public func run() -> Never {
    Self.current = self
    CurrentProcess.occupyClosedStreams()
    CurrentProcess.checkOutputAtExit()
    // Ctrl-\ ends the process at once; the Swift runtime would take that for a crash.
    if Signal.action(of: SIGQUIT) != nil { signal(SIGQUIT, SIG_DFL) }
    let arguments = JoinedValues.separated(
      in: ShuffleSeed.completing(Array(CurrentProcess.arguments.dropFirst())))
    Task { @MainActor in await RootCommand.execute(arguments) }
    MainLoop.run()
  }
}

/// The command line of `Console.current`.
struct RootCommand: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    let console = Console.current
    return CommandConfiguration(
      commandName: console.name,
      abstract: console.abstract,
      usage: usage,
      discussion: """
        Without code, a script or -v it opens the prompt or, if standard input isn't a terminal, runs standard \
        input as a script. First it loads the modules of -l, then it runs the code of each -e, then the \
        script. Scripts get their arguments in `arg` and `...`, as with the lua command.

        The prompt runs ~/.config/\(console.name)/init.lua (or under XDG_CONFIG_HOME) and continues its last \
        session. Code, scripts, and the prompt after them start with a new \
        session, unless --state names a file.

        Options before the script:
          -e <code>             run Lua code
          -l <module>           load a module into a global variable of its name
          -l <name>=<module>    load a module into another global variable
          -i                    open the prompt after the code and the script
          -v                    print the version first
          --state <file>        keep the session in this file; ~ is $HOME
          --ephemeral           keep the session in memory only, even at the prompt
          --sandbox             run without io, debug, and access to files and the network
          --allow-network       allow the sandbox to use the network
          --max-memory <size>   limit the memory of Lua code: 500K, 64M, 1G
          --max-time <seconds>  limit the time of each -e, script or input
          --no-color            use no colors, like NO_COLOR
          -q, --quiet           open the prompt without saying what it is

        Environment:
        \(environment)
        """,
      version: console.versionLine,
      subcommands: [
        RunCommand.self, TestCommand.self, DocsCommand.self, ScenarioWorkerCommand.self,
      ]
        + console.subcommands,
      defaultSubcommand: RunCommand.self)
  }

  static var usage: String {
    "\(Console.current.name) [-e <code>] [-l <module>] [-i] [-v] [--state <file>] [--ephemeral] [--sandbox [--allow-network]] [--max-memory <size>] [--max-time <seconds>] [--no-color] [-q] [<script>|- [<arguments> ...]]"
  }

  private static var environment: String {
    let console = Console.current
    let variables =
      console.environment + [
        (console.variable("STATE"), "the session's file, like --state"),
        (console.variable("HISTORY"), "the file of the prompt's input history; empty for none"),
        ("NO_COLOR", "if it isn't empty, no colors are used"),
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
      _ = try Console.current.schema.get()
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
      if !message.isEmpty, status == .success {
        CurrentProcess.print(message)
      } else if !message.isEmpty {
        CurrentProcess.flush()
        CurrentProcess.write(Array("\(message)\n".utf8), to: STDERR_FILENO)
      }
      Foundation.exit(status.rawValue)
    }
    Foundation.exit(EXIT_SUCCESS)
  }
}

/// Values of `-e` and `-l` directly after the letter, with an equals sign in them: `-lm=math`.
///
/// The parser would look for an option `-lm`.
private enum JoinedValues {
  /// The options before the script whose value is the next argument.
  private static let valued: Set = ["-e", "-l", "--state", "--max-memory", "--max-time"]

  /// Makes two arguments of each option with such a value; the script and its arguments stay as they are.
  static func separated(in arguments: [String]) -> [String] {
    var separated: [String] = []
    var rest = arguments[...]
    while let argument = rest.first, argument.utf8.count > 1, argument.utf8.first == minus,
      argument != "--"
    {
      rest.removeFirst()
      let (option, value) = (String(argument.prefix(2)), String(argument.dropFirst(2)))
      if ["-e", "-l"].contains(option), value.utf8.contains(equalsSign) {
        separated += [option, value]
      } else {
        separated.append(argument)
        if valued.contains(argument), let value = rest.popFirst() { separated.append(value) }
      }
    }
    return separated + rest
  }

  private static let minus = UInt8(ascii: "-")
  private static let equalsSign = UInt8(ascii: "=")
}
