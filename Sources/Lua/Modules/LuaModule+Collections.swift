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
    let owner = name
    if set != nil || append != nil {
      sequence.canGrow = append != nil
      sequence.readAssignment = { stack, position in
        let value: Element = try stack.assignedValue(to: "\(owner)[\(position)]")
        return LiveSequence.Assignment(
          replace: set.map { set in { try set($0, value) } },
          append: append.map { append in { try append(value) } })
      }
    }
    if let removeLast { sequence.removeLast = { _ in try removeLast() } }
    members.add(sequence)
  }

  private func readOnlySequence(
    count: @escaping () throws -> Int, element: @escaping (Int) throws -> some LuaPushable
  ) -> LiveSequence {
    LiveSequence(
      count: { _ in try count() },
      pushElement: { stack, position in try element(position).push(to: stack) })
  }
}
