/// Elements that take turns.
@MainActor
final class RoundRobin<Element> {
  private let elements: [Element]
  private var turn = 0

  /// Takes at least one element.
  init(_ elements: [Element]) {
    precondition(!elements.isEmpty, "somebody has to be next")
    self.elements = elements
  }

  /// The element whose turn it is.
  func next() -> Element {
    defer { turn = (turn + 1) % elements.count }
    return elements[turn]
  }
}
