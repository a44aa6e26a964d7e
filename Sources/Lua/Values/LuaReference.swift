/// Keeps a Lua value alive from Swift.
///
/// It may be dropped on any thread; the value itself is reached only through its state.
final class LuaReference: Sendable {
  /// The key in Lua's registry.
  let key: Int32
  private let released: ReleaseQueue

  init(key: Int32, released: ReleaseQueue) {
    self.key = key
    self.released = released
  }

  deinit { released.append(key) }

  /// Whether the value belongs to the state with that queue.
  func belongs(to core: StateCore) -> Bool { core.released === released }
}
