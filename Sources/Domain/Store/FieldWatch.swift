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
    isOfList = field.isOfList
    switch content {
    case .scalar(let read):
      self.read = read
      last = read(state)
    case .list:
      read = nil
    }
  }

  /// Whether the field is a list or a part of one, which changes only where a list has noted edits.
  let isOfList: Bool

  /// How the field changed since this was last called, or nil where it didn't.
  ///
  /// - Complexity: O(1) for a scalar, O(edits) for a list.
  func takeChange(in state: inout App.State) -> FieldChange? {
    if let read { return change(to: read(state)) }
    guard case .list(let access) = content else { return nil }
    return access.takeEdits(&state).map { FieldChange(path: path, change: .list($0)) }
  }

  /// How the field changes when several actions are done or taken back at once.
  ///
  /// - Parameters:
  ///   - earlier: The state before.
  ///   - later: The state after.
  ///   - noted: The one of them whose lists noted their edits: `later`, or `earlier` where actions are taken back.
  ///   - isBack: Whether they are taken back.
  /// - Returns: How the field changes, or nil where it doesn't.
  func takeChange(
    from earlier: App.State, to later: App.State, noted: inout App.State, isBack: Bool
  ) -> FieldChange? {
    if let read { return change(to: read(later)) }
    guard case .list(let access) = content, let edits = access.takeEdits(&noted) else { return nil }
    // What was replaced halfway tells of what it replaced only.
    if case .replaced = edits {
      return FieldChange(path: path, change: .list(access.replacement(of: earlier, by: later)))
    }
    return FieldChange(path: path, change: .list(isBack ? edits.inverted : edits))
  }

  /// How the field differs between two states; a list that does is told of as replaced.
  ///
  /// - Complexity: O(1) for a scalar; for a list O(records), less where the states share most of it.
  func takeDifference(between earlier: App.State, and state: App.State) -> FieldChange? {
    if let read { return change(to: read(state)) }
    guard case .list(let access) = content, !access.isEqual(earlier, state) else { return nil }
    return FieldChange(path: path, change: .list(access.replacement(of: earlier, by: state)))
  }

  private func change(to new: StateValue) -> FieldChange? {
    let old = last
    guard new != old else { return nil }
    last = new
    return FieldChange(path: path, change: .value(new: new, old: old))
  }
}
