/// What can be done with a list in a state without knowing its records.
struct ListAccess<State>: Sendable {
  /// All records in their general form.
  let values: @Sendable (State) -> ListElements<StateValue>
  let takeEdits: @Sendable (inout State) -> ListEdits<StateValue>?
  /// Notes that the list took the place of that of the second state.
  let noteReplacement: @Sendable (inout State, State) -> Void
  let isEqual: @Sendable (State, State) -> Bool

  private init(
    values: @escaping @Sendable (State) -> ListElements<StateValue>,
    takeEdits: @escaping @Sendable (inout State) -> ListEdits<StateValue>?,
    noteReplacement: @escaping @Sendable (inout State, State) -> Void,
    isEqual: @escaping @Sendable (State, State) -> Bool
  ) {
    self.values = values
    self.takeEdits = takeEdits
    self.noteReplacement = noteReplacement
    self.isEqual = isEqual
  }

  init<Record>(
    _ list: any WritableKeyPath<State, RecordList<Record>> & Sendable,
    _ form: @escaping @Sendable (Record) -> StateValue
  ) {
    self.init(
      values: { ListElements($0[keyPath: list], form) },
      takeEdits: { $0[keyPath: list].takeEdits(as: form) },
      noteReplacement: { $0[keyPath: list].noteReplacement(of: $1[keyPath: list]) },
      isEqual: { $0[keyPath: list] == $1[keyPath: list] })
  }

  /// The same list in a state that contains this one.
  func pulledBack<Parent>(
    _ child: any WritableKeyPath<Parent, State> & Sendable
  ) -> ListAccess<Parent> {
    ListAccess<Parent>(
      values: { values($0[keyPath: child]) },
      takeEdits: { takeEdits(&$0[keyPath: child]) },
      noteReplacement: { noteReplacement(&$0[keyPath: child], $1[keyPath: child]) },
      isEqual: { isEqual($0[keyPath: child], $1[keyPath: child]) })
  }

  /// That the list as a whole became another.
  func replacement(of old: State, by new: State) -> ListEdits<StateValue> {
    .replaced(old: values(old), new: values(new))
  }

  /// The record at a position from 0, or nil where there is none.
  func value(in state: State, at position: Int) -> StateValue? {
    let values = values(state)
    return values.indices.contains(position) ? values[position] : nil
  }
}
