/// A Swift class whose objects Lua can hold and use.
///
/// The same object is the same userdata for as long as Lua holds it, which keeps it alive. Scripts see neither the
/// userdata's metatable nor anything else of the object except what ``describe(_:)`` adds.
///
/// ```swift
/// class Shape: LuaExposed {
///   class var luaTypeName: String { "shape" }
///
///   class func describe(_ members: LuaClass<Shape>) {
///     members.method("area", help: "The area.", example: "shape:area()") { shape in shape.area }
///   }
/// }
/// ```
///
/// A subclass overrides `describe`, calls `super.describe(members)`, and adds its own by ``LuaClass/refine(_:describe:)``.
/// The members that scripts see depend on the object's own class, not on the type under which Swift pushes it.
public protocol LuaExposed: AnyObject, LuaReadable, LuaPushable {
  /// The class that declares the conformance: the class itself, or the one it inherits from.
  associatedtype LuaBase: LuaExposed

  /// Adds the members that scripts see.
  ///
  /// Called once for each class and state, and for each reading of ``luaMembers``.
  static func describe(_ members: LuaClass<LuaBase>)

  /// Adds the functions and properties of the class itself, to a module made for it.
  static func describeStatics(_ module: LuaModule)
}

extension LuaExposed {
  /// Adds nothing.
  public static func describeStatics(_ module: LuaModule) {}

  /// The named members that scripts see, inherited ones too, each once.
  public static var luaMembers: [LuaMember] { described.documentation }

  static var described: MemberTable {
    let members = LuaClass<LuaBase>(of: Self.self)
    describe(members)
    return members.members
  }

  /// The class.
  public static var luaType: LuaValueType { .object(LuaObjectClass(self)) }

  /// Reads an object of the class or of one that inherits from it.
  @inlinable
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    guard let object = stack.object(of: Self.self, at: index) else {
      throw stack.objectMismatch(expected: luaTypeName, at: index)
    }
    return object
  }

  /// Pushes the object's userdata.
  public func push(to stack: LuaStack) throws(LuaError) {
    try stack.pushObject(self, of: ObjectIdentifier(type(of: self))) { stack in
      type(of: self).classEntry(stack)
    }
  }

  private static func classEntry(_ stack: LuaStack) -> ClassRegistry.Entry {
    let members = LuaClass<LuaBase>(of: self)
    describe(members)
    return members.members.classEntry(on: stack)
  }
}

/// A Swift struct or enum whose values Lua can hold and use as objects.
///
/// Lua gets a copy, in its own ``LuaBox``: each push makes a new userdata, scripts change only the value in that, and
/// Swift gets a copy of it.
///
/// ```swift
/// struct Vector: LuaExposedValue {
///   var x, y: Double
///
///   static let luaTypeName = "vector"
///
///   static func describe(_ members: LuaClass<LuaBox<Vector>>) {
///     members.property("x", \.value.x, help: "The abscissa.", example: "v.x = 1")
///     members.operator(.add) { (left: Vector, right: Vector) in
///       Vector(x: left.x + right.x, y: left.y + right.y)
///     }
///   }
/// }
/// ```
public protocol LuaExposedValue: LuaReadable, LuaPushable {
  /// Adds the members that scripts see.
  ///
  /// Called once for each state, and for each reading of `LuaBox.luaMembers`.
  static func describe(_ members: LuaClass<LuaBox<Self>>)

  /// Adds the functions and properties of the type itself, to a module made for it.
  static func describeStatics(_ module: LuaModule)
}

extension LuaExposedValue {
  /// Adds nothing.
  public static func describeStatics(_ module: LuaModule) {}

  /// The class of the boxes.
  public static var luaType: LuaValueType { LuaBox<Self>.luaType }

  /// Reads a copy of the value of a box.
  @inlinable
  public static func read(from stack: LuaStack, at index: Int32) throws(LuaTypeMismatch) -> Self {
    try LuaBox<Self>.read(from: stack, at: index).value
  }

  /// Pushes a new userdata with a copy of the value.
  public func push(to stack: LuaStack) throws(LuaError) { try LuaBox(self).push(to: stack) }
}

/// The place of a struct's or enum's value that Lua holds.
///
/// A function that takes the box, not the value, can change it.
public final class LuaBox<Value: LuaExposedValue>: LuaExposed {
  /// The value.
  public var value: Value

  /// Makes a place with a value.
  public init(_ value: Value) { self.value = value }

  /// The value's type.
  public static var luaTypeName: String { Value.luaTypeName }

  /// Adds the members of the value.
  public static func describe(_ members: LuaClass<LuaBox<Value>>) { Value.describe(members) }

  /// Adds the functions and properties of the value's type.
  public static func describeStatics(_ module: LuaModule) { Value.describeStatics(module) }
}
