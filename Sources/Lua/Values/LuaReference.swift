/// Keeps a Lua value alive from Swift, or, in a scope, finds it there for as long as the scope lives.
///
/// It may be dropped on any thread; the value itself is reached only through its state.
final class LuaReference: Sendable {
  /// Where the value is.
  let place: ReleaseQueue.Place
  private let released: ReleaseQueue

  init(key: Int32, scope: Int32 = 0, released: ReleaseQueue) {
    place = ReleaseQueue.Place(key: key, scope: scope)
    self.released = released
  }

  deinit { released.append(place) }

  /// Whether the value belongs to the state with that queue.
  func belongs(to core: StateCore) -> Bool { core.released === released }
}
