import ArgumentParser
import PrimereplFoundation
import PrimereplPlatform
import StateStore

protocol ConsoleCommand: ParsableCommand {
  /// Throws an error to report, or the exit status after one that was reported.
  @MainActor func run(in console: Console) async throws
}

/// A command whose console has the features of the files in its options.
protocol AppCommand: ConsoleCommand {
  var app: AppOptions { get }
  var codeLimits: DeclaredApp.Limits { get }
}

extension AppCommand {
  /// No limits.
  var codeLimits: DeclaredApp.Limits { DeclaredApp.Limits() }
}

extension Console {
  /// Runs the command that the command line names, and ends the process.
  ///
  /// Call it first in `main`, on the main thread.
  public func run() -> Never {
    CurrentProcess.occupyClosedStreams()
    CurrentProcess.checkOutputAtExit()
    // By default SIGXFSZ ends a process whose file exceeds a limit (`ulimit -f`); handled, the write fails. An ignored
    // signal would be ignored in child processes, too.
    if Signal.action(of: SIGXFSZ) != nil { Signal.setHandler(of: SIGXFSZ) { _ in } }
    // Ctrl-\ ends the process at once; the Swift runtime would take that for a crash.
    if Signal.action(of: SIGQUIT) != nil { signal(SIGQUIT, SIG_DFL) }
    let arguments = AppOptions.behindSubcommand(
      in: Array(CurrentProcess.arguments.dropFirst()))
    hidePasswords()
    do throws(SystemCallError) {
      try OpenDescriptors.checkLimit()
    } catch {
      Diagnostics.print(error.reason)
      PrimereplFoundation.exit(EXIT_FAILURE)
    }
    Task { @MainActor in await execute(arguments) }
    MainLoop.run()
  }

  @MainActor
  private func execute(_ arguments: [String]) async -> Never {
    let (root, rest) = parser(for: arguments)
    do {
      _ = try schema.get()
      if let file = try generatedFile(for: arguments) {
        CurrentProcess.print(file, terminator: "")
        PrimereplFoundation.exit(EXIT_SUCCESS)
      }
      var command = try root.parseAsRoot(
        root == RunCommand.self ? JoinedValues.separated(in: rest) : rest)
      switch command {
      // The usual one, without the search that a cast to a protocol is.
      case let command as RunCommand: try await app(for: command).end(with: command)
      case let command as any AppCommand: try await app(for: command).end(with: command)
      case let command as any ConsoleCommand: await end(with: command)
      case var command as any AsyncParsableCommand: try await command.run()
      default: try command.run()
      }
    } catch let error as SchemaError {
      Diagnostics.report(error)
      PrimereplFoundation.exit(EXIT_FAILURE)
    } catch {
      report(error, root)
      PrimereplFoundation.exit(root.exitCode(for: error).rawValue)
    }
    PrimereplFoundation.exit(EXIT_SUCCESS)
  }

  /// Runs a command, reports its error, and ends the process.
  @MainActor
  private func end(with command: some ConsoleCommand) async -> Never {
    let status = await Diagnostics.status { try await command.run(in: self) }
    PrimereplFoundation.exit(status.rawValue)
  }

  /// The program with the features of the files that a command's options name.
  private func app(for command: some AppCommand) throws -> Console {
    guard let files = try command.app.files(of: self) else { return self }
    return try app(of: files, command.codeLimits)
  }

  /// The root of the commands that parse the arguments, and the arguments that it takes.
  private func parser(for arguments: [String]) -> (any ParsableCommand.Type, [String]) {
    let name = arguments.first ?? ""
    let hidden = [ScenarioWorkerCommand.self] + subcommands
    if let command = hidden.first(where: { $0.configuration.commandName == name }) {
      return (command, Array(arguments.dropFirst()))
    }
    if Subcommands.isNamed(name) {
      return (Subcommands.self, ShuffleSeed.completing(arguments))
    }
    return (RunCommand.self, arguments)
  }

  /// The file that the arguments ask for, to be installed with the program: a shell's completions, or the manual page.
  private func generatedFile(for arguments: [String]) throws -> String? {
    if arguments == ["--generate-manual"] {
      return try ManualPage(of: self, sections: sections).text
    }
    let option = "--generate-completion-script"
    guard let first = arguments.first, first == option || first.hasPrefix(option + "=") else {
      return nil
    }
    let value =
      first == option
      ? arguments.dropFirst().first : String(first.dropFirst(option.count + 1))
    guard let shell = value.map({ CompletionShell(rawValue: $0) }) ?? .autodetected() else {
      let shells = CompletionShell.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("\(option) needs the name of a shell: \(shells)")
    }
    return CompletionScript(for: shell, program: name).text
  }

  /// Prints requested help, or reports wrong arguments on one line, without the usage of the whole command.
  private func report(_ error: any Error, _ root: any ParsableCommand.Type) {
    guard root.exitCode(for: error) == .success else {
      let message = root.message(for: error)
      if !message.isEmpty { Diagnostics.print(message.shorteningLongWords(separatedBy: " ")) }
      return
    }
    var message = root.fullMessage(for: error)
    if message == RunCommand.helpMessage() || message == Subcommands.helpMessage() {
      message = help
    }
    if !message.isEmpty { CurrentProcess.print(message.printableLines) }
  }

