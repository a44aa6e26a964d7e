/// How Lua sees an object of Swift as a sequence.
///
/// Each part is given the stack of a metamethod: the object is at index 1, an assigned value at index 3. Positions are
/// counted from 0. What can't be assigned has no part.
struct LiveSequence {
  /// The number of elements.
  let count: (LuaStack) throws -> Int

  /// Pushes one element.
  let pushElement: (LuaStack, Int) throws -> Void

  /// Replaces an element.
  var set: ((LuaStack, Int) throws -> Void)?

  /// Adds an element after the last; the position is its own.
  var append: ((LuaStack, Int) throws -> Void)?

  /// Removes the last element.
  var removeLast: ((LuaStack) throws -> Void)?

  /// `#`.
  var length: HostFunction {
    HostFunction { stack in
      stack.push(Int64(try count(stack)))
      return 1
    }
  }

  /// `__pairs`: from position to position, so that what is added or removed meanwhile does no harm.
  var pairs: HostFunction {
    let next = HostFunction { stack in
      let position = try Int.read(from: stack, at: 2)
      guard position >= 0, position < (try count(stack)) else { return 0 }
      stack.push(Int64(position) + 1)
      try pushElement(stack, position)
      return 2
    }
    return HostFunction { stack in
      next.pushFunction(to: stack)
      stack.pushCopy(at: 1)
      stack.push(Int64(0))
      return 3
    }
  }

  /// Pushes the element whose number is at index 2, or nil where there is none; does nothing if there is no number.
  func read(_ stack: LuaStack) throws -> Bool {
    guard stack.type(at: 2) == .number else { return false }
    if let position = position(stack), position >= 1, position <= (try count(stack)) {
      try pushElement(stack, position - 1)
    } else {
      stack.pushNil()
    }
    return true
  }

  /// Assigns the value at index 3 to the element whose number is at index 2; does nothing if there is no number.
  func write(_ stack: LuaStack, in owner: String) throws -> Bool {
    guard stack.type(at: 2) == .number else { return false }
    guard set != nil || append != nil || removeLast != nil else { throw readOnly(owner) }
    guard let position = position(stack) else {
      let key = try Double.read(from: stack, at: 2)
      throw LuaError(.badArgument, "the elements of \(owner) are numbered by integers, not \(key)")
    }
    let count = try count(stack)
    if stack.isNoneOrNil(at: 3) {
      try remove(at: position, of: count, stack, in: owner)
    } else if position == count + 1 {
      guard let append else {
        throw LuaError(.readOnlyField, "elements can't be added to \(owner)")
      }
      try append(stack, count)
    } else {
      guard position >= 1, position <= count else { throw outOfRange(position, of: count, owner) }
      guard let set else { throw readOnly(owner) }
      try set(stack, position - 1)
    }
    return true
  }

  /// As in a table: what isn't there can be set to nil.
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

  private func position(_ stack: LuaStack) -> Int? {
    do {
      return try Int.read(from: stack, at: 2)
    } catch {
      return nil
    }
  }

  private func readOnly(_ owner: String) -> LuaError {
    LuaError(.readOnlyField, "the elements of \(owner) can't be assigned")
  }

  private func outOfRange(_ position: Int, of count: Int, _ owner: String) -> LuaError {
    let range = count == 0 ? "it is empty" : "it has elements 1 to \(count)"
    let advice = append == nil ? "" : "; \(owner)[\(count + 1)] adds one"
    return LuaError(.badArgument, "\(owner)[\(position)] is out of range: \(range)\(advice)")
  }
}
