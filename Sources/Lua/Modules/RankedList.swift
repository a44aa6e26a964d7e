/// A list in which what a subclass adds comes before what it inherits.
struct RankedList<Element> {
  private var entries: [(rank: Int, element: Element)] = []

  /// The elements, those of the highest rank first, and of one rank in the order they were added.
  var elements: [Element] { entries.map(\.element) }

  var isEmpty: Bool { entries.isEmpty }

  mutating func add(_ element: Element, rank: Int) {
    let index = entries.firstIndex { $0.rank < rank } ?? entries.count
    entries.insert((rank, element), at: index)
  }
}
