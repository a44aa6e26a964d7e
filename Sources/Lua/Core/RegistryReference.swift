internal import CLua
internal import CLuaTrampolines
internal import Synchronization

/// Keeps a Lua value alive from Swift, or, in a scope, finds it there for as long as the scope lives.
///
/// It may be dropped on any thread; the value itself is reached only through its state.
final class RegistryReference: Sendable {
  let place: ReleaseQueue.Place
  private let released: ReleaseQueue

  init(key: Int32, scope: Int32 = 0, released: ReleaseQueue) {
    place = ReleaseQueue.Place(key: key, scope: scope)
    self.released = released
  }

  deinit { released.append(place) }

  func belongs(to core: StateCore) -> Bool { core.released === released }
}

/// References to be released.
///
/// A reference may be dropped on any thread (it travels in errors), but only the thread that runs the state may touch
/// the tables that hold the values, so references wait here for that thread.
final class ReleaseQueue: Sendable {
  struct Place: Sendable {
    /// The key in its table.
    let key: Int32

    /// The number of the scope that is the table; 0 for the registry.
    let scope: Int32
  }

  private let places = Mutex<[Place]>([])
  private let hasNone = Atomic<Bool>(true)

  var isEmpty: Bool { hasNone.load(ordering: .acquiring) }

  func append(_ place: Place) {
    places.withLock { $0.append(place) }
    hasNone.store(false, ordering: .releasing)
  }

  /// Removes and returns all that wait.
  ///
  /// - Complexity: O(1) if none wait.
  func take() -> [Place] {
    guard !isEmpty else { return [] }
    return places.withLock { waiting in
      hasNone.store(true, ordering: .relaxed)
      defer { waiting = [] }
      return waiting
    }
  }
}

extension LuaStack {
  /// Refers to the value on top from the registry, and pops it.
  func makeReference() -> RegistryReference {
    let core = core
    // A script that passes values to Swift endlessly must not fill the registry.
    core.releaseUnused(pointer)
    return RegistryReference(key: luaL_ref(pointer, clua_registry_index), released: core.released)
  }

  func push(_ reference: RegistryReference) throws(LuaError) {
    guard reference.belongs(to: core) else {
      throw LuaError(
        .foreignValue,
        "a value of one Lua state can't be used in another: copy its contents instead")
    }
    try push(held: reference)
  }

  /// Pushes the value of a reference of the same state.
  @inline(__always)
  func push(held reference: RegistryReference) throws(LuaError) {
    guard reference.place.scope == 0 else { return try pushScoped(reference) }
    lua_rawgeti(pointer, clua_registry_index, lua_Integer(reference.place.key))
  }

  private func pushScoped(_ reference: RegistryReference) throws(LuaError) {
    guard clua_push_scope(pointer, reference.place.scope) else {
      throw LuaError(.scopeCollected, "the objects that the function belongs to were collected")
    }
    lua_rawgeti(pointer, -1, lua_Integer(reference.place.key))
    lua_rotate(pointer, -2, 1)
    pop(1)
  }
}
