import ArgumentParser
import Lua
import Scripting
import StateStore

/// `docs`: prints the reference of what scripts see.
struct DocsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "docs", abstract: "Print the reference of what scripts see.",
    discussion: """
      The reference is in Markdown, or in the format luals: definitions of the modules for the Lua language server, which \
      an editor uses for completion and checks. Save them in a file among those that the server reads.
      """)

  /// The formats of the reference.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case markdown, luals
  }

  @Option(help: "The format of the reference.")
  private var format = Format.markdown

  @MainActor
  func run() async throws {
    let status = await Diagnostics.status {
      CurrentProcess.print(try Self.text(in: format, of: .current), terminator: "")
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
  /// The app as it is described, without access to anything.
  @MainActor
  func sandboxedApp(in state: LuaState) throws -> ScriptedApp {
    let options = ServiceOptions(
      environment: [:], isSandboxed: true, network: .refusedInSandbox, memoryLimit: nil,
      identifiers: SequentialIdentifiers())
    let app = try ScriptedApp(
      in: state, store: Store(schema.get()), modules: modules(), services: makeServices(options))
    try app.check()
    return app
  }
}
