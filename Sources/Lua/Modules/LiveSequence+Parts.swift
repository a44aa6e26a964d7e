extension LiveSequence {
  /// Makes a sequence that scripts can read.
  ///
  /// - Parameters:
  ///   - target: what the parts work on: the object, or nothing for a module.
  ///   - count: the number of elements.
  ///   - element: the element at a position.
  init<Target>(
    of target: @escaping (LuaStack) throws -> Target, count: @escaping (Target) throws -> Int,
    element: @escaping (Target, Int) throws -> some LuaPushable
  ) {
    self.init(
      count: { stack in try count(target(stack)) },
      pushElement: { stack, position in try element(target(stack), position).push(to: stack) })
  }

  /// Lets scripts change it, as far as there are parts for that.
  mutating func allowChanges<Target, Element: LuaReadable>(
    of target: @escaping (LuaStack) throws -> Target, in owner: String,
    set: ((Target, Int, Element) throws -> Void)?, append: ((Target, Element) throws -> Void)?,
    removeLast: ((Target) throws -> Void)?
  ) {
    if set != nil || append != nil {
      canGrow = append != nil
      readAssignment = { stack, position in
        let target = try target(stack)
        let value: Element = try stack.assignedValue(to: "\(owner)[\(position)]")
        return Assignment(
          replace: set.map { set in { try set(target, $0, value) } },
          append: append.map { append in { try append(target, value) } })
      }
    }
    if let removeLast {
      self.removeLast = { stack in try removeLast(target(stack)) }
    }
  }
}
