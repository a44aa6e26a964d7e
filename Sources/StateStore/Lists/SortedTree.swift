/// A map sorted by key whose copies share what they have in common.
///
/// Copying costs nothing, however large the tree is. Changing a copy copies the nodes on the path to the entry, about
/// `log(count)` of them, and only those still shared: a tree without copies is changed in place. This lets a history
/// keep old states of a large list.
///
/// It is a counted B+ tree: all entries are in the leaves, and inner nodes store the number of entries below them, so
/// that entries are also found by position. Empty nodes are freed; others aren't merged: free-at-empty keeps trees as
/// well filled under mixed use, and is simpler (Johnson and Shasha, "B-trees with inserts and deletes", 1993).
@usableFromInline struct SortedTree<Key: Comparable & Sendable, Value: Sendable>: Sendable {
  @usableFromInline struct Entry: Sendable {
    @usableFromInline let key: Key
    @usableFromInline var value: Value

    @inlinable init(key: Key, value: Value) {
      self.key = key
      self.value = value
    }
  }

  @usableFromInline var root = Node()

  /// The maximum number of entries of a leaf, and of children of an inner node.
  ///
  /// A greater capacity makes lookups shorter, but changing a shared tree copies more.
  @inlinable static var capacity: Int { 32 }

  @inlinable init() {}

  /// Makes a tree of entries in ascending order of their keys, which must be unique.
  ///
  /// - Complexity: O(entries).
  @inlinable init(sorted entries: [Entry]) {
    var nodes = entries.chunks(of: Self.capacity).map { Node(entries: Array($0)) }
    while nodes.count > 1 {
      nodes = nodes.chunks(of: Self.capacity).map { Node(children: $0.map(Child.init)) }
    }
    root = nodes.first ?? Node()
  }

  /// O(1), as a node has at most `capacity` children.
  @inlinable var count: Int { root.count }
}

// MARK: - Reading

extension SortedTree {
  /// The value of a key; nil if there is none.
  ///
  /// - Complexity: O(log `count`), as for every method here that doesn't say otherwise.
  @inlinable subscript(key: Key) -> Value? { root.value(for: key) }

  @inlinable func contains(_ key: Key) -> Bool { root.contains(key) }

  /// The number of entries before the one with a key; nil if there is none.
  @inlinable func position(of key: Key) -> Int? { root.position(of: key) }

  /// The entry at a position, from 0 to `count - 1`.
  @inlinable subscript(position position: Int) -> Entry {
    let leaf = leaf(at: position)
    return leaf.entries[leaf.offset]
  }

  /// The leaf that contains the entry at a position, from 0 to `count - 1`, and the entry's offset in the leaf.
  @inlinable func leaf(at position: Int) -> (entries: [Entry], offset: Int) {
    precondition(position >= 0 && position < count, "The tree has no position \(position).")
    return root.leaf(at: position)
  }
}

extension SortedTree {
  func forEach(_ body: (Key, Value) throws -> Void) rethrows { try root.forEach(body) }
}

// MARK: - Changing

extension SortedTree {
  @inlinable mutating func set(_ value: Value, for key: Key) {
    guard let sibling = root.set(value, for: key) else { return }
    root = Node(children: [Child(root), Child(sibling)])
  }

  /// Changes the value of a key in place and returns the closure's result; nil if there is no such key.
  @inlinable mutating func update<Result, Failure>(
    _ key: Key, _ change: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    // Checked first, since descending for a change unshares the nodes on the path.
    guard contains(key) else { return nil }
    return try root.update(key, change)
  }

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
  /// Whether two trees have the same entries in the same nodes; trees with the same entries can have other nodes.
  ///
  /// - Complexity: O(nodes that aren't shared), as arrays that share their storage are equal at once.
  @inlinable static func == (left: Self, right: Self) -> Bool { left.root == right.root }
}

extension Array {
  @inlinable func chunks(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}

extension SortedTree {
  /// A leaf, which has entries, or an inner node, which has children; never both.
  @usableFromInline struct Node: Sendable {
    @usableFromInline var entries: [Entry] = []
    @usableFromInline var children: [Child] = []

    @inlinable init() {}

    @inlinable init(entries: [Entry]) {
      self.entries = entries
    }

    @inlinable init(children: [Child]) {
      self.children = children
    }

    /// The number of entries in the node and below it.
    @inlinable var count: Int {
      children.isEmpty ? entries.count : children.reduce(0) { $0 + $1.count }
    }

    @inlinable var firstKey: Key? {
      children.first?.firstKey ?? entries.first?.key
    }
  }

  @usableFromInline struct Child: Sendable {
    /// No key below the node is less, and all keys before it are.
    @usableFromInline var firstKey: Key
    @usableFromInline var count: Int
    @usableFromInline var node: Node

