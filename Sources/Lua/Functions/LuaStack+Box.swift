internal import CLua
internal import CLuaTrampolines

extension LuaStack {
  /// Pushes a userdata that keeps a Swift object alive; its metatable is the caller's to set.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - call: calls the object, if it is a function.
  ///   - release: gives up the object's share, when Lua gives up the userdata.
  func pushBox(
    _ object: AnyObject, call: clua_callback?,
    release: clua_release = { _, object in Unmanaged<AnyObject>.fromOpaque(object).release() }
  ) {
    let core = core
    guard core.isClosing else {
      clua_push_box(pointer, Unmanaged.passRetained(object).toOpaque(), call, release)
      return
    }
    // Lua doesn't finalize what is made while the state closes, so the box mustn't own its object.
    core.keepUntilClosed(object)
    clua_push_box(pointer, Unmanaged.passUnretained(object).toOpaque(), call, { _, _ in })
  }

  /// The Swift object at an index; `nil` if it isn't one of the class, or was released.
  ///
  /// Scripts that have the debug library can give a userdata any metatable, so the object itself is asked for its class.
  @inlinable @inline(__always)
  func object<Object: AnyObject>(of type: Object.Type, at index: Int32) -> Object? {
    guard let address = objectAddress(at: index) else { return nil }
    let object = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    // Mostly the very class; a cast, which finds subclasses too, takes longer.
    guard ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(type) else {
      return object as? Object
    }
    return unsafeDowncast(object, to: type)
  }

  /// The address of the Swift object at an index; `nil` if there is none, or it was released.
  @usableFromInline
  func objectAddress(at index: Int32) -> UnsafeMutableRawPointer? { clua_object(pointer, index) }

  /// What there is at an index instead of an object of a class.
  @usableFromInline
  func objectMismatch(expected: String, at index: Int32) -> LuaTypeMismatch {
    guard clua_is_released(pointer, index) else {
      return LuaTypeMismatch(expected: expected, at: index, of: self)
    }
    return LuaTypeMismatch(
      expected: expected, got: "a \(typeName(at: index)) that was released already")
  }
}
