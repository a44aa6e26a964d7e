import ArgumentParser
import Lua
import Scripting
import StateStore

/// `docs`: prints the reference of the modules that scripts see.
struct DocsCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "docs", abstract: "Print the reference of the app's modules.",
    discussion: """
      The format luals has definitions of the modules for the Lua language server, which editors use for completion and \
      checks. Save them in a file that the server reads.
      """)

  /// The formats of the reference.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case markdown, luals
  }

  @Option(help: "The format of the reference.")
  private var format = Format.markdown

  @MainActor
  func run(in console: Console) async throws {
    let status = await Diagnostics.status {
      CurrentProcess.print(try Self.text(in: format, of: console), terminator: "")
    }
    if status != .success { throw status }
  }

  /// The reference of a program.
  @MainActor
  static func text(in format: Format, of console: Console) throws -> String {
    let state = try LuaState(libraries: .sandbox)
    defer { state.close() }
    let app = try console.sandboxedApp(in: state)
    let reference = app.help.reference
    return switch format {
    case .markdown: ReferencePage(program: console.name, reference).text
    case .luals: LanguageServerDefinitions(program: console.name, reference).text
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
}