    /// The node must have entries.
    @inlinable init(_ node: Node) {
      guard let firstKey = node.firstKey else { preconditionFailure("A child has entries.") }
      self.firstKey = firstKey
      self.count = node.count
      self.node = node
    }
  }
}

// MARK: - Reading

// Nodes are read where they are: copies of them, which the elements of an array are, would be retained and released.
extension SortedTree.Node {
  @inlinable func value(for key: Key) -> Value? {
    guard children.isEmpty else {
      let index = childIndex(for: key)
      return children.withUnsafeBufferPointer { $0[index].node.value(for: key) }
    }
    let index = entryIndex(for: key)
    return entries.withUnsafeBufferPointer { entries in
      index < entries.count && entries[index].key == key ? entries[index].value : nil
    }
  }

  @inlinable func contains(_ key: Key) -> Bool {
    guard children.isEmpty else {
      let index = childIndex(for: key)
      return children.withUnsafeBufferPointer { $0[index].node.contains(key) }
    }
    let index = entryIndex(for: key)
    return index < entries.count && entries[index].key == key
  }

  @inlinable func position(of key: Key) -> Int? {
    guard !children.isEmpty else {
      let index = entryIndex(for: key)
      return index < entries.count && entries[index].key == key ? index : nil
    }
    let index = childIndex(for: key)
    guard let position = children[index].node.position(of: key) else { return nil }
    return children[..<index].reduce(position) { $0 + $1.count }
  }

  /// The position must be below the node.
  @inlinable func leaf(at position: Int) -> (entries: [SortedTree.Entry], offset: Int) {
    guard !children.isEmpty else { return (entries, position) }
    return children.withUnsafeBufferPointer { children in
      var (index, offset) = (0, position)
      while offset >= children[index].count {
        offset -= children[index].count
        index += 1
      }
      return children[index].node.leaf(at: offset)
    }
  }

  func forEach(_ body: (Key, Value) throws -> Void) rethrows {
    for entry in entries { try body(entry.key, entry.value) }
    for child in children { try child.node.forEach(body) }
  }

  /// The index of the first entry whose key isn't less.
  @inlinable func entryIndex(for key: Key) -> Int {
    entries.withUnsafeBufferPointer { entries in
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].key < key { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  /// The index of the child that contains a key, or would contain it.
  @inlinable func childIndex(for key: Key) -> Int {
    children.withUnsafeBufferPointer { children in
      var (low, high) = (1, children.count)
      while low < high {
        let middle = (low + high) / 2
        if children[middle].firstKey <= key { low = middle + 1 } else { high = middle }
      }
      return low - 1
    }
  }
}

// MARK: - Changing

extension SortedTree.Node {
  /// Sets the value of a key, and returns the node to insert after this one if this one had to be split.
  @inlinable mutating func set(_ value: Value, for key: Key) -> Self? {
    guard !children.isEmpty else { return setEntry(value, for: key) }
    let index = childIndex(for: key)
    let sibling = children[index].node.set(value, for: key)
    children[index].count = children[index].node.count
    children[index].firstKey = Swift.min(children[index].firstKey, key)
    guard let sibling else { return nil }
    return children.insert(
      SortedTree.Child(sibling), at: index + 1, capacity: SortedTree.capacity
    ).map(Self.init(children:))
  }

  @inlinable mutating func setEntry(_ value: Value, for key: Key) -> Self? {
    let index = entryIndex(for: key)
    let entry = SortedTree.Entry(key: key, value: value)
    guard index == entries.count || entries[index].key != key else {
      entries[index] = entry
      return nil
    }
    return entries.insert(entry, at: index, capacity: SortedTree.capacity)
      .map(Self.init(entries:))
  }

  /// The key must be below the node.
  @inlinable mutating func update<Result, Failure>(
    _ key: Key, _ change: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard children.isEmpty else {
      return try children[childIndex(for: key)].node.update(key, change)
    }
    return try change(&entries[entryIndex(for: key)].value)
  }

  /// The key must be below the node.
  @inlinable mutating func remove(_ key: Key) -> Value {
    guard !children.isEmpty else { return entries.remove(at: entryIndex(for: key)).value }
    let index = childIndex(for: key)
    let removed = children[index].node.remove(key)
    children[index].count -= 1
    if children[index].count == 0 { children.remove(at: index) }
    return removed
  }
}

extension Array {
  /// Inserts an element, and splits off the second half if the array would exceed the capacity.
  ///
  /// An element after the last of a full array is split off alone, so that nodes filled in ascending order stay full.
  ///
  /// - Returns: The elements split off; nil if there was room.
  @inlinable mutating func insert(
    _ element: Element, at index: Int, capacity: Int
  ) -> [Element]? {
    guard count == capacity else {
      insert(element, at: index)
      return nil
    }
    guard index < count else { return [element] }
    let middle = count / 2
    var tail = Array(self[middle...])
    removeSubrange(middle...)
    if index <= middle {
      insert(element, at: index)
    } else {
      tail.insert(element, at: index - middle)
    }
    return tail
  }
}

extension SortedTree.Node: Equatable where Value: Equatable {}
extension SortedTree.Child: Equatable where Value: Equatable {}
