/// What happened to a list between two looks at it.
public enum ListEdits<Element: Sendable> {
  /// Single edits, in the order they happened.
  case edits([ListEdit<Element>])
  /// The list as a whole became another.
  case replaced(old: ListElements<Element>, new: ListElements<Element>)
}

extension ListEdits: Equatable where Element: Equatable {}
extension ListEdits: Sendable {}
