import StateStore

@testable import PrimereplDomain

extension SignUp {
  /// The record of a store's sign-up, as scripts edit it: setting it, or a part of it, sends an action with the changes.
  static func data(in store: Store) -> StateBinding<Data> {
    StateBinding(
      get: { store.state(of: SignUp.self).data },
      set: { new in
        let changes = DataChange.changes(from: store.state(of: SignUp.self).data, to: new)
        if !changes.isEmpty { try store.send(.edit(changes), to: SignUp.self) }
      })
  }
}
