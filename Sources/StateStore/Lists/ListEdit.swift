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

  /// The edit that takes this one back.
  var inverted: ListEdit {
    switch self {
    case .inserted(let position, let element): .removed(position: position, element)
    case .removed(let position, let element): .inserted(position: position, element)
    case .changed(let position, let old, let new):
      .changed(position: position, old: new, new: old)
    }
  }

  /// The same edit with its elements in another form.
  public func map<Other>(_ transform: (Element) throws -> Other) rethrows -> ListEdit<Other> {
    switch self {
    case .inserted(let position, let element):
      .inserted(position: position, try transform(element))
    case .removed(let position, let element):
      .removed(position: position, try transform(element))
    case .changed(let position, let old, let new):
      .changed(position: position, old: try transform(old), new: try transform(new))
    }
  }
}

extension ListEdit: Equatable where Element: Equatable {}
extension ListEdit: Sendable where Element: Sendable {}
