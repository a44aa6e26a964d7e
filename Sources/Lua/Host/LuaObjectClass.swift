/// A class of objects as scripts see it: an exposed Swift type, or a class that is described at run time.
///
/// Objects of classes that are described at run time can share a Swift type. In a state such a class is known by its
/// identity: objects of two classes have different members, metatables and names, and a member refuses the objects of
/// another class.
public final class LuaObjectClass: Sendable {
  @usableFromInline package let name: String

  /// The Swift type, or the one that stands for a class which is described at run time; nil if there is none.
  @usableFromInline let type: ObjectIdentifier?

  // The class is part of documentation, which can be passed between actors; only its state's actor asks for members.
  @usableFromInline nonisolated(unsafe) let makeMembers: (LuaObjectClass) -> MemberTable
  @usableFromInline nonisolated(unsafe) let isObject: (LuaObjectClass, LuaStack, Int32) -> Bool

  /// Makes the class of an exposed Swift type; two of one type are equal.
  package init<Object: LuaExposed>(_ type: Object.Type) {
    name = type.luaTypeName
    self.type = ObjectIdentifier(type)
    makeMembers = { _ in type.described }
    isObject = { _, stack, index in stack.object(of: type, at: index) != nil }
  }

  /// Makes a class that is described at run time; two for which the same Swift type stands are equal.
  ///
  /// `describe` adds the members that scripts see: once for each state, and for each reading of the members.
  @inlinable package init<Object: LuaDynamicObject>(
    _ name: String, of type: Object.Type, standingFor handle: Any.Type? = nil,
    describe: @escaping (LuaClass<Object>) -> Void
  ) {
    self.name = name
    self.type = handle.map { ObjectIdentifier($0) }
    makeMembers = { objectClass in
      let members = LuaClass<Object>(of: objectClass)
      describe(members)
      return members.members
    }
    isObject = { objectClass, stack, index in
      guard let found = stack.object(of: Object.self, at: index)?.luaClass else { return false }
      return found === objectClass || found == objectClass
    }
  }

  /// The named members, each once, in the order they were added.
  package var members: [LuaMember] { makeMembers(self).documentation }

  package var elementType: LuaValueType? { makeMembers(self).elementType }

  /// Whether a value is an object of the class, or of one that inherits from it; false if the state is closed.
  package func contains(_ value: LuaReference) -> Bool {
    do {
      return try value.withStack { stack throws(LuaError) in
        try value.push(to: stack)
        return isObject(self, stack, stack.count)
      }
    } catch {
      return false
    }
  }

  /// Throws unless the first argument of a member's function is an object of the class.
  func check(_ stack: LuaStack, _ function: FunctionDescription) throws(LuaError) {
    guard !isObject(self, stack, 1) else { return }
    throw function.badArgument(at: 1, stack.objectMismatch(expected: name, at: 1), stack)
  }

  fileprivate func classEntry(_ stack: LuaStack) -> ClassRegistry.Entry {
    makeMembers(self).classEntry(on: stack)
  }
}

extension LuaObjectClass: Equatable {
  /// Whether both are the same class, or the same Swift type stands for both.
  public static func == (left: LuaObjectClass, right: LuaObjectClass) -> Bool {
    left === right || (left.type != nil && left.type == right.type)
  }
}

/// An object whose members depend on the object, not on its Swift type.
@usableFromInline package protocol LuaDynamicObject: LuaExposed, ObjectOfRuntimeClass
where LuaBase == Self {
  /// The class, which is the same as long as the object lives.
  var luaClass: LuaObjectClass { get }
}

extension LuaDynamicObject {
  package var runtimeClass: AnyObject { luaClass }

  /// Adds nothing: the members are those of the object's ``luaClass``.
  package static func describe(_ members: LuaClass<Self>) {}

  package func push(to stack: LuaStack) throws(LuaError) {
    let objectClass = luaClass
    try stack.pushObject(self, of: ObjectIdentifier(objectClass)) { objectClass.classEntry($0) }
  }
}

extension LuaReference {
  /// The class of the host's object that the value is; nil for any other value, and for an object that was released.
  package final func objectClass() throws(LuaError) -> LuaObjectClass? {
    guard let object = try hostObject() else { return nil }
    if let object = object as? any LuaDynamicObject { return object.luaClass }
    return (Swift.type(of: object) as? any LuaExposed.Type).map { LuaObjectClass($0) }
  }
}