  /// For the command's help and its manual page.
  private var sections: [HelpSection] {
    let variables =
      environment + [
        (variable("STATE"), "the session's file or address, like --state"),
        (variable("APP"), "files that declare features, separated by colons, like --app"),
        (variable("HISTORY"), "the file of the prompt's input history; empty for none"),
        ("NO_COLOR", "no colors, if it isn't empty"),
      ]
    let files = [
      ("~/.config/\(name)/init.lua", "Lua code that runs before the first prompt"),
      ("~/.local/share/\(name)/session.sqlite", "the session that the prompt continues"),
      (
        "~/.local/share/\(name)/<app>-<key>/session.sqlite",
        "the session that the prompt of --app <app>.lua continues; the key follows from its path"
      ),
    ]
    return [
      HelpSection(title: "ENVIRONMENT", rows: variables), HelpSection(title: "FILES", rows: files),
    ]
  }

  /// The help of the command itself: that of its options, between the parts that depend on the app.
  private var help: String {
    let script = HelpSection(
      title: "ARGUMENTS",
      rows: [("<script>", "A script, or - for standard input, and its arguments.")])
    let options = DescribedCommand.helpMessage().trimmingPrefix("OVERVIEW: \n")
    return (["OVERVIEW: \(abstract)", String(options), script.text] + sections.map(\.text))
      .joined(separator: "\n\n")
  }
}

/// A part of the help that explains names.
struct HelpSection {
  let title: String
  let rows: [(name: String, help: String)]

  /// The column of the options' descriptions.
  private static let column = 26

  var text: String {
    rows.reduce(title + ":") { text, row in
      let name = "  " + row.name
      let fits = name.count < Self.column
      let space = String(repeating: " ", count: fits ? Self.column - name.count : Self.column)
      return text + "\n" + name + (fits ? "" : "\n") + space + row.help
    }
  }
}

/// The root of the subcommands.
///
/// `RunCommand` can't be that: it passes all arguments after a script to the script.
struct Subcommands: ParsableCommand {
  static let all: [any ParsableCommand.Type] = [
    TestCommand.self, ServeCommand.self, DocsCommand.self, NewCommand.self, InitCommand.self,
    SessionsCommand.self,
  ]

  /// Nil for an unknown name, and for the parser's own `help`.
  static func command(_ name: String?) -> (any ParsableCommand.Type)? {
    all.first { $0.configuration.commandName == name }
  }

  static func isNamed(_ name: String) -> Bool { name == "help" || command(name) != nil }

  static let configuration = CommandConfiguration(
    commandName: CurrentProcess.name, subcommands: all)
}

/// The command with its options and subcommands, as help, completion and the manual page describe it.
struct DescribedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: CurrentProcess.name,
    usage: "\(CurrentProcess.name) [<options>] [<script> | - [<arguments> ...]]",
    discussion: """
      Scripts get their arguments in `arg` and `...`, as with the lua command. The modules of -l are loaded first, then \
      the code of each -e runs, then the script. Without any of them, the prompt opens or, if standard input \
      isn't a terminal, standard input runs as a script.

      The prompt continues its last session. Code, scripts, and the prompt after them start with a new session, unless \
      --state names a saved one. The prompt of --app has a session of its own, by the path of the first file.

      "run" and the name of one of the app's functions call that in the prompt's session; "run" alone lists the functions, \
      and --help after a name shows its parameters.

      A file with the first line "#!/usr/bin/env -S \(CurrentProcess.name) --app" is a program itself.
      """,
    subcommands: Subcommands.all)

  @OptionGroup var options: RunCommand
}

/// Values of `-e` and `-l` directly after the letter that contain an equals sign, as `-lm=math` isn't an option `-lm`.
private enum JoinedValues {
  /// Makes two arguments of each option with such a value; the script and its arguments stay as they are.
  static func separated(in arguments: [String]) throws -> [String] {
    guard arguments.contains(where: isJoined) else { return arguments }
    let options = try CommandTree.of(RunCommand.self).arguments ?? []
    let valued = Set(options.filter { $0.kind == "option" }.flatMap(\.spellings))
    var separated: [String] = []
    var rest = arguments[...]
    while let argument = rest.first, argument.hasPrefix("-"), argument != "-", argument != "--" {
      rest.removeFirst()
      if isJoined(argument) {
        separated += [String(argument.prefix(2)), String(argument.dropFirst(2))]
      } else {
        separated.append(argument)
        if valued.contains(argument), let value = rest.popFirst() { separated.append(value) }
      }
    }
    return separated + rest
  }

  private static func isJoined(_ argument: String) -> Bool {
    ["-e", "-l"].contains(argument.prefix(2))
      && argument.utf8.dropFirst(2).contains(UInt8(ascii: "="))
  }
}
