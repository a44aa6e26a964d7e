/// How Lua sees an object of Swift as a sequence.
struct LiveSequence {
  /// The number of elements of the object at index 1.
  let count: (LuaStack) throws -> Int

  /// Pushes one element, counted from 0, of the object at index 1.
  let pushElement: (LuaStack, Int) throws -> Void
}
