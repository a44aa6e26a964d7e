/// A class of objects that is described at run time: its objects share a Swift type with those of other classes.
///
/// In a state the class is known by its identity. Objects of two classes have different members, metatables and names,
/// and a member refuses the objects of another class.
package final class LuaObjectClass {
  /// The name in signatures and messages.
  package let name: String

  private let makeMembers: (LuaObjectClass) -> MemberTable
  private let isObject: (LuaObjectClass, LuaStack, Int32) -> Bool

  /// Makes a class.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - type: The Swift type of the objects.
  ///   - describe: Adds the members that scripts see; called once for each state, and for each reading of the members.
  package init<Object: LuaDynamicObject>(
    _ name: String, of type: Object.Type, describe: @escaping (LuaClass<Object>) -> Void
  ) {
    self.name = name
    makeMembers = { objectClass in
      let members = LuaClass<Object>(of: objectClass)
      describe(members)
      return members.members
    }
    isObject = { objectClass, stack, index in
      stack.object(of: Object.self, at: index)?.luaClass === objectClass
    }
  }

  /// The named members, each once, in the order they were added.
  package var members: [LuaMember] { makeMembers(self).documentation }

  /// Throws unless the first argument of a member's function is an object of the class.
  func check(_ stack: LuaStack, _ function: FunctionDescription) throws(LuaError) {
    guard !isObject(self, stack, 1) else { return }
    throw function.badArgument(at: 1, stack.objectMismatch(expected: name, at: 1), stack)
  }

  fileprivate func classEntry(_ stack: LuaStack) -> ClassRegistry.Entry {
    let members = makeMembers(self)
    return ClassRegistry.Entry(
      metatable: members.makeClassMetatable(on: stack), collected: members.collected,
      runtimeClass: self)
  }
}

/// An object whose members depend on the object, not on its Swift type.
package protocol LuaDynamicObject: LuaExposed, ObjectOfRuntimeClass where LuaBase == Self {
  /// The class, which is the same as long as the object lives.
  var luaClass: LuaObjectClass { get }
}

extension LuaDynamicObject {
  package var runtimeClass: AnyObject { luaClass }

  /// Adds nothing: the members are those of the object's ``luaClass``.
  package static func describe(_ members: LuaClass<Self>) {}

  /// Pushes the object's userdata.
  package func push(to stack: LuaStack) throws(LuaError) {
    let objectClass = luaClass
    try stack.pushObject(self, of: ObjectIdentifier(objectClass)) { objectClass.classEntry($0) }
  }
}
