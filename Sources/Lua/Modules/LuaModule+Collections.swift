extension LuaModule {
  /// Makes the module a sequence: `#`, `[i]`, `ipairs` and `pairs`.
  ///
  /// - Parameters:
  ///   - count: the number of elements.
  ///   - element: the element at a position, counted from 0; only called with positions below `count`.
  public func sequence<Element: LuaPushable>(
    count: @escaping () throws -> Int, element: @escaping (Int) throws -> Element
  ) {
    members.add(readOnlySequence(count: count, element: element))
  }

  /// Makes the module a sequence that scripts can change: `list[i] = x`, `list[#list + 1] = x`, `list[#list] = nil`.
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
    count: @escaping () throws -> Int, element: @escaping (Int) throws -> Element,
    set: ((Int, Element) throws -> Void)? = nil, append: ((Element) throws -> Void)? = nil,
    removeLast: (() throws -> Void)? = nil
  ) {
    var sequence = readOnlySequence(count: count, element: element)
    sequence.allowChanges(
      of: { _ in }, in: name,
      set: set.map { set in { (_: Void, position, element) in try set(position, element) } },
      append: append.map { append in { (_: Void, element) in try append(element) } },
      removeLast: removeLast.map { removeLast in { (_: Void) in try removeLast() } })
    members.add(sequence)
  }

  private func readOnlySequence(
    count: @escaping () throws -> Int, element: @escaping (Int) throws -> some LuaPushable
  ) -> LiveSequence {
    LiveSequence(
      of: { _ in }, count: { (_: Void) in try count() },
      element: { (_: Void, position) in try element(position) })
  }
}
