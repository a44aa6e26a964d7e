import Lua
import PrimereplPlatform
import StateStore

/// The vocabulary of a file that declares features, in one state.
struct DeclarationFunctions {
  /// The global variables of the file and its modules: its own, those of the vocabulary, and the state's.
  let environment: LuaTable
  let modules: DeclaredModules
  private let acceptAllNames: LuaFunction

  struct Problem {
    let message: String
    /// The line of the file; nil for that of the call.
    let line: Int?

    /// A feature is declared by a function that runs later.
    static let tooLate = Problem(
      message: "features are declared when their file is loaded: move this out of the function",
      line: nil)
  }

  private static let chunk = CompiledChunk(
    PackageResources.vocabulary_lua, name: .text("vocabulary"), .optional)

  /// Makes the global variables of a file in a table: its own, those of the vocabulary, and the state's.
  ///
  /// It gets a function that says what is wrong with a name that none of them has, or nil, and returns one that ends
  /// these checks: then a variable that isn't there is nil, and reading one costs less.
  private static let environmentChunk = CompiledChunk(
    Array(
      """
      local environment, problem = ...
      local globals, error, next, pcall, select, type = _G, error, next, pcall, select, type

      local function names()
        local found = {}
        for _, variables in next, { environment, globals } do
          for name in next, variables do
            if type(name) == "string" then found[#found + 1] = name end
          end
        end
        return found
      end

      local metatable = { __index = globals }
      setmetatable(environment, metatable)
      if problem then
        function metatable.__index(_, name)
          local value = globals[name]
          if value ~= nil or type(name) ~= "string" then return value end
          local place = select(2, pcall(error, "", 3))
          local text = problem(name, place, names())
          if text then error(place .. text, 0) end
        end
      end
      return function() metatable.__index = globals end
      """.utf8), name: .text("environment"), .optional)

  /// Makes the vocabulary of a file.
  ///
  /// `names` finds global variables that neither the file nor scripts have, while the file is run; nil accepts all.
  /// `declare` gets the name of each feature, first with nil, when its declaration begins, and then with the
  /// declaration; it returns the mistake, if there is one.
  init(
    of file: DeclaredFile, in state: LuaState, mark: LuaTable, checking names: GlobalNames?,
    declare: @escaping (LuaValue, LuaValue) -> Problem?
  ) throws {
    let environment = try state.makeTable()
    self.environment = environment
    let modules = DeclaredModules(beside: file.path, in: state, environment)
    self.modules = modules
    acceptAllNames = try Self.environmentChunk.function(in: state).call(
      environment,
      try names.map { names in
        var names = names
        return try state.function("problem") { (name: String, place: String, known: [String]) in
          names.problem(of: name, at: place, modules.paths, known: known)
        }
      }, as: LuaFunction.self)
    let date = LuaModule.date
    let words = try Self.chunk.function(in: state).call(
      state.function("feature") { (name: LuaValue, declaration: LuaValue) -> (String?, Int?) in
        let mistake = declare(name, declaration)
        return (mistake?.message, mistake?.line)
      },
      state.function("fail") { (code: String, message: String) throws -> Void in
        guard StatePath.isName(code) else {
          throw DeclarationError(
            "bad_code",
            "\(code.shortenedForMessage.luaLiteral) is no code of an error: write small letters and underscores"
          )
        }
        throw DeclaredFailure(code: code, message: message)
      },
      state.function("require") { (name: String) in try modules.require(name) },
      date, date.documentation.map(\.name), mark, as: LuaTable.self)
    for (name, value) in try words.entries() { try environment.rawSet(name, to: value) }
  }

  func run(_ file: DeclaredFile, in state: LuaState) throws {
    try state.load(file.bytes, name: .file(file.path), environment: environment).call()
    // Functions read what is there when they run.
    try acceptAllNames.call()
  }
}

/// Modules in the folder of a file that declares features, for `require`.
final class DeclaredModules {
  /// Whether modules can be loaded: actions and derived values load none.
  var canLoad = true

  private let folder: String
  private weak var state: LuaState?
  private let environment: LuaTable
  private var loaded: [String: LuaValue] = [:]
  /// The modules that are being loaded, each required by the one before.
  private var loading: [String] = []
  private(set) var paths: [String] = []

  init(beside path: String, in state: LuaState, _ environment: LuaTable) {
    folder = path.contains("/") ? String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]) : ""
    (self.state, self.environment) = (state, environment)
  }

  /// The value of a module, which is loaded when it is first required.
  func require(_ name: String) throws -> LuaValue {
    if let known = loaded[name] { return known }
    guard let state else { throw LuaError.closed }
    guard canLoad else {
      throw LuaError(
        .runtime,
        "module '\(name)' can't be loaded while an action runs: require it at the top of the file")
    }
    let path = folder + name.replacing(".", with: "/")
    let found = ["\(path).lua", "\(path)/init.lua"].first { FileSystem.kind(of: $0) == .file }
    guard let found, !name.contains("/"), !name.contains("..") else {
      throw LuaError(
        .runtime,
        "module '\(name.shortenedForMessage)' not found: there is neither "
          + "\(path.shortenedForMessage).lua nor \(path.shortenedForMessage)/init.lua")
    }
    let source = try source(of: name, at: found)
    guard !loading.contains(name) else {
      let cycle = loading.drop { $0 != name } + [name]
      throw LuaError(
        .runtime, "modules require each other: \(cycle.joined(separator: " → "))")
    }
    loading.append(name)
    defer { loading.removeLast() }
    paths.append(found)
    let chunk = try state.load(source, name: .file(found), environment: environment)
    let value = try chunk.call(name, as: LuaValue.self)
    loaded[name] = value == .nil ? true : value
    return loaded[name] ?? true
  }

  /// The text of a module.
  ///
  /// The file is read by the path that was checked: a symbolic link that leads out of the folder would show another file's
  /// text in messages, also in a sandbox.
  private func source(of name: String, at path: String) throws(LuaError) -> [UInt8] {
    guard let file = FileSystem.realPath(of: path),
      let root = FileSystem.realPath(of: folder.isEmpty ? "." : folder),
      file.utf8.starts(with: (root == "/" ? root : root + "/").utf8)
    else {
      throw LuaError(
        .runtime,
        "module '\(name)' is not in the app's folder: \(path) is a symbolic link that leads out of it"
      )
    }
    do throws(SystemCallError) {
      return try FileSystem.contents(of: file)
    } catch {
      throw LuaError(.fileUnreadable, "cannot read \(path): \(error.reason)")
    }
  }
}
