/// A field of the store's state, with what it takes to tell its observers how it changed.
struct FieldWatch {
  let field: Field<App.State>

  private var observers = 0
  /// The value of a scalar when it was last looked at; kept while there are observers.
  private var last = StateValue.none

  init(field: Field<App.State>) {
    self.field = field
  }

  /// Whether there is anything to do after an action.
  var isActive: Bool {
    switch field.content {
    case .scalar: observers > 0
    case .list: true
    }
  }

  mutating func addObserver(state: App.State) {
    if observers == 0, case .scalar(let read) = field.content { last = read(state) }
    observers += 1
  }

  mutating func removeObserver() {
    observers -= 1
    if observers == 0 { last = .none }
  }

  /// How the field changed since this was last called, or nil where it didn't or nobody observes
  /// it.
  ///
  /// - Complexity: O(1) for a scalar, O(edits) for a list.
  mutating func takeChange(in state: inout App.State) -> FieldChange? {
    switch field.content {
    case .scalar(let read):
      guard observers > 0 else { return nil }
      let new = read(state)
      guard new != last else { return nil }
      defer { last = new }
      return FieldChange(path: field.path, change: .value(new: new, old: last))
    case .list(_, let takeEdits, let discardEdits):
      guard observers > 0 else {
        discardEdits(&state)
        return nil
      }
      return takeEdits(&state).map { FieldChange(path: field.path, change: .list($0)) }
    }
  }
}
