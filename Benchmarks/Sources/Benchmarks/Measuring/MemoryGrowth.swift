/// How many bytes more are in use after work than before.
struct MemoryGrowth {
  /// How often the work was done.
  let count: Int

  /// In the Lua state.
  let lua: Int

  /// In the process.
  let process: Int

  /// Less than anything that is kept each time takes; what the allocator keeps for reuse varies.
  static let limitOfLua = 1024
  static let limitOfProcess = 1024 * 1024

  var isFlat: Bool { lua <= Self.limitOfLua && process <= Self.limitOfProcess }
}
