import StateStore

/// The place of a value in the state of a declared feature.
struct ValuePlace {
  let get: () throws -> StateValue
  /// Assigns the value, or throws that it can't be.
  let set: (StateValue) throws -> Void

  init(_ get: @escaping () throws -> StateValue, set: @escaping (StateValue) throws -> Void) {
    (self.get, self.set) = (get, set)
  }
}
