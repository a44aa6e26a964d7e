import ArgumentParser
import Lua
import Scenarios
import Scripting
import StateStore

struct DocsCommand: AppCommand {
  static let configuration = CommandConfiguration(
    commandName: "docs",
    abstract: "Print the reference of the app's modules, or the help on a name.",
    discussion: """
      The format luals has definitions of the modules, and of the vocabularies of scenarios and of files for --app, for \
      the Lua language server, which editors use for completion and checks. The command init writes them into a folder.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case markdown, luals
  }

  @Argument(
    help: ArgumentHelp(
      "Print the help on one module, function or object, such as store.undo.", valueName: "name"))
  private var name: String?

  @Option(help: "The format of the reference: markdown or luals. (default: markdown)")
  private var format: Format?

  @OptionGroup var app: AppOptions

  func validate() throws {
    if let name, format != nil {
      throw ValidationError("--format is for the whole reference; leave out '\(name)'")
    }
  }

  @MainActor
  func run(in console: Console) async throws {
    if let name {
      CurrentProcess.print(try Self.help(on: name, of: console).printableLines)
    } else {
      let text = try Self.text(in: format ?? .markdown, of: console)
      CurrentProcess.print(text, terminator: "")
    }
  }

  /// The help on a module, a function, an object or a global variable.
  ///
  /// - Throws: `CommandError` with the nearest name if there is no such name.
  @MainActor
  static func help(on name: String, of console: Console) throws -> String {
    try console.withSandboxedApp { app in
      let help = app.help
      help.width = { CurrentProcess.terminalWidth ?? 80 }
      if let text = help.text(named: name) { return text }
      let nearest = name.suggestion(of: help.names) ?? ": \(console.name) docs lists the names"
      throw CommandError(
        description: "there is no help on '\(name.shortenedForMessage)'\(nearest)")
    }
  }

  @MainActor
  static func text(in format: Format, of console: Console) throws -> String {
    try console.withSandboxedApp { app in
      let reference = app.help.reference
      return switch format {
      case .markdown: ReferencePage(program: console.name, reference).text
      case .luals:
        [
          LanguageServerDefinitions(program: console.name, reference).text,
          DeclarationVocabulary.signatures.definitions,
          SignatureTable.ofScenarios(stubbable: app.stubbable).definitions,
        ].joined(separator: "\n")
      }
    }
  }
}

extension Console {
  /// An app without access to anything, for its descriptions.
  @MainActor
  func sandboxedApp(in state: LuaState) throws -> ScriptedApp {
    try ScriptedApp(
      in: state, store: Store(schema.get()), modules: modules,
      environment: environment(ServiceOptions(documents: .refusing)))
  }

  /// Does something with such an app, which is gone afterwards.
  ///
  /// - Throws: An error if the app is described with a mistake, and those of `body`.
  @MainActor
  func withSandboxedApp<Result>(_ body: (ScriptedApp) throws -> Result) throws -> Result {
    let state = try LuaState(libraries: .sandbox)
    defer { state.close() }
    return try body(sandboxedApp(in: state))
  }
}
