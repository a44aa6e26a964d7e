import Lua

/// Lua's standard library, as far as help knows it: where the reference manual describes it.
enum LuaManual {
  /// A library, a function or another value of the standard library.
  struct Entry: Equatable {
    /// As scripts write it: "string.format", "print".
    let name: String
    /// The number of the section in the manual.
    let section: String
  }

  private static let address = "https://www.lua.org/manual/5.4/manual.html"

  private static let libraries = [
    "coroutine": "6.2", "package": "6.3", "string": "6.4", "utf8": "6.5", "table": "6.6",
    "math": "6.7", "io": "6.8", "os": "6.9", "debug": "6.10",
  ]

  private static let basicFunctions = [
    "assert", "collectgarbage", "dofile", "error", "getmetatable", "ipairs", "load", "loadfile",
    "next", "pairs", "pcall", "print", "rawequal", "rawget", "rawlen", "rawset", "require",
    "select", "setmetatable", "tonumber", "tostring", "type", "warn", "xpcall",
  ]

  /// The entry of a name that the state has: "string", "string.format", "print".
  static func entry(named name: String, in globals: LuaTable) throws(LuaError) -> Entry? {
    if basicFunctions.contains(name) { return Entry(name: name, section: "6.1") }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let library = parts.first, let section = libraries[library],
      case .table(let table) = try globals.rawGet(library)
    else { return nil }
    switch parts.count {
    case 1: return Entry(name: name, section: section)
    case 2: return try table.rawGet(parts[1]) == .nil ? nil : Entry(name: name, section: section)
    default: return nil
    }
  }

  /// The entry of a value; nil if it isn't one of the standard library.
  static func entry(of value: LuaValue, in globals: LuaTable) throws(LuaError) -> Entry? {
    for name in basicFunctions where try globals.rawGet(name) == value {
      return Entry(name: name, section: "6.1")
    }
    for (library, section) in libraries {
      guard case .table(let table) = try globals.rawGet(library) else { continue }
      if value == .table(table) { return Entry(name: library, section: section) }
      for (name, function) in try functions(of: table) where function == value {
        return Entry(name: "\(library).\(name)", section: section)
      }
    }
    return nil
  }

  /// The names of the standard library that the state has, with those of its functions.
  static func names(in globals: LuaTable) throws(LuaError) -> [String] {
    var names = basicFunctions
    for library in libraries.keys.sorted() {
      guard case .table(let table) = try globals.rawGet(library) else { continue }
      names.append(library)
      names += try functions(of: table).map { "\(library).\($0.name)" }.sorted()
    }
    return names
  }

  private static func functions(
    of table: LuaTable
  ) throws(LuaError) -> [(name: String, value: LuaValue)] {
    try table.entries(atMost: 1_000).entries.compactMap { key, value in
      guard case .string(let name) = key, let name = name.text, case .function = value else {
        return nil
      }
      return (name, value)
    }
  }

  /// What help says of an entry.
  static func text(on entry: Entry) -> String {
    let anchor = libraries[entry.name] == nil ? "pdf-\(entry.name)" : entry.section
    return """
      \(entry.name) is part of Lua's standard library: see the manual, §\(entry.section).
      \(address)#\(anchor)
      """
  }
}
