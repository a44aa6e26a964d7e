internal import CLua
internal import CLuaTrampolines

extension LuaStack {
  /// Pushes a userdata that keeps a Swift object alive; its metatable is the caller's to set.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - call: calls the object, if it is a function.
  func pushBox(_ object: AnyObject, call: clua_callback?) {
    let core = core
    guard core.isClosing else {
      clua_push_box(
        pointer, Unmanaged.passRetained(object).toOpaque(), call,
        { Unmanaged<AnyObject>.fromOpaque($0).release() })
      return
    }
    // Lua doesn't finalize what is made while the state closes, so the box mustn't own its object.
    core.keepUntilClosed(object)
    clua_push_box(pointer, Unmanaged.passUnretained(object).toOpaque(), call, { _ in })
  }
}
