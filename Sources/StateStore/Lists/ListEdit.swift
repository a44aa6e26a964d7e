/// One edit of a list.
///
/// Positions start at 0 and are those at the time of the edit: read edits, or repeat them on a copy, in order.
public enum ListEdit<Element> {
  /// The element was inserted at the position; the elements from there on moved up by one.
  case inserted(position: Int, Element)
  /// The element was removed from the position; the elements after it moved down by one.
  case removed(position: Int, Element)
  /// The element at the position has a new value.
  case changed(position: Int, old: Element, new: Element)
}

extension ListEdit: Equatable where Element: Equatable {}
extension ListEdit: Sendable where Element: Sendable {}

extension ListEdit {
  var position: Int {
    switch self {
    case .inserted(let position, _), .removed(let position, _), .changed(let position, _, _):
      position
    }
  }

  @inlinable func mapped<Other, Failure>(
    _ form: (Element) throws(Failure) -> Other
  ) throws(Failure) -> ListEdit<Other> {
    switch self {
    case .inserted(let position, let element): .inserted(position: position, try form(element))
    case .removed(let position, let element): .removed(position: position, try form(element))
    case .changed(let position, let old, let new):
      .changed(position: position, old: try form(old), new: try form(new))
    }
  }

  @inlinable var inverse: ListEdit {
    switch self {
    case .inserted(let position, let element): .removed(position: position, element)
    case .removed(let position, let element): .inserted(position: position, element)
    case .changed(let position, let old, let new): .changed(position: position, old: new, new: old)
    }
  }
}

/// How a list changed from one time to another.
public enum ListEdits<Element: Sendable> {
  /// Single edits: of an action that makes up to a hundred, in the order in which it made them; of another one, and of an
  /// undo, redo, jump or save, first the removed records and then the inserted and changed ones, in the order of the
  /// records.
  ///
  /// No two records have the same id at any time in between. Edits of one action can cancel each other out.
  case edits([ListEdit<Element>])
  /// The whole list was replaced.
  case replaced(old: ListElements<Element>, new: ListElements<Element>)
}

extension ListEdits: Equatable where Element: Equatable {}
extension ListEdits: Sendable {}

/// The identity of a list and its copies.
@usableFromInline final class Lineage: Sendable {
  @usableFromInline init() {}
}

/// The elements of a list that was replaced as a whole, which are made when they are read.
///
/// Keeping the list costs nothing, as copies share their storage, so an observer that reads none of a million
/// elements pays for none.
public struct ListElements<Element: Sendable>: RandomAccessCollection, Sendable {
  @usableFromInline let element: @Sendable (Int) -> Element

  /// The number of elements.
  public let endIndex: Int

  @inlinable init<Record>(
    _ list: RecordList<Record>, _ form: @escaping @Sendable (Record) -> Element
  ) {
    self.init(count: list.count) { form(list[$0]) }
  }

  @inlinable init(count: Int, element: @escaping @Sendable (Int) -> Element) {
    endIndex = count
    self.element = element
  }

  /// The first position, always 0.
  @inlinable public var startIndex: Int { 0 }

  /// The element at a position, which must be in the list.
  ///
  /// - Complexity: O(log `count`).
  @inlinable public subscript(position: Int) -> Element { element(position) }
}

extension ListElements: Equatable where Element: Equatable {
  /// Whether the elements are the same.
  @inlinable public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

extension ListElements: ExpressibleByArrayLiteral {
  /// Makes elements from an array literal.
  @inlinable public init(arrayLiteral elements: Element...) { self.init(elements) }

  @inlinable package init(_ elements: [Element]) {
    self.init(count: elements.count) { elements[$0] }
  }
}
