/// A Swift object as Lua sees it: a sequence.
///
/// Each part takes the stack of a metamethod: the object is at index 1, an assigned value at index 3. Positions are
/// counted from 0. A part is `nil` for what scripts can't do.
@usableFromInline struct LiveSequence {
  /// The assignment of a value that has been read: reading may run scripts' code, which may change the
  /// sequence.
  struct Assignment {
    let replace: ((Int) throws -> Void)?
    let append: (() throws -> Void)?
  }

  @usableFromInline var elementType: () -> LuaValueType

  let count: (LuaStack) throws -> Int
  let pushElement: (LuaStack, Int) throws -> Void

  @usableFromInline init(
    elementType: @escaping () -> LuaValueType, count: @escaping (LuaStack) throws -> Int,
    pushElement: @escaping (LuaStack, Int) throws -> Void
  ) {
    (self.elementType, self.count, self.pushElement) = (elementType, count, pushElement)
  }

  /// Reads the assigned value; the position, for messages, is counted from 1.
  var readAssignment: ((LuaStack, Int) throws -> Assignment)?

  var canGrow = false
  var removeLast: ((LuaStack) throws -> Void)?

  /// `#`.
  var length: HostFunction {
    HostFunction { stack in
      stack.push(Int64(try count(stack)))
      return 1
    }
  }

  /// `__pairs`: iterates by position, so adding and removing elements in the loop does no harm.
  ///
  /// `checked` makes a function of the iterator that takes only objects of its class.
  func pairs(checked: (HostFunction) -> HostFunction) -> HostFunction {
    let next = checked(
      HostFunction { stack in
        let position = try Int.read(from: stack, at: 2)
        guard position >= 0, position < (try count(stack)) else { return 0 }
        stack.push(Int64(position) + 1)
        try pushElement(stack, position)
        return 2
      })
    return HostFunction { stack in
      next.pushFunction(to: stack)
      stack.pushCopy(at: 1)
      stack.push(Int64(0))
      return 3
    }
  }

  /// Pushes the element whose number is at index 2, or nil if there is none; returns false if the key isn't a number.
  func read(_ stack: LuaStack) throws -> Bool {
    guard stack.type(at: 2) == .number else { return false }
    if let position = stack.value(at: 2, as: Int.self), position >= 1,
      position <= (try count(stack))
    {
      try pushElement(stack, position - 1)
    } else {
      stack.pushNil()
    }
    return true
  }

  /// Assigns the value at index 3 to the element whose number is at index 2; returns false if the key isn't a number.
  func write(_ stack: LuaStack, in owner: String) throws -> Bool {
    guard stack.type(at: 2) == .number else { return false }
    guard readAssignment != nil || removeLast != nil else { throw readOnly(owner) }
    guard let position = stack.value(at: 2, as: Int.self) else {
      let key = try Double.read(from: stack, at: 2)
      throw LuaError(.badArgument, "the elements of \(owner) are numbered by integers, not \(key)")
    }
    if stack.isNoneOrNil(at: 3) {
      try remove(at: position, of: count(stack), stack, in: owner)
      return true
    }
    let assignment = try readAssignment?(stack, position)
    // Only now: none of the script's code runs between this and the assignment.
    let count = try count(stack)
    if position == count + 1 {
      guard let append = assignment?.append else {
        throw LuaError(.readOnlyField, "elements can't be added to \(owner)")
      }
      try append()
    } else {
      guard position >= 1, position <= count else { throw outOfRange(position, of: count, owner) }
      guard let replace = assignment?.replace else { throw readOnly(owner) }
      try replace(position - 1)
    }
    return true
  }

  /// As in a table, a missing element can be set to nil.
  private func remove(at position: Int, of count: Int, _ stack: LuaStack, in owner: String) throws {
    guard position >= 1, position <= count else { return }
    guard let removeLast else {
      throw LuaError(.readOnlyField, "elements can't be removed from \(owner)")
    }
    guard position == count else {
      throw LuaError(
        .badArgument,
        "only the last element, \(owner)[\(count)], can be set to nil, not \(owner)[\(position)]")
    }
    try removeLast(stack)
  }

  private func readOnly(_ owner: String) -> LuaError {
    LuaError(.readOnlyField, "the elements of \(owner) can't be assigned")
  }

  private func outOfRange(_ position: Int, of count: Int, _ owner: String) -> LuaError {
    let range = count == 0 ? "it is empty" : "it has elements 1 to \(count)"
    let advice = canGrow ? "; \(owner)[\(count + 1)] adds one" : ""
    return LuaError(.badArgument, "\(owner)[\(position)] is out of range: \(range)\(advice)")
  }
}

extension LiveSequence {
  @inlinable init<Target, Element: LuaPushable>(
    of target: @escaping (LuaStack) throws -> Target, count: @escaping (Target) throws -> Int,
    element: @escaping (Target, Int) throws -> Element
  ) {
    self.init(
      elementType: { Element.luaType },
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
