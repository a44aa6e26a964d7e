/// What happened to a list between two looks at it.
public enum ListEdits<Element: Sendable> {
  /// Single edits, in the order they happened.
  case edits([ListEdit<Element>])
  /// The list as a whole became this one.
  case replaced(with: ListElements<Element>)

  /// The edits that take these back, or nil where the list was replaced, as these don't know by what.
  var inverted: ListEdits? {
    switch self {
    case .edits(let edits): .edits(edits.reversed().map(\.inverted))
    case .replaced: nil
    }
  }
}

extension ListEdits: Equatable where Element: Equatable {}
extension ListEdits: Sendable {}
