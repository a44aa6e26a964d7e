/// One change of a list.
///
/// Positions start at 0 and are those of the list at the time of the edit: edits are read, or done
/// again on a copy, one after the other.
public enum ListEdit<Element> {
  /// The element was put at the position; those from there on moved up by one.
  case inserted(position: Int, Element)
  /// The element was taken from the position; those after it moved down by one.
  case removed(position: Int, Element)
  /// The element at the position has another value now.
  case changed(position: Int, old: Element, new: Element)
}

extension ListEdit: Equatable where Element: Equatable {}
extension ListEdit: Sendable where Element: Sendable {}
