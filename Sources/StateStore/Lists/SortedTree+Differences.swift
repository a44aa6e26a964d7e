extension SortedTree {
  @usableFromInline enum Difference {
    case inserted(Value)
    case removed(Value)
    case changed(old: Value, new: Value)
  }

  /// Reports how the entries of another tree become those of this one, in the order of their keys.
  ///
  /// `areSame` compares the values of one key. `body` gets each difference with its position and key: before it, entries
  /// are as in this tree; after it, as in the other.
  ///
  /// - Complexity: O(nodes that the trees don't share), plus O(`capacity`) for each node above them.
  @inlinable func compare(
    with old: SortedTree, areSame: (Value, Value) -> Bool,
    _ body: (_ position: Int, Key, Difference) -> Void
  ) {
    var newer = Cursor(root)
    var older = Cursor(old.root)
    var position = 0
    while true {
      if newer.entries.isEmpty, older.entries.isEmpty,
        Cursor.skipShared(&newer, &older, &position)
      {
        continue
      }
      if newer.entries.isEmpty { newer.loadEntries() }
      if older.entries.isEmpty { older.loadEntries() }
      switch (older.entries.first, newer.entries.first) {
      case (let old?, let new?) where old.key == new.key:
        if !areSame(old.value, new.value) {
          body(position, new.key, .changed(old: old.value, new: new.value))
        }
        older.entries = older.entries.dropFirst()
        newer.entries = newer.entries.dropFirst()
        position += 1
      case (let old, let new?) where old.map({ new.key < $0.key }) ?? true:
        body(position, new.key, .inserted(new.value))
        newer.entries = newer.entries.dropFirst()
        position += 1
      case (let old?, _):
        body(position, old.key, .removed(old.value))
        older.entries = older.entries.dropFirst()
      default:
        if newer.steps.isEmpty, older.steps.isEmpty { return }
      }
    }
  }

  /// Iterates over a tree leaf by leaf.
  @usableFromInline struct Cursor {
    @usableFromInline enum Step {
      case node(Node)
      /// The number of entries that both trees share here.
      case shared(Int)
    }

    /// The next steps, in reverse order.
    @usableFromInline var steps: [Step]
    /// The remaining entries of a leaf, which come before the steps.
    @usableFromInline var entries: ArraySlice<Entry> = []

    @inlinable init(_ root: Node) { steps = root.count == 0 ? [] : [.node(root)] }

    /// Descends to the next leaf, unless a shared step comes first.
    @inlinable mutating func loadEntries() {
      while case .node(let node)? = steps.last {
        steps.removeLast()
        guard node.children.isEmpty else {
          push(node.children[...])
          continue
        }
        entries = node.entries[...]
        return
      }
    }

    @inlinable mutating func push(_ children: ArraySlice<Child>) {
      for child in children.reversed() { steps.append(.node(child.node)) }
    }

    /// Skips what comes next in both trees, or descends into it if the trees may share a part of it.
    ///
    /// - Returns: Whether it did; otherwise, the next leaves aren't shared.
    @inlinable static func skipShared(
      _ newer: inout Cursor, _ older: inout Cursor, _ position: inout Int
    ) -> Bool {
      switch (newer.steps.last, older.steps.last) {
      case (.shared(let count), .shared):
        newer.steps.removeLast()
        older.steps.removeLast()
        position += count
        return true
      case (.node(let new), .node(let old)):
        if new.isIdentical(to: old) {
          position += new.count
          newer.steps.removeLast()
          older.steps.removeLast()
          return true
        }
        let (newHeight, oldHeight) = (new.height, old.height)
        guard max(newHeight, oldHeight) > 0 else { return false }
        if newHeight == oldHeight {
          newer.steps.removeLast()
          older.steps.removeLast()
          pushDifferent(new.children, old.children, &newer, &older, &position)
        } else if newHeight > oldHeight {
          newer.steps.removeLast()
          newer.push(new.children[...])
        } else {
          older.steps.removeLast()
          older.push(old.children[...])
        }
        return true
      default:
        return false
      }
    }

    /// Descends into two nodes, skipping the children at their beginning and end that they share.
    @inlinable static func pushDifferent(
      _ new: [Child], _ old: [Child], _ newer: inout Cursor, _ older: inout Cursor,
      _ position: inout Int
    ) {
      let beginning = countOfShared(new, old)
      for child in new[..<beginning] { position += child.count }
      let end = countOfShared(new[beginning...].reversed(), old[beginning...].reversed())
      let shared = new.suffix(end).reduce(0) { $0 + $1.count }
      if shared > 0 {
        newer.steps.append(.shared(shared))
        older.steps.append(.shared(shared))
      }
      newer.push(new[beginning..<(new.count - end)])
      older.push(old[beginning..<(old.count - end)])
    }

    /// The number of children, from the first on, that both have.
    @inlinable static func countOfShared(
      _ new: some Sequence<Child>, _ old: some Sequence<Child>
    ) -> Int {
      var count = 0
      for (new, old) in zip(new, old) {
        guard new.node.isIdentical(to: old.node) else { break }
        count += 1
      }
      return count
    }
  }
}

extension SortedTree.Node {
  /// The number of levels of nodes below it.
  @inlinable var height: Int { children.first.map { 1 + $0.node.height } ?? 0 }

  /// Whether both share their storage, so that everything below them is the same.
  @inlinable func isIdentical(to other: Self) -> Bool {
    func isShared<Element>(_ elements: [Element], _ others: [Element]) -> Bool {
      elements.count == others.count
        && elements.withUnsafeBufferPointer { elements in
          others.withUnsafeBufferPointer { $0.baseAddress == elements.baseAddress }
        }
    }
    return children.isEmpty && other.children.isEmpty
      ? isShared(entries, other.entries) : isShared(children, other.children)
  }
}
