public import ArgumentParser
// A program imports only Console.
@_exported public import Lua
@_exported public import PrimereplLoading
@_exported public import Scripting
@_exported public import StateFile
@_exported public import StateStore

/// A program that drives an app's state from Lua: a prompt, scripts, and saved sessions.
///
/// ```swift
/// @main enum Main {
///   static func main() { Console("notes", features: [Notes.self]).run() }
/// }
/// ```
public struct Console: Sendable {
  /// The name of the command: also that of the folders of its user's files, and the prefix of its environment variables.
  public let name: String

  /// The version that `--version`, the prompt and the manual page show.
  public var version = "0.1.0"

  /// The purpose of the command, in one line.
  public var abstract = "Drive the app's state from Lua: at a prompt, or with scripts."

  /// The app's environment variables, with a line of help for each.
  public var environment: [(name: String, help: String)] = []

  /// The app's own subcommands, which help doesn't list.
  public var subcommands: [any ParsableCommand.Type] = []

  /// The program whose state files are read and written.
  public var program: Program

  /// The kinds of servers whose addresses `--state` takes, such as `PostgresServer`.
  public var servers: [any SessionServer.Type] = []

  /// Nil if the app has only the program's features.
  private(set) var appFiles: AppFiles?

  /// Stops the code of those files; nil if there are none.
  private(set) var appInterrupter: LuaInterrupter?

  /// Watches whether that code stops, before there is an ``Interpreter``; nil without a time limit.
  private(set) var appWatchdog: Watchdog?

  private(set) var schema: Result<StoreSchema, SchemaError>
  private(set) var modules: [ScriptModule]
  /// The names of the features that files declare.
  private(set) var declaredNames: [String] = []
  /// The files that declare features of the app, and the modules that they require.
  private(set) var appPaths: [String] = []
  private let features: [any ScriptableFeature.Type]
  private let builtInModules: [ScriptModule]
  private let derived: [DerivedField]
  private let makeServices: @Sendable (ServiceOptions) -> any Sendable

  var versionLine: String { "\(name) \(version) (\(LuaState.release))" }

  /// The name of one of the command's environment variables, such as `NOTES_STATE`.
  func variable(_ name: String) -> String {
    "\(self.name.uppercased().replacing("-", with: "_"))_\(name)"
  }
}

extension Console {
  /// Makes a program of an app.
  ///
  /// - Parameters:
  ///   - name: The name of the command.
  ///   - features: The features, in the order that help lists them. If they can't be composed, ``run()`` says why.
  ///   - derived: The fields that depend on several features.
  ///   - modules: The modules that scripts see besides those of the features.
  ///   - services: Makes the services that requests and modules ask: a value of any type, which they get as their
  ///     ``Feature/Services``.
  public init(
    _ name: String, features: [any ScriptableFeature.Type], derived: [DerivedField] = [],
    modules: [ScriptModule] = [],
    services: @escaping @Sendable (ServiceOptions) -> any Sendable = { _ in NoServices() }
  ) {
    self.name = name
    program = Program(name)
    schema = Result { () throws(SchemaError) in
      // A cast of the array would look up each conformance.
      try StoreSchema(features: features.map { $0 }, derived: derived)
    }
    builtInModules = features.map { ScriptModule($0) } + modules
    self.modules = builtInModules
    (self.features, self.derived, makeServices) = (features, derived, services)
  }

  /// The program with the features that files declare, or with only those.
  ///
  /// `prepare` gets the interrupter of their code, before any of it runs.
  ///
  /// - Throws: `CommandError` if a file can't be read, or a feature has the name of a built-in module; `DeclarationError`,
  ///   `LuaError` and `SchemaError` for what the files declare.
  func app(
    of files: AppFiles, _ limits: DeclaredApp.Limits,
    prepare: (LuaInterrupter) -> Void = { _ in }
  ) throws -> Console {
    try files.check()
    var app = self
    let builtIn = files.isBare ? [] : builtInModules
    let declared = try DeclaredApp(
      files: files.paths, limits: limits, beside: builtIn.map(\.name)
    ) { interrupter in
      app.appInterrupter = interrupter
      prepare(interrupter)
      guard let timeLimit = limits.time else { return }
      app.appWatchdog = try Watchdog(stopping: interrupter, session: nil, timeLimit: timeLimit)
    }
    if let name = declared.modules.lazy.map(\.name).first(where: builtIn.map(\.name).contains) {
      let place = declared.places[name].map { "\($0): " } ?? ""
      throw CommandError(
        description:
          "\(place)the feature \(name) has the name of a built-in module; rename it, or leave those out with --bare"
      )
    }
    app.appFiles = files
    app.appPaths = declared.paths
    app.declaredNames = declared.modules.map(\.name)
    app.modules = declared.modules + builtIn
    let schema = try StoreSchema(
      features: files.isBare ? [] : features.map { $0 }, declared: declared.features,
      derived: files.isBare ? [] : derived)
    try declared.connect(to: schema)
    app.schema = .success(schema)
    return app
  }

  func environment(
    _ options: ServiceOptions, stubs: any ServiceStubs = NoStubs()
  ) -> ScriptEnvironment {
    ScriptEnvironment(
      app: makeServices(options), clock: options.clock, stubs: stubs, documents: options.documents)
  }
}

/// The files, network and memory that the command line allows the services to use.
public struct ServiceOptions: Sendable {
  /// The variables with which the process was started.
  public let environment: [String: String]
  /// The files and addresses that code may read and write: in a sandbox no files, and addresses only if it may use the
  /// network.
  public let documents: DocumentAccess
  /// The number of bytes that code may use; nil for any.
  public let memoryLimit: Int?
  /// The clock that measures waiting: the real one, except in a scenario.
  public let clock: any Clock<Duration>

  init(
    environment: [String: String] = [:], documents: DocumentAccess, memoryLimit: Int? = nil,
    clock: any Clock<Duration> = TimerClock()
  ) {
    (self.environment, self.documents) = (environment, documents)
    (self.memoryLimit, self.clock) = (memoryLimit, clock)
  }
}
