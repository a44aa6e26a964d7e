package import Lua

/// The entries that Lua's `pairs` goes through.
package struct LuaPairs {
  package let entries: [(key: LuaValue, value: LuaValue)]
  /// Whether there are no more entries than the limit.
  package let isComplete: Bool
  /// Whether they are those of the table itself, in no order, rather than from its `__pairs`.
  package let isRaw: Bool
}

extension LuaReference {
  /// The entries that `pairs` goes through; nil for an object that it can't go through.
  package func pairs(atMost limit: Int = .max) throws(LuaError) -> LuaPairs? {
    if case .function(let pairs)? = try metatable()?.rawGet("__pairs") {
      return try Self.pairs(from: pairs.call(self), atMost: limit)
    }
    guard let table = self as? LuaTable else { return nil }
    let (entries, isComplete) = try table.entries(atMost: limit)
    return LuaPairs(entries: entries, isComplete: isComplete, isRaw: true)
  }

  private static func pairs(
    from iteration: [LuaValue], atMost limit: Int
  ) throws(LuaError) -> LuaPairs {
    guard case .function(let next)? = iteration.first else {
      throw LuaError(.wrongType, "__pairs returns no iterator")
    }
    let state = iteration.count > 1 ? iteration[1] : .nil
    var key = iteration.count > 2 ? iteration[2] : .nil
    var entries: [(key: LuaValue, value: LuaValue)] = []
    while true {
      let results = try next.call(state, key)
      let isAtEnd = results.first.map { $0 == .nil } ?? true
      guard !isAtEnd, entries.count < limit else {
        return LuaPairs(entries: entries, isComplete: isAtEnd, isRaw: false)
      }
      key = results[0]
      entries.append((key, results.count > 1 ? results[1] : .nil))
    }
  }
}

extension LuaUserdata {
  /// Whether the object is `json.null`.
  package var isNull: Bool {
    get throws(LuaError) { try hostObject() is LuaNull }
  }
}
