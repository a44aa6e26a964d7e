extension SortedTree where Value: Equatable {
  /// How an entry differs between two trees.
  @usableFromInline enum Difference {
    case inserted(Value)
    case removed(Value)
    case changed(old: Value, new: Value)
  }

  /// Reports how the entries of another tree become those of this one, in the order of their keys.
  ///
  /// `body` gets each difference and its position: before it, entries are as in this tree; after it, as in the other.
  ///
  /// - Complexity: O(nodes that the trees don't share), plus O(`capacity`) for each node above them.
  @inlinable func compare(with old: SortedTree, _ body: (_ position: Int, Difference) -> Void) {
    var newer = Cursor(root)
    var older = Cursor(old.root)
    var position = 0
    while true {
      if newer.entries.isEmpty, older.entries.isEmpty {
        if Cursor.skipShared(&newer, &older, &position) { continue }
      } else {
        let shared = newer.entries.countOfIdentical(with: older.entries)
        newer.entries = newer.entries.dropFirst(shared)
        older.entries = older.entries.dropFirst(shared)
        position += shared
      }
      if newer.entries.isEmpty { newer.loadEntries() }
      if older.entries.isEmpty { older.loadEntries() }
      switch (older.entries.first, newer.entries.first) {
      case (let old?, let new?) where old.key == new.key:
        if old.value != new.value { body(position, .changed(old: old.value, new: new.value)) }
        older.entries = older.entries.dropFirst()
        newer.entries = newer.entries.dropFirst()
        position += 1
      case (let old, let new?) where old.map({ new.key < $0.key }) ?? true:
        body(position, .inserted(new.value))
        newer.entries = newer.entries.dropFirst()
        position += 1
      case (let old?, _):
        body(position, .removed(old.value))
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
      let beginning = new[...].countOfIdentical(with: old[...])
      for child in new[..<beginning] { position += child.count }
      let end = new[beginning...].countOfIdenticalAtEnd(with: old[beginning...])
      let shared = new.suffix(end).reduce(0) { $0 + $1.count }
      if shared > 0 {
        newer.steps.append(.shared(shared))
        older.steps.append(.shared(shared))
      }
      newer.push(new[beginning..<(new.count - end)])
      older.push(old[beginning..<(old.count - end)])
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

extension ArraySlice {
  /// The number of elements at the beginning that are identical bit by bit, and therefore equal.
  ///
  /// Others can be equal, too: padding bits also count.
  @inlinable func countOfIdentical(with other: ArraySlice) -> Int {
    withUnsafeBytes { own in
      other.withUnsafeBytes { others in
        let stride = MemoryLayout<Element>.stride
        let most = Swift.min(count, other.count)
        var same = 0
        while same < most, Self.isSame(own, others, same * stride, same * stride, stride) {
          same += 1
        }
        return same
      }
    }
  }

  /// The number of elements at the end that are identical bit by bit, and therefore equal.
  @inlinable func countOfIdenticalAtEnd(with other: ArraySlice) -> Int {
    withUnsafeBytes { own in
      other.withUnsafeBytes { others in
        let stride = MemoryLayout<Element>.stride
        let most = Swift.min(count, other.count)
        var same = 0
        while same < most,
          Self.isSame(
            own, others, own.count - (same + 1) * stride, others.count - (same + 1) * stride,
            stride)
        {
          same += 1
        }
        return same
      }
    }
  }

  /// Whether `count` bytes are the same, starting at two positions.
  @inlinable static func isSame(
    _ bytes: UnsafeRawBufferPointer, _ others: UnsafeRawBufferPointer, _ start: Int,
    _ otherStart: Int, _ count: Int
  ) -> Bool {
    var offset = 0
    while offset + 8 <= count {
      guard
        bytes.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
          == others.loadUnaligned(fromByteOffset: otherStart + offset, as: UInt64.self)
      else { return false }
      offset += 8
    }
    while offset < count {
      guard bytes[start + offset] == others[otherStart + offset] else { return false }
      offset += 1
    }
    return true
  }
}
