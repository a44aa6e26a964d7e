extension SortedTree where Value: Equatable {
  /// How an entry differs between two trees.
  enum Difference {
    case inserted(Value)
    case removed(Value)
    case changed(old: Value, new: Value)
  }

  /// Tells how the entries of another tree become those of this one, in the order of their keys.
  ///
  /// - Parameters:
  ///   - old: The other tree.
  ///   - body: Hears of each difference, and the position at which it is while the entries before are as in this tree and
  ///     those after it as in the other.
  /// - Complexity: O(nodes that the trees don't share).
  func compare(with old: SortedTree, _ body: (_ position: Int, Difference) -> Void) {
    var newer = Cursor(root)
    var older = Cursor(old.root)
    var position = 0
    while true {
      if newer.entries.isEmpty, older.entries.isEmpty, Cursor.skipShared(&newer, &older, &position)
      {
        continue
      }
      if newer.entries.isEmpty { newer.loadEntries() }
      if older.entries.isEmpty { older.loadEntries() }
      let (old, new) = (older.entries.first, newer.entries.first)
      if let old, let new, old.key == new.key {
        if old.value != new.value { body(position, .changed(old: old.value, new: new.value)) }
        older.entries.removeFirst()
        newer.entries.removeFirst()
        position += 1
      } else if let new, old.map({ new.key < $0.key }) ?? true {
        body(position, .inserted(new.value))
        newer.entries.removeFirst()
        position += 1
      } else if let old {
        body(position, .removed(old.value))
        older.entries.removeFirst()
      } else {
        return
      }
    }
  }

  /// Goes through a tree from leaf to leaf.
  private struct Cursor {
    /// The nodes whose entries come next, the first of them last.
    private var nodes: [Node]
    /// The entries of a leaf that come before those of the nodes.
    var entries: ArraySlice<Entry> = []

    init(_ root: Node) { nodes = root.count == 0 ? [] : [root] }

    /// Goes down to the next leaf, if there is one.
    mutating func loadEntries() {
      while let node = nodes.popLast() {
        guard node.children.isEmpty else {
          push(node.children)
          continue
        }
        entries = node.entries[...]
        return
      }
    }

    private mutating func push(_ children: [Child]) {
      for child in children.reversed() { nodes.append(child.node) }
    }

    /// Goes past what comes next in both trees, or into it where it may share something.
    ///
    /// - Returns: Whether it did; else leaves come next that the trees don't share.
    static func skipShared(_ newer: inout Cursor, _ older: inout Cursor, _ position: inout Int)
      -> Bool
    {
      guard let new = newer.nodes.last, let old = older.nodes.last else { return false }
      if new.isIdentical(to: old) {
        newer.nodes.removeLast()
        older.nodes.removeLast()
        position += new.count
        return true
      }
      let (newHeight, oldHeight) = (new.height, old.height)
      guard max(newHeight, oldHeight) > 0 else { return false }
      if newHeight >= oldHeight {
        newer.nodes.removeLast()
        newer.push(new.children)
      }
      if oldHeight >= newHeight {
        older.nodes.removeLast()
        older.push(old.children)
      }
      return true
    }
  }
}

extension SortedTree.Node {
  /// How many levels of nodes are below it.
  fileprivate var height: Int { children.first.map { 1 + $0.node.height } ?? 0 }

  /// Whether both share their storage, and so have the same below them.
  fileprivate func isIdentical(to other: Self) -> Bool {
    children.isEmpty
      ? entries.isIdentical(to: other.entries) : children.isIdentical(to: other.children)
  }
}

extension Array {
  /// Whether both share their storage; empty ones never do.
  fileprivate func isIdentical(to other: [Element]) -> Bool {
    count == other.count
      && withUnsafeBufferPointer { own in
        other.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress && !own.isEmpty }
      }
  }
}
