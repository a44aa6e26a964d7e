/// What can be done with a list in a state without knowing its records.
struct ListAccess<State>: Sendable {
  /// All records in their general form, in O(records).
  let values: @Sendable (State) -> [StateValue]
  /// The record at a position from 0, or nil where there is none.
  let value: @Sendable (State, Int) -> StateValue?
  let takeEdits: @Sendable (inout State) -> ListEdits<StateValue>?
  /// Notes that the list has become this one as a whole.
  let noteReplacement: @Sendable (inout State) -> Void
  let isEqual: @Sendable (State, State) -> Bool

  private init(
    values: @escaping @Sendable (State) -> [StateValue],
    value: @escaping @Sendable (State, Int) -> StateValue?,
    takeEdits: @escaping @Sendable (inout State) -> ListEdits<StateValue>?,
    noteReplacement: @escaping @Sendable (inout State) -> Void,
    isEqual: @escaping @Sendable (State, State) -> Bool
  ) {
    self.values = values
    self.value = value
    self.takeEdits = takeEdits
    self.noteReplacement = noteReplacement
    self.isEqual = isEqual
  }

  init<Record>(
    _ list: any WritableKeyPath<State, RecordList<Record>> & Sendable,
    _ form: @escaping @Sendable (Record) -> StateValue
  ) {
    self.init(
      values: { $0[keyPath: list].map(form) },
      value: { state, position in
        let records = state[keyPath: list]
        return records.indices.contains(position) ? form(records[position]) : nil
      },
      takeEdits: { $0[keyPath: list].takeEdits()?.map(form) },
      noteReplacement: { $0[keyPath: list].noteReplacement() },
      isEqual: { $0[keyPath: list] == $1[keyPath: list] })
  }

  /// The same list in a state that contains this one.
  func pulledBack<Parent>(
    _ child: any WritableKeyPath<Parent, State> & Sendable
  ) -> ListAccess<Parent> {
    ListAccess<Parent>(
      values: { values($0[keyPath: child]) },
      value: { value($0[keyPath: child], $1) },
      takeEdits: { takeEdits(&$0[keyPath: child]) },
      noteReplacement: { noteReplacement(&$0[keyPath: child]) },
      isEqual: { isEqual($0[keyPath: child], $1[keyPath: child]) })
  }

  func isEmpty(in state: State) -> Bool { value(state, 0) == nil }
}
