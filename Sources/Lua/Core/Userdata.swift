internal import CLua
internal import CLuaTrampolines

extension LuaStack {
  /// Pushes a userdata that keeps a Swift object alive; the caller sets its metatable.
  ///
  /// `call` calls the object if it is a function; `release` releases it when Lua frees the userdata.
  func pushBox(
    _ object: AnyObject, call: clua_callback?,
    release: clua_release = { _, object in Unmanaged<AnyObject>.fromOpaque(object).release() }
  ) {
    let core = core
    guard core.isClosing else {
      clua_push_box(pointer, Unmanaged.passRetained(object).toOpaque(), call, release)
      return
    }
    // Lua doesn't finalize objects made while the state closes, so the box mustn't own its object.
    core.keepUntilClosed(object)
    clua_push_box(pointer, Unmanaged.passUnretained(object).toOpaque(), call, { _, _ in })
  }

  /// The Swift object at an index; `nil` if it isn't one of the class, or was released.
  ///
  /// Scripts with the debug library can give a userdata any metatable, so the object itself is asked for its class.
  @inlinable @inline(__always)
  package func object<Object: AnyObject>(of type: Object.Type, at index: Int32) -> Object? {
    guard let address = objectAddress(at: index) else { return nil }
    let object = Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    // Usually exactly that class; a cast, which also finds subclasses, takes longer.
    guard ObjectIdentifier(Swift.type(of: object)) == ObjectIdentifier(type) else {
      return object as? Object
    }
    return unsafeDowncast(object, to: type)
  }

  /// The address of the Swift object at an index; `nil` if there is none, or it was released.
  @usableFromInline
  func objectAddress(at index: Int32) -> UnsafeMutableRawPointer? { clua_object(pointer, index) }

  @usableFromInline
  func objectMismatch(expected: String, at index: Int32) -> LuaTypeMismatch {
    guard clua_is_released(pointer, index) else {
      return LuaTypeMismatch(expected: expected, at: index, of: self)
    }
    return LuaTypeMismatch(
      expected: expected, got: "a \(typeName(at: index)) that was released already")
  }
}

/// An object whose class in Lua isn't its Swift type, but an object.
@usableFromInline package protocol ObjectOfRuntimeClass: AnyObject {
  var runtimeClass: AnyObject { get }
}

/// The exposed classes whose objects Lua has had.
final class ClassRegistry {
  struct Entry {
    let metatable: RegistryReference
    let collected: ((AnyObject) -> Void)?
    /// The class of the objects if it was made at run time: another mustn't get its address.
    var runtimeClass: AnyObject?
  }

  /// Keyed by the objects' own classes.
  private var entries: [ObjectIdentifier: Entry] = [:]

  /// Makes a class known to the C side; `makeEntry` is called for the first object of the class.
  fileprivate func register(
    _ type: ObjectIdentifier, on stack: LuaStack, makeEntry: (LuaStack) -> Entry
  ) {
    let entry = entries[type] ?? makeEntry(stack)
    entries[type] = entry
    let release: clua_release =
      if entry.collected == nil {
        { _, object in Unmanaged<AnyObject>.fromOpaque(object).release() }
      } else {
        { pointer, address in
          let object = Unmanaged<AnyObject>.fromOpaque(address).takeRetainedValue()
          LuaStack(pointer).core.classes.collected(object)
        }
      }
    clua_remember_class(
      clua_get_context(stack.pointer), type.address, entry.metatable.place.key, release)
  }

  private func collected(_ object: AnyObject) {
    let entry =
      entries[ObjectIdentifier(type(of: object))]
      ?? (object as? any ObjectOfRuntimeClass).flatMap {
        entries[ObjectIdentifier($0.runtimeClass)]
      }
    entry?.collected?(object)
  }
}

extension LuaStack {
  /// Pushes an object's userdata; `makeEntry` is called for the first object of its class.
  func pushObject(
    _ object: AnyObject, of type: ObjectIdentifier, makeEntry: (LuaStack) -> ClassRegistry.Entry
  ) throws(LuaError) {
    let address = Unmanaged.passUnretained(object).toOpaque()
    var outcome = clua_push_object(pointer, address, type.address)
    if outcome == clua_pushed_no_class {
      try reserve(12)
      core.classes.register(type, on: self, makeEntry: makeEntry)
      outcome = clua_push_object(pointer, address, type.address)
    }
    switch outcome {
    case clua_pushed_known: return
    case clua_pushed_new: _ = Unmanaged.passRetained(object)
    case clua_pushed_not_owned: core.keepUntilClosed(object)
    default: throw Self.noRoom(for: 1)
    }
  }
}

extension ObjectIdentifier {
  fileprivate var address: UnsafeRawPointer {
    // It is the address of the class, or of the object that is the class, in a type of its own.
    unsafeBitCast(self, to: UnsafeRawPointer.self)
  }
}
