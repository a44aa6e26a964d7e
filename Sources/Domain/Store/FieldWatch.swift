/// A field of the state that is observed, with what it takes to tell how it changed.
final class FieldWatch {
  let field: Field<App.State>

  /// How many subscriptions observe it.
  var observers = 0

  /// The value of a scalar when it was last looked at.
  private var last = StateValue.none

  /// Watches a field.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - state: The state from which changes are told.
  init(_ field: Field<App.State>, state: App.State) {
    self.field = field
    if case .scalar(let read) = field.content { last = read(state) }
  }

  /// How the field changed since this was last called, or nil where it didn't.
  ///
  /// - Complexity: O(1) for a scalar, O(edits) for a list.
  func takeChange(in state: inout App.State) -> FieldChange? {
    switch field.content {
    case .scalar: scalarChange(in: state)
    case .list(let access):
      access.takeEdits(&state).map { FieldChange(path: field.path, change: .list($0)) }
    }
  }

  /// How the field changes when actions are taken back.
  ///
  /// - Parameters:
  ///   - state: The state before the actions.
  ///   - undone: The same with the actions done again, so that its lists have noted their edits.
  /// - Returns: How the field changes, or nil where it doesn't.
  func takeChange(backTo state: App.State, from undone: inout App.State) -> FieldChange? {
    switch field.content {
    case .scalar: scalarChange(in: state)
    case .list(let access):
      access.takeEdits(&undone).map { edits in
        let inverted = edits.inverted ?? .replaced(with: access.values(state))
        return FieldChange(path: field.path, change: .list(inverted))
      }
    }
  }

  private func scalarChange(in state: App.State) -> FieldChange? {
    guard case .scalar(let read) = field.content else { return nil }
    let new = read(state)
    guard new != last else { return nil }
    defer { last = new }
    return FieldChange(path: field.path, change: .value(new: new, old: last))
  }
}
