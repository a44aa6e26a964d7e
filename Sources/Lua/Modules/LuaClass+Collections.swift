extension LuaClass {
  /// Makes the objects sequences: `#`, `[i]`, `ipairs` and `pairs`.
  ///
  /// - Parameters:
  ///   - count: the number of elements.
  ///   - element: the element at a position, counted from 0; only called with positions below `count`.
  public func sequence<Element: LuaPushable>(
    count: @escaping (Object) throws -> Int, element: @escaping (Object, Int) throws -> Element
  ) {
    members.add(
      LiveSequence(of: { try Object.read(from: $0, at: 1) }, count: count, element: element))
  }

  /// Makes the objects sequences that scripts can change: `list[i] = x`, `list[#list + 1] = x`, `list[#list] = nil`.
  ///
  /// With all of them, `table.insert`, `table.remove` and `table.sort` work too.
  ///
  /// - Parameters:
  ///   - count: the number of elements.
  ///   - element: the element at a position, counted from 0; only called with positions below `count`.
  ///   - set: replaces the element at a position, only called with positions below `count`; without it none can be replaced.
  ///   - append: adds an element after the last; without it none can be added.
  ///   - removeLast: removes the last element; without it none can be removed.
  public func sequence<Element: LuaPushable & LuaReadable>(
    count: @escaping (Object) throws -> Int, element: @escaping (Object, Int) throws -> Element,
    set: ((Object, Int, Element) throws -> Void)? = nil,
    append: ((Object, Element) throws -> Void)? = nil,
    removeLast: ((Object) throws -> Void)? = nil
  ) {
    let object = { (stack: LuaStack) throws -> Object in try Object.read(from: stack, at: 1) }
    var sequence = LiveSequence(of: object, count: count, element: element)
    sequence.allowChanges(
      of: object, in: members.owner, set: set, append: append, removeLast: removeLast)
    members.add(sequence)
  }

  /// Sets what `pairs` goes through: keys with values, one at a time.
  ///
  /// - Parameter entries: the entries; a key that is nil ends the loop.
  public func entries<Entries: Sequence, Key: LuaPushable, Value: LuaPushable>(
    _ entries: @escaping (Object) throws -> Entries
  ) where Entries.Element == (Key, Value) {
    addEntries(entries) { entry, stack in
      try entry.0.push(to: stack)
      try entry.1.push(to: stack)
    }
  }

  /// Sets what `pairs` goes through: a dictionary, or another sequence of keys with values.
  public func entries<Entries: Sequence, Key: LuaPushable, Value: LuaPushable>(
    _ entries: @escaping (Object) throws -> Entries
  ) where Entries.Element == (key: Key, value: Value) {
    addEntries(entries) { entry, stack in
      try entry.key.push(to: stack)
      try entry.value.push(to: stack)
    }
  }

  private func addEntries<Entries: Sequence>(
    _ entries: @escaping (Object) throws -> Entries,
    push: @escaping (Entries.Element, LuaStack) throws -> Void
  ) {
    members.add(entries: { stack in
      // None while it advances, for whoever asks meanwhile, and after the end.
      var iterator: Entries.Iterator? = try entries(Object.read(from: stack, at: 1)).makeIterator()
      return { stack in
        guard var advancing = iterator else { return false }
        iterator = nil
        guard let entry = advancing.next() else { return false }
        iterator = advancing
        try push(entry, stack)
        return true
      }
    })
  }
}
