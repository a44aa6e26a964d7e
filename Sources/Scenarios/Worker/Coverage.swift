import Lua
import Scripting
import StateStore

/// A part of an app that scenarios can touch.
struct CoverageItem: Codable, Hashable, Sendable {
  enum Kind: String, Codable, CaseIterable, Sendable {
    /// A function that scripts call, or a field that they assign.
    case action
    /// The code of an error.
    case error
    case field
  }

  let feature: String
  let kind: Kind
  let name: String
}

/// Records the parts of the app that a scenario touches.
final class CoverageRecorder {
  private(set) var touched: Set<CoverageItem> = []
  private let all: Set<CoverageItem>
  private let modules: [LuaModule]
  /// The feature whose function was called last, or whose property was assigned.
  private var lastCalled: String?

  init(of app: ScriptedApp) {
    all = Set(Self.items(of: app))
    modules = Self.modules(of: app)
  }

  private static func modules(of app: ScriptedApp) -> [LuaModule] {
    app.modules.filter { app.store.schema.featureNames.contains($0.name) }
  }

  /// Everything that can be touched: of each feature its module's members, its error codes, and its fields.
  static func items(of app: ScriptedApp) -> [CoverageItem] {
    let errorCodes = app.errorCodes
    return modules(of: app).flatMap { module -> [CoverageItem] in
      let feature = module.name
      let actions = module.documentation.filter { $0.kind != .property(isWritable: false) }
        .map { CoverageItem(feature: feature, kind: .action, name: "\(feature).\($0.name)") }
      let errors = (errorCodes[feature] ?? []).map {
        CoverageItem(feature: feature, kind: .error, name: $0)
      }
      // The lists and groups of queries are no part of changes: their records are.
      let fields = app.store.schema.fields.filter { !$0.isListView }.map(\.path)
        .filter { $0 == feature || $0.hasPrefix(feature + ".") }
        .map { CoverageItem(feature: feature, kind: .field, name: $0) }
      return actions + errors + fields
    }
  }

  func record(errorCode code: String) {
    let errors = all.filter { $0.kind == .error && $0.name == code }
    // Features can share a code: it belongs to the one that was called.
    let own = errors.filter { $0.feature == lastCalled }
    touched.formUnion(own.isEmpty ? errors : own)
  }

  func record(action text: String, changed paths: [String]) {
    let name = text.prefix { $0 != "(" && $0 != " " }
    for item in all where item.kind == .action && item.name == name { touched.insert(item) }
    for item in all where item.kind == .field {
      let isChanged = paths.contains { path in
        path == item.name || path.hasPrefix(item.name + ".") || path.hasPrefix(item.name + "[")
      }
      if isChanged { touched.insert(item) }
    }
  }

  /// Starts to record calls of the modules' functions and assignments of their properties.
  func observeCalls(in state: LuaState) throws {
    let observe = try state.load(
      """
      local module, functions, properties, record = ...
      for _, name in ipairs(functions) do
        local fn = module[name]
        rawset(module, name, function(...) record(name) return fn(...) end)
      end
      if not next(properties) then return end
      local metatable = debug.getmetatable(module)
      local assign = metatable.__newindex
      metatable.__newindex = function(object, name, value)
        if properties[name] then record(name) end
        return assign(object, name, value)
      end
      """, name: .text("coverage"))
    for module in modules {
      var functions: [String] = []
      var properties: [String: Bool] = [:]
      for member in module.documentation {
        switch member.kind {
        case .function: functions.append(member.name)
        case .property(let isWritable): if isWritable { properties[member.name] = true }
        }
      }
      let record = try state.function("record") {
        [unowned self, feature = module.name] (name: String) in
        lastCalled = feature
        touched.insert(
          CoverageItem(feature: feature, kind: .action, name: "\(feature).\(name)"))
      }
      try observe.call(
        state.global(module.name, as: LuaTable.self), functions, properties,
        record, as: Void.self)
    }
  }
}
