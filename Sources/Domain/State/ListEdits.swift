/// What happened to a list between two looks at it.
public enum ListEdits<Element> {
  /// Single edits, in the order they happened.
  case edits([ListEdit<Element>])
  /// The list as a whole became this one.
  case replaced(with: [Element])

  /// The edits that take these back, or nil where the list was replaced, as these don't know by what.
  var inverted: ListEdits? {
    switch self {
    case .edits(let edits): .edits(edits.reversed().map(\.inverted))
    case .replaced: nil
    }
  }

  /// The same edits with their elements in another form.
  ///
  /// - Complexity: O(edits), or O(new elements) for a list that was replaced.
  public func map<Other>(_ transform: (Element) throws -> Other) rethrows -> ListEdits<Other> {
    switch self {
    case .edits(let edits): .edits(try edits.map { try $0.map(transform) })
    case .replaced(let elements): .replaced(with: try elements.map(transform))
    }
  }
}

extension ListEdits: Equatable where Element: Equatable {}
extension ListEdits: Sendable where Element: Sendable {}
