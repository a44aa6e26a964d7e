import Lua
import Scripting

// The names of the members of values, as bytes: keys of tables can be any.
extension LuaSubjectFinder {
  /// A table with more entries than this is looked at in part.
  private static let entryLimit = 200_000

  /// The names that typed text can become, in any order: all, or those of functions that take the value with a colon.
  func names(
    of subject: LuaSubject, from typed: TypedText = TypedText([]), methodsOnly: Bool = false
  ) throws(LuaError) -> [[UInt8]] {
    switch subject {
    case .value(let value, _):
      var names: [[UInt8]] = []
      for table in try tables(of: value) {
        names += try keys(of: table, from: typed, functionsOnly: methodsOnly)
      }
      return names
    case .string:
      guard case .table(let library) = try state.globals().rawGet("string") else {
        return []
      }
      return try keys(of: library, from: typed, functionsOnly: methodsOnly)
    // The functions of a module don't take it.
    case .module(let module):
      return methodsOnly ? [] : matching(module.documentation.map(\.name), typed)
    case .object(let objectClass):
      let members = objectClass.members.filter { member in
        if case .function = member.kind { true } else { !methodsOnly }
      }
      return matching(members.map(\.name), typed)
    case .file: return matching(LuaLibrarySignatures.fileMethods, typed)
    case .fields(let names): return methodsOnly ? [] : matching(names, typed)
    case .app: return methodsOnly ? [] : matching(modules.map(\.name), typed)
    case .array, .function: return []
    }
  }

  private func matching(_ names: [String], _ typed: TypedText) -> [[UInt8]] {
    names.map { Array($0.utf8) }.filter(typed.isPart)
  }

  private func tables(of value: LuaValue) throws(LuaError) -> [LuaTable] {
    switch value {
    case .table(let table): return try tables(from: table)
    case .userdata(let object):
      guard case .table(let index)? = try object.metatable()?.rawGet("__index") else { return [] }
      return try tables(from: index)
    default: return []
    }
  }

  private func keys(
    of table: LuaTable, from typed: TypedText, functionsOnly: Bool
  ) throws(LuaError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    try table.forEachStringKey(atMost: Self.entryLimit) { key, type in
      guard !functionsOnly || type == .function, typed.isPart(of: key) else { return }
      keys.append(Array(key))
    }
    return keys
  }
}
