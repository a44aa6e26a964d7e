public import CLua
internal import CLuaTrampolines

/// The stack of the coroutine that called Swift, or that Swift is about to call.
///
/// Types that convert to and from Lua read and push values through it. It is valid only until the function that
/// received it returns, on the thread that runs the state.
public struct LuaStack {
  @usableFromInline let pointer: OpaquePointer

  @usableFromInline
  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  var core: StateCore {
    Unmanaged<StateCore>.fromOpaque(clua_get_owner(pointer)).takeUnretainedValue()
  }

  /// The number of values, which is also the index of the last one.
  @inlinable public var count: Int32 { lua_gettop(pointer) }

  /// Makes sure that there is room for more values.
  ///
  /// - Throws: ``LuaError`` (`out_of_memory`) when the stack can't grow: too many values, or values nested too deeply.
  public func reserve(_ count: Int32) throws(LuaError) {
    guard lua_checkstack(pointer, count) != 0 else { throw Self.noRoom(for: count) }
  }

  static func noRoom(for count: Int32) -> LuaError {
    LuaError(
      .outOfMemory,
      "the Lua stack can't hold \(count) more values: there are too many, or they are nested too deeply"
    )
  }

  /// Checks whether the running code is to stop; for functions of the host that take long.
  ///
  /// - Throws: ``LuaError`` (`interrupted`, `time_limit` or `instruction_limit`) if it is: the function then ends,
  ///   too; `out_of_memory` if what it made exceeds a limit that counts the process's memory.
  /// - Complexity: O(1), some nanoseconds.
  public func checkStop() throws(LuaError) { try checkRoom(for: 0) }

  /// Checks whether the running code is to stop, and whether there is room for more bytes within the memory limit.
  ///
  /// Lua's objects that the host makes are never refused: a function that makes many, or a large one, asks first.
  ///
  /// - Throws: What ``checkStop()`` does.
  package func checkRoom(for byteCount: Int) throws(LuaError) {
    guard clua_has_room(pointer, byteCount) else {
      throw LuaError(.outOfMemory, "not enough memory")
    }
    let reason = stopReason
    guard reason != clua_stop_none, let error = core.limits.error(of: reason) else { return }
    throw error
  }

  /// The bytes of an element in a table; a field takes more.
  static let elementSize = 16

  var stopReason: clua_stop { clua_get_stop(clua_get_context(pointer)) }

  // MARK: - Types

  /// The type of the value at an index, counted from 1 at the bottom or -1 at the top; `nil` if there is no value.
  public func type(at index: Int32) -> LuaType? { LuaType(rawValue: lua_type(pointer, index)) }

  /// Whether there is no value at an index, or it is nil.
  @inlinable
  public func isNoneOrNil(at index: Int32) -> Bool { lua_type(pointer, index) <= LUA_TNIL }

  /// The name of the value's type for messages: "no value", a type of Lua, or the name of an exposed class.
  package func typeName(at index: Int32) -> String {
    guard let type = type(at: index) else { return "no value" }
    guard type == .userdata, luaL_getmetafield(pointer, index, "__name") != LUA_TNIL else {
      return type.name
    }
    defer { pop(1) }
    return bytes(at: -1).map { String(escapingInvalid: $0) } ?? type.name
  }

  package func hasMetafield(_ name: String, at index: Int32) -> Bool {
    describeModule(at: index)
    return hasRawMetafield(name, at: index)
  }

  private func hasRawMetafield(_ name: String, at index: Int32) -> Bool {
    guard luaL_getmetafield(pointer, index, name) != LUA_TNIL else { return false }
    pop(1)
    return true
  }

  /// The field of a metatable that marks its table as a module's.
  static let moduleMark = "__module"

  /// Whether the value at an index is a module's table.
  ///
  /// It is empty to code that reads tables raw, so it must not pass for a list or a record: a function that is called
  /// with a colon gets it.
  package func isModule(at index: Int32) -> Bool {
    hasRawMetafield(Self.moduleMark, at: index)
  }

  // MARK: - Values

  @inlinable @inline(__always)
  func value<Value: LuaReadable>(at index: Int32, as type: Value.Type) -> Value? {
    do throws(LuaTypeMismatch) {
      return try Value.read(from: self, at: index)
    } catch {
      return nil
    }
  }

  package func value(at index: Int32) -> LuaValue {
    switch type(at: index) {
    case nil, .nil: return .nil
    case .boolean: return .boolean(lua_toboolean(pointer, index) != 0)
    case .number:
      if lua_isinteger(pointer, index) != 0 { return .integer(lua_tointegerx(pointer, index, nil)) }
      return .number(lua_tonumberx(pointer, index, nil))
    case .string: return .string(LuaString(bytes: bytes(at: index).map(Array.init) ?? []))
    case .table: return .table(LuaTable(at: index, of: self))
    case .function: return .function(LuaFunction(at: index, of: self))
    case .thread: return .coroutine(LuaCoroutine(at: index, of: self))
    case .userdata, .lightUserdata: return .userdata(LuaUserdata(at: index, of: self))
    }
  }

