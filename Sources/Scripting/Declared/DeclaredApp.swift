public import Lua
import PrimereplPlatform
package import StateStore

/// The features that files of Lua declare.
///
/// Actions and derived values run in a state of their own: see ``DeclaredRuntime``. The functions of a declaration that may
/// do more, those of its `functions` and the `ask` of its requests, run in the state of the scripts, where the files are
/// loaded once more: see ``DeclaredScripts``.
public final class DeclaredApp {
  /// The limits of the code of declarations.
  public struct Limits: Sendable {
    /// The number of bytes that the process may grow by; nil for any.
    public var memory: Int?
    /// The time that loading a file, an action or a derived value may take; nil for any.
    public var time: Duration?
    /// The time that a derived value may take which nobody has asked for by its name, such as for a line of changes; nil
    /// for any.
    public var unaskedTime: Duration?

    /// Makes limits.
    public init(memory: Int? = nil, time: Duration? = nil, unaskedTime: Duration? = nil) {
      (self.memory, self.time, self.unaskedTime) = (memory, time, unaskedTime)
    }
  }

  /// The features, in the order in which they are declared.
  package private(set) var features: [DeclaredFeature] = []
  /// The code of the features, in the same order.
  private var rules: [LuaRules] = []

  /// The file and line of each feature's declaration, by the feature's name.
  package private(set) var places: [String: String] = [:]

  private let files: [DeclaredFile]
  let runtime: DeclaredRuntime

  /// Loads files.
  ///
  /// - Parameters:
  ///   - files: The paths of the files.
  ///   - limits: The limits of their code.
  ///   - modules: The names of the app's other modules.
  ///   - prepare: Gets an interrupter before any code runs. It stops the code of files, actions and derived values, but
  ///     code of scripts that is interrupted stops what it has called by itself.
  /// - Throws: ``DeclarationError``, or `LuaError` for a file that fails.
  public init(
    files: [String], limits: Limits = Limits(), beside modules: [String] = [],
    prepare: (LuaInterrupter) throws -> Void = { _ in }
  ) throws {
    self.files = try files.map { try DeclaredFile($0) }
    runtime = try DeclaredRuntime(limits)
    try prepare(runtime.interrupter())
    let sources = self.files.map { DeclarationSource($0.bytes) }
    let names = Set(modules + sources.flatMap(\.featureNames))
    for (file, source) in zip(self.files, sources) { try load(file, source, names) }
  }

  /// The paths of the files, and of the modules that they have required so far.
  public var paths: [String] { files.map(\.path) + runtime.requiredPaths }

  /// The modules of the features, in their order.
  public var modules: [ScriptModule] {
    zip(features, rules).map { ScriptModule($0, $1, files) }
  }

  private func load(
    _ file: DeclaredFile, _ source: DeclarationSource, _ names: Set<String>
  ) throws {
    var isLoading = true
    defer { isLoading = false }
    // The features that are begun: feature "cart", without a table yet.
    var begun: [LuaValue] = []
    let count = features.count
    try runtime.load(file, modules: names) { [weak self] name, value, mark in
      guard let self, isLoading else { return .tooLate }
      begun.removeAll { $0 == name }
      do {
        let reader = try DeclarationReader(of: name, in: source, mark)
        guard value != .nil else {
          begun.append(name)
          return nil
        }
        let declaration = try reader.declaration(value)
        guard !features.contains(where: { $0.name == declaration.name }) else {
          throw DeclarationError.bad(declaration.name, "two features have this name; rename one")
        }
        add(declaration)
        places[declaration.name] = source.line(of: declaration.name).map { "\(file.path):\($0)" }
        return nil
      } catch {
        let message = "\(error)"
        let place = String(message.prefix { $0 != ":" })
        return DeclarationFunctions.Problem(message: message, line: source.line(of: place))
      }
    }
    if case .string(let name)? = begun.first {
      let place = source.line(of: name.description).map { "\(file.path):\($0)" } ?? file.path
      throw DeclarationError.bad(
        "\(place): \(name)", "its declaration is missing: feature \"\(name)\" { ... }")
    }
    guard features.count > count else {
      throw DeclarationError(
        "no_feature",
        "\(file.path) declares no feature; it needs feature \"name\" { state = { ... } }")
    }
  }

  private func add(_ declaration: FeatureDeclaration) {
    let rules = LuaRules(declaration, in: runtime)
    self.rules.append(rules)
    runtime.add(rules)
    features.append(
      DeclaredFeature(
        declaration.name, version: declaration.version, fields: declaration.fields,
        derived: declaration.derived.map(\.field), actions: declaration.actions.map(\.call),
        requests: declaration.requests.map(\.type), rules: rules))
  }

  /// Lets derived values read the fields of a schema with the features, and computes all of them once.
  ///
  /// - Throws: ``DeclarationError`` for one that fails in the initial state, such as one of a cycle.
  package func connect(to schema: StoreSchema) throws {
    runtime.fields = schema.fields
    let start = ContinuousClock.now
    for rules in rules { try rules.checkDerivedValues(in: schema.initial, since: start) }
  }
}

/// A file that declares features.
struct DeclaredFile: Sendable {
  let path: String
  let bytes: [UInt8]

  init(_ path: String) throws(DeclarationError) {
    self.path = path
    do throws(SystemCallError) {
      bytes = try FileSystem.contents(of: path)
    } catch {
      throw DeclarationError("app_unreadable", "can't read the app \(path): \(error.reason)")
    }
  }
}
