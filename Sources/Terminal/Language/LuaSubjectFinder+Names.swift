import Lua
import Scripting

// The names of the members of values, as bytes: keys of tables can be any.
extension LuaSubjectFinder {
  /// A table with more entries than this is looked at in part.
  private static let entryLimit = 200_000

  /// The names in any order: all, or those of functions that take the value with a colon.
  func names(of subject: LuaSubject, methodsOnly: Bool = false) throws(LuaError) -> [[UInt8]] {
    switch subject {
    case .value(let value, _):
      var names: [[UInt8]] = []
      for table in try tables(of: value) {
        names += try keys(of: table, functionsOnly: methodsOnly)
      }
      return names
    case .string:
      guard case .table(let library) = try state.globals().rawGet("string") else {
        return []
      }
      return try keys(of: library, functionsOnly: methodsOnly)
    // The functions of a module don't take it.
    case .module(let module):
      return methodsOnly ? [] : module.documentation.map { Array($0.name.utf8) }
    case .object(let objectClass):
      let members = objectClass.members.filter { $0.isFunction || !methodsOnly }
      return members.map { Array($0.name.utf8) }
    case .file: return LuaLibrarySignatures.fileMethods.map { Array($0.utf8) }
    case .fields(let names): return methodsOnly ? [] : names.map { Array($0.utf8) }
    case .app: return methodsOnly ? [] : modules.map { Array($0.name.utf8) }
    case .array, .function: return []
    }
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

  private func keys(of table: LuaTable, functionsOnly: Bool) throws(LuaError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    try table.forEachStringKey(atMost: Self.entryLimit) { key, type in
      if !functionsOnly || type == .function { keys.append(Array(key)) }
    }
    return keys
  }
}