  /// The text at an index; nil for other types, and for bytes that aren't valid UTF-8.
  package func text(at index: Int32) -> String? { value(at: index, as: String.self) }

  /// Calls a closure for each field of a table that has no metatable, and no other keys than texts; in no order.
  ///
  /// Uses up to 3 stack slots and doesn't check for them. The closure gets the name of the field and the index of its
  /// value, leaves the stack as it is, and returns whether to continue.
  ///
  /// - Returns: Whether it is such a table, and the closure never ended it.
  package func forEachField(
    ofPlainTableAt index: Int32, _ body: (String, Int32) -> Bool
  ) -> Bool {
    let (top, table) = (count, lua_absindex(pointer, index))
    defer { lua_settop(pointer, top) }
    guard lua_type(pointer, table) == LUA_TTABLE, lua_getmetatable(pointer, table) == 0 else {
      return false
    }
    pushNil()
    // Raw, so that no metamethod runs; and it can't fail, as the table stays as it is.
    while lua_next(pointer, table) != 0 {
      guard let name = text(at: -2), body(name, top + 2) else { return false }
      pop(1)
    }
    return true
  }

  func values(above bottom: Int32) -> [LuaValue] {
    // Arguments that weren't given lie above the top.
    guard bottom < count else { return [] }
    return (bottom..<count).map { value(at: $0 + 1) }
  }

  /// If a function reads a text of more bytes, the host's memory is measured as soon as that function returns.
  private static let largeText = 0x10000

  /// The bytes of the string at an index; `nil` if it isn't a string (a number isn't converted).
  ///
  /// They are Lua's own, valid while the value stays on the stack.
  func bytes(at index: Int32) -> UnsafeBufferPointer<UInt8>? {
    // lua_tolstring converts numbers in place, so it must see only strings.
    guard lua_type(pointer, index) == LUA_TSTRING else { return nil }
    var length = 0
    let start = lua_tolstring(pointer, index, &length)
    if length > Self.largeText { clua_schedule_measurement(clua_get_context(pointer)) }
    return UnsafeRawBufferPointer(start: start, count: length).assumingMemoryBound(to: UInt8.self)
  }

  /// The bytes of a string, or of a number's text, at an index; `nil` for other types.
  func textBytes(at index: Int32) -> [UInt8]? {
    if let bytes = bytes(at: index) { return Array(bytes) }
    guard type(at: index) == .number else { return nil }
    lua_pushvalue(pointer, index)
    defer { pop(1) }
    // The copy becomes a string in place.
    lua_tolstring(pointer, -1, nil)
    return bytes(at: -1).map(Array.init)
  }

  /// A key as messages show it: "'title'", "3", "of type table".
  func keyText(at index: Int32) -> String {
    if let bytes = bytes(at: index) { return "'\(String(shortening: bytes))'" }
    switch type(at: index) {
    case .number, .boolean: return value(at: index).description
    default: return "of type \(typeName(at: index))"
    }
  }

  // MARK: - Pushing

  /// Removes values from the top.
  @inlinable
  public func pop(_ count: Int32) { lua_settop(pointer, -count - 1) }

  /// Pushes nil.
  @inlinable
  public func pushNil() { lua_pushnil(pointer) }

  /// Pushes a boolean.
  @inlinable
  public func push(_ value: Bool) { lua_pushboolean(pointer, value ? 1 : 0) }

  /// Pushes an integer.
  @inlinable
  public func push(_ value: Int64) { lua_pushinteger(pointer, value) }

  /// Pushes an integer.
  @inlinable
  public func push(_ value: Int) { push(Int64(value)) }

  /// Pushes a float.
  @inlinable
  public func push(_ value: Double) { lua_pushnumber(pointer, value) }

  /// Pushes a string of any bytes.
  public func push(bytes: some Collection<UInt8>) {
    let copied: Void? = bytes.withContiguousStorageIfAvailable { push(buffer: $0) }
    if copied == nil { Array(bytes).withUnsafeBufferPointer { push(buffer: $0) } }
  }

  /// Pushes the UTF-8 bytes of a text.
  public func push(_ text: String) {
    var text = text
    text.withUTF8 { push(buffer: $0) }
  }

  private func push(buffer: UnsafeBufferPointer<UInt8>) {
    _ = buffer.withMemoryRebound(to: CChar.self) {
      lua_pushlstring(pointer, $0.baseAddress, $0.count)
    }
  }
}
