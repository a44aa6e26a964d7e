public import ArgumentParser
// A program imports only Console.
@_exported public import Lua
@_exported public import Scripting
@_exported public import StateStore

/// A program that drives an app's state from Lua: a prompt, scripts, and saved sessions.
///
/// ```swift
/// @main enum Main {
///   static func main() { Console("notes", features: [Notes.self]).run() }
/// }
/// ```
public struct Console: Sendable {
  /// The name of the command, which is also used in messages and for the folder of the user's data.
  public let name: String

  /// The command's version.
  public var version = "0.1.0"

  /// What the command is for, in one line.
  public var abstract = "Drive the app's state from Lua: at a prompt, or with scripts."

  /// The app's environment variables, with a line of help for each.
  public var environment: [(name: String, help: String)] = []

  /// The app's subcommands.
  public var subcommands: [any ParsableCommand.Type] = []

  /// The program whose state files are read and written.
  public var program: Program

  /// The features, or why they can't be composed.
  let schema: Result<Schema, SchemaError>

  let modules: @Sendable () -> [ScriptModule]
  let makeServices: @Sendable (ServiceOptions) -> any ScriptServices

  // Safe: `run` sets it before the command line is read, while the process has a single thread.
  /// The program that this process runs.
  nonisolated(unsafe) static var current = Console("console", features: [])

  /// The command with its version and that of Lua.
  var versionLine: String { "\(name) \(version) (\(LuaState.release))" }

  /// The name of one of the command's environment variables, such as `NOTES_STATE`.
  func variable(_ name: String) -> String {
    "\(self.name.uppercased().replacing("-", with: "_"))_\(name)"
  }
}

extension Console {
  /// Makes a program of features that use no services but files.
  ///
  /// - Parameters:
  ///   - name: The name of the command.
  ///   - features: The features, in the order that help lists them.
  public init(_ name: String, features: [any ScriptableFeature.Type]) {
    self.init(
      name: name, program: Program(name),
      schema: Result { () throws(SchemaError) in try Schema(features: features) },
      modules: { features.map { ScriptModule($0) } }, makeServices: { LocalServices($0) })
  }

  /// Makes a program of an app.
  ///
  /// - Parameters:
  ///   - name: The name of the command.
  ///   - schema: The features: `try Schema(features: [...])`. If they can't be composed, ``run()`` says why.
  ///   - modules: The modules that scripts see besides `store`, `task`, `clock` and `json`, in the order that help
  ///     lists them.
  ///   - services: Makes the services that the modules use.
  public init(
    _ name: String, schema: @autoclosure () throws(SchemaError) -> Schema,
    modules: @escaping @Sendable () -> [ScriptModule],
    services: @escaping @Sendable (ServiceOptions) -> any ScriptServices
  ) {
    self.init(
      name: name, program: Program(name), schema: Result(catching: schema), modules: modules,
      makeServices: services)
  }
}

/// What the command line allows the services to reach and use.
public struct ServiceOptions: Sendable {
  /// The process's environment.
  public let environment: [String: String]
  /// Whether code may reach no files, and no network unless ``network`` allows it.
  public let isSandboxed: Bool
  /// Whether code may use the network.
  public let network: NetworkAccess
  /// The number of bytes that code may use; nil for any.
  public let memoryLimit: Int?
  /// The source of ids for new records.
  public let identifiers: any IdentifierSource
  /// The clock that measures waiting: the real one, except in a scenario.
  public var clock: any Clock<Duration> = TimerClock()
  /// Answers in place of services, which a scenario gives.
  public var stubs: any ServiceStubs = NoStubs()
}
