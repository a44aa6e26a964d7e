/// A Swift class whose objects Lua can hold and use.
///
/// The same object is the same userdata for as long as Lua holds it, and Lua's holding it keeps it alive. Scripts see
/// neither the userdata's metatable nor anything else of the object but what ``describe(_:)`` adds.
///
/// ```swift
/// class Shape: LuaExposed {
///   class var luaTypeName: String { "shape" }
///
///   class func describe(_ members: LuaClass<Shape>) {
///     members.method("area", help: "The area.", example: "shape:area()") { shape in shape.area }
///   }
/// }
///
/// class Circle: Shape {
///   override class var luaTypeName: String { "circle" }
///
///   override class func describe(_ members: LuaClass<Shape>) {
///     super.describe(members)
///     members.refine(Circle.self) { circle in
///       circle.property("radius", \.radius, help: "The radius.", example: "circle.radius = 2")
///     }
///   }
/// }
/// ```
///
/// What scripts see of an object depends on its own class, not on the type under which Swift pushes it.
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

  /// How an object is called as a function, if it can be; its name is the class's.
  public static var luaCall: LuaMember? { described.callDocumentation }

  /// The operators with their operands' and results' types: "vector * number: vector".
  public static var luaOperators: [String] { described.operatorSignatures }

  private static var described: MemberTable {
    let members = LuaClass<LuaBase>(of: Self.self)
    describe(members)
    return members.members
  }

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
    try stack.core.classes.push(self, to: stack)
  }
}
