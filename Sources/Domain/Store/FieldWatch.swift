/// A field of the state that is observed, with what it takes to tell how it changed.
final class FieldWatch {
  let path: String

  /// How many subscriptions observe it.
  var observers = 0

  private let content: Field<App.State>.Content

  /// Reads a scalar; nil for a list.
  private let read: (@Sendable (App.State) -> StateValue)?

  /// The value of a scalar when it was last looked at.
  ///
  /// Unchecked, as it is only read and replaced as a whole, and this is done for every action.
  @exclusivity(unchecked) private var last = StateValue.none

  /// Watches a field.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - state: The state from which changes are told.
  init(_ field: Field<App.State>, state: App.State) {
    path = field.path
    content = field.content
    switch content {
    case .scalar(let read):
      self.read = read
      last = read(state)
    case .list:
      read = nil
    }
  }

  /// Whether the field is a list, which changes only where it has noted edits.
  var isOfList: Bool { read == nil }

  /// How the field changed since this was last called, or nil where it didn't.
  ///
  /// - Complexity: O(1) for a scalar, O(edits) for a list.
  func takeChange(in state: inout App.State) -> FieldChange? {
    if let read { return change(to: read(state)) }
    guard case .list(let access) = content else { return nil }
    return access.takeEdits(&state).map { FieldChange(path: path, change: .list($0)) }
  }

  /// How the field changes when actions are taken back.
  ///
  /// - Parameters:
  ///   - state: The state before the actions.
  ///   - undone: The same with the actions done again, so that its lists have noted their edits.
  /// - Returns: How the field changes, or nil where it doesn't.
  func takeChange(backTo state: App.State, from undone: inout App.State) -> FieldChange? {
    if let read { return change(to: read(state)) }
    guard case .list(let access) = content else { return nil }
    return access.takeEdits(&undone).map { edits in
      let inverted = edits.inverted ?? .replaced(with: access.values(state))
      return FieldChange(path: path, change: .list(inverted))
    }
  }

  private func change(to new: StateValue) -> FieldChange? {
    let old = last
    guard new != old else { return nil }
    last = new
    return FieldChange(path: path, change: .value(new: new, old: old))
  }
}
