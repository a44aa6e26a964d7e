package import StateStore

/// The secrets, such as passwords, that an app's state has or had; no written file may contain them.
package final class SessionSecrets {
  private var secrets: [Secret] = []

  /// The number of different secrets so far.
  package var count: Int { secrets.count }

  /// Finds the secrets in the state of a store.
  ///
  /// - Complexity: O(size of the fields that can have secrets).
  package init(in store: Store) {
    for field in store.schema.fields where field.shape.hasSecrets {
      note(field.value(in: store.states))
    }
  }

  /// Finds the secrets in the state of a store, and adds those that its state gets from now on.
  ///
  /// - Throws: `StoreError`, which doesn't happen for the schema's own fields.
  package convenience init(observing store: Store) throws(StoreError) {
    self.init(in: store)
    for field in store.schema.fields where field.shape.hasSecrets {
      try store.observe(field.path) { [weak self] change in
        for field in change.fields { self?.note(field.change) }
      }
    }
  }

  /// Whether a text contains one of the secrets.
  package func areContained(in text: String) -> Bool {
    secrets.contains { $0.isContained(in: text) }
  }

  private func note(_ change: FieldChange.Change) {
    switch change {
    case .value(let new, _): note(new)
    case .list(.replaced(_, let elements)): for element in elements { note(element) }
    case .list(.edits(let edits)):
      for edit in edits {
        switch edit {
        case .inserted(_, let element), .changed(_, _, let element): note(element)
        case .removed: break
        }
      }
    }
  }

  private func note(_ value: StateValue) {
    switch value {
    case .secret(let secret): if !secrets.contains(secret) { secrets.append(secret) }
    case .list(let elements, let members):
      for element in elements { note(element) }
      for member in members { note(member.value) }
    case .record(let members):
      for member in members { note(member.value) }
    case .none, .boolean, .integer, .number, .text: break
    }
  }
}
