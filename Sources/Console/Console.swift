public import ArgumentParser
import Foundation
import Lua
public import Scripting
public import StateStore

/// A program that drives an app's state from Lua: a prompt, scripts, and saved sessions.
///
/// ```swift
/// @main enum Main {
///   static func main() { Console("notes", features: [Notes.self]).run() }
/// }
/// ```
public struct Console: Sendable {
  /// The name of the command, in messages, and of the folder for what it remembers of its user.
  public let name: String

  /// The command's own version.
  public var version = "0.1.0"

  /// What the command is for, in one line.
  public var abstract = "Drive the app's state from Lua: at a prompt, or by scripts."

  /// Environment variables of the app's own, with what each is for.
  public var environment: [(name: String, help: String)] = []

  /// Commands of the app's own.
  public var subcommands: [any ParsableCommand.Type] = []

  /// Whose state files are read and written.
  public var program: Program

  /// What scripts see besides `store` and `task`, in the order that help lists it.
  let modules: @Sendable () -> [ScriptModule]

  /// Makes what the modules need of the world.
  let makeServices: @Sendable (ServiceOptions) -> any ScriptServices

  private let composition: Result<Schema, SchemaError>

  /// Makes a program of features that need nothing of the world but files.
  ///
  /// - Parameters:
  ///   - name: The name of the command.
  ///   - features: The features, in the order that help lists them.
  public init(_ name: String, features: [any ScriptableFeature.Type]) {
    self.init(
      name, composition: Result { () throws(SchemaError) in try Schema(features: features) },
      modules: { features.map { ScriptModule($0) } }, services: { LocalServices($0) })
  }

  /// Makes a program of an app.
  ///
  /// - Parameters:
  ///   - name: The name of the command.
  ///   - schema: The features.
  ///   - modules: What scripts see besides `store` and `task`, in the order that help lists it.
  ///   - services: Makes what the modules need of the world.
  public init(
    _ name: String, schema: Schema, modules: @escaping @Sendable () -> [ScriptModule],
    services: @escaping @Sendable (ServiceOptions) -> any ScriptServices
  ) {
    self.init(name, composition: .success(schema), modules: modules, services: services)
  }

  private init(
    _ name: String, composition: Result<Schema, SchemaError>,
    modules: @escaping @Sendable () -> [ScriptModule],
    services: @escaping @Sendable (ServiceOptions) -> any ScriptServices
  ) {
    self.name = name
    self.composition = composition
    self.modules = modules
    makeServices = services
    program = Program(name)
  }

  /// The features.
  ///
  /// - Throws: Why they can't be composed.
  var schema: Schema { get throws(SchemaError) { try composition.get() } }

  /// An environment variable of the command's: its name in capital letters, and what it is about.
  func variable(_ name: String) -> String {
    "\(self.name.uppercased().replacing("-", with: "_"))_\(name)"
  }

  // Safe: it is set once, before the command line is read, on the only thread that there is.
  /// The program that this process is.
  nonisolated(unsafe) private(set) static var current = Console("console", features: [])

  /// Runs the command, as the command line says, and ends the process.
  ///
  /// Called on the main thread, as the first of what `main` does.
  public func run() -> Never {
    Self.current = self
    Task { @MainActor in await RootCommand.execute(Array(CurrentProcess.arguments.dropFirst())) }
    MainLoop.run()
  }
}

/// What a user has said about what code may reach.
public struct ServiceOptions: Sendable {
  /// The process's environment.
  public let environment: [String: String]
  /// Whether code reaches nothing outside.
  public let isSandboxed: Bool
  /// Whether sandboxed code reaches the network all the same.
  public let allowsNetwork: Bool
  /// How much memory code may take, in bytes; nil for any.
  public let memoryLimit: Int?
  /// Who names new records.
  public let identifiers: any IdentifierSource
}
