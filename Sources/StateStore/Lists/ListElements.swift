/// The elements of a list that was replaced as a whole, which are made when they are read.
///
/// The list itself is kept, which costs nothing, as its copies share their storage. So who isn't interested in the million
/// elements of a list doesn't pay for them.
public struct ListElements<Element: Sendable>: RandomAccessCollection, Sendable {
  @usableFromInline let element: @Sendable (Int) -> Element

  /// The number of elements.
  public let endIndex: Int

  /// The elements of a list, each in another form.
  @inlinable init<Record>(
    _ list: RecordList<Record>, _ form: @escaping @Sendable (Record) -> Element
  ) {
    self.init(count: list.count) { form(list[$0]) }
  }

  /// Elements that are made by their positions.
  @inlinable init(count: Int, element: @escaping @Sendable (Int) -> Element) {
    endIndex = count
    self.element = element
  }

  /// The first position, always 0.
  @inlinable public var startIndex: Int { 0 }

  /// The element at a position, which must be one of the list's.
  ///
  /// - Complexity: O(log `count`).
  @inlinable public subscript(position: Int) -> Element { element(position) }
}

extension ListElements: Equatable where Element: Equatable {
  /// Whether the elements are the same.
  @inlinable public static func == (left: Self, right: Self) -> Bool { left.elementsEqual(right) }
}

extension ListElements: ExpressibleByArrayLiteral {
  /// Makes elements as they are written.
  @inlinable public init(arrayLiteral elements: Element...) {
    self.init(count: elements.count) { elements[$0] }
  }
}
