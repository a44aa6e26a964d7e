/// A map sorted by key whose copies share what they have in common.
///
/// Copying costs nothing, however large the tree is. Changing a copy copies the nodes on the way to the entry, about
/// `log(count)` of them, and only those that are still shared: a tree that nobody copied is changed in place. That is what
/// lets a history keep old states of a large list.
///
/// It is a B+ tree: all entries are in the leaves, and inner nodes know how many are below them, so that an entry is also
/// found by its position. Nodes that become empty are freed, others aren't merged: free-at-empty keeps trees as well filled
/// under mixed use, and is simpler (Johnson and Shasha, "B-trees with inserts and deletes", 1993).
@usableFromInline struct SortedTree<Key: Comparable & Sendable, Value: Sendable>: Sendable {
  /// An entry of a leaf.
  @usableFromInline struct Entry: Sendable {
    @usableFromInline let key: Key
    @usableFromInline var value: Value

    @inlinable init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }
  }

  @usableFromInline var root = Node()

  /// The most entries of a leaf, and the most children of an inner node.
  ///
  /// With more, a lookup has fewer steps, but a change
  /// of a shared tree copies more.
  @inlinable static var capacity: Int { 32 }

  /// Makes an empty tree.
  @inlinable init() {}

  /// Makes a tree of entries in ascending order of their keys, of which no two are the same.
  ///
  /// - Complexity: O(entries).
  @inlinable init(sorted entries: [Entry]) {
    var nodes = entries.chunks(of: Self.capacity).map { Node(entries: Array($0)) }
    while nodes.count > 1 {
      nodes = nodes.chunks(of: Self.capacity).map { Node(children: $0.map(Child.init)) }
    }
    root = nodes.first ?? Node()
  }

  /// The number of entries.
  ///
  /// - Complexity: O(1), as a node has at most `capacity` children.
  @inlinable var count: Int { root.count }
}

// MARK: - Reading

extension SortedTree {
  /// The value of a key, or nil where there is none.
  ///
  /// - Complexity: O(log `count`), as for everything here but where it says otherwise.
  @inlinable subscript(key: Key) -> Value? { root.value(for: key) }

  /// Whether there is an entry with a key.
  @inlinable func contains(_ key: Key) -> Bool { root.contains(key) }

  /// How many entries are before the one with a key, or nil where there is none.
  @inlinable func position(of key: Key) -> Int? { root.position(of: key) }

  /// The entry at a position, which must be one of the tree's: from 0 to `count - 1`.
  @inlinable subscript(position position: Int) -> Entry {
    let leaf = leaf(at: position)
    return leaf.entries[leaf.offset]
  }

  /// The leaf with the entry at a position, which must be one of the tree's, and the entry's place in it.
  @inlinable func leaf(at position: Int) -> (entries: [Entry], offset: Int) {
    precondition(position >= 0 && position < count, "The tree has no position \(position).")
    return root.leaf(at: position)
  }
}

// MARK: - Changing

extension SortedTree {
  /// Makes a value that of a key, whether or not it has one.
  @inlinable mutating func set(_ value: Value, for key: Key) {
    guard let sibling = root.set(value, for: key) else { return }
    root = Node(children: [Child(root), Child(sibling)])
  }

  /// Changes the value of a key in place.
  ///
  /// - Returns: What the change returns, or nil where there is no such key.
  @inlinable mutating func update<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result?
  {
    // Looked up first, since going down to change unshares the nodes on the way.
    guard contains(key) else { return nil }
    return root.update(key, change)
  }

  /// Removes the entry with a key.
  ///
  /// - Returns: Its value, or nil where there is none.
  @discardableResult
  @inlinable mutating func remove(_ key: Key) -> Value? {
    guard contains(key) else { return nil }
    let removed = root.remove(key)
    while root.children.count == 1 { root = root.children[0].node }
    return removed
  }
}

extension SortedTree.Entry: Equatable where Value: Equatable {}

extension SortedTree: Equatable where Value: Equatable {
  /// Whether two trees have the same entries in the same nodes; trees of the same entries may differ.
  ///
  /// - Complexity: O(nodes that aren't shared), as arrays that share their storage are equal at once.
  @inlinable static func == (left: Self, right: Self) -> Bool { left.root == right.root }
}

extension Array {
  /// The elements in order, in slices of a size; the last may be shorter.
  @inlinable func chunks(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
