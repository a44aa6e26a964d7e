import Lua

extension LuaReference {
  /// The entries that `pairs` goes through; nil for an object that it can't go through.
  ///
  /// - Throws: `LuaError`, which a metamethod can raise.
  func pairs() throws(LuaError) -> [(key: LuaValue, value: LuaValue)]? {
    guard case .function(let pairs)? = try metatable()?.rawGet("__pairs") else {
      return try (self as? LuaTable)?.entries()
    }
    let iteration = try pairs.call(self)
    guard case .function(let next)? = iteration.first else {
      throw LuaError(.wrongType, "__pairs returns no iterator")
    }
    let state = iteration.count > 1 ? iteration[1] : .nil
    var key = iteration.count > 2 ? iteration[2] : .nil
    var entries: [(key: LuaValue, value: LuaValue)] = []
    while true {
      let results = try next.call(state, key)
      guard let following = results.first, following != .nil else { return entries }
      key = following
      entries.append((key, results.count > 1 ? results[1] : .nil))
    }
  }
}

extension LuaUserdata {
  /// Whether the object is `json.null`.
  var isNull: Bool {
    get throws(LuaError) {
      do {
        _ = try self.as(LuaNull.self)
        return true
      } catch {
        guard error.is(.wrongType) else { throw error }
        return false
      }
    }
  }
}
