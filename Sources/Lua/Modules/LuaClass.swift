/// The methods, properties and metamethods that Lua sees on the objects of a Swift class.
///
/// Members that a subclass adds replace inherited ones of the same name.
public final class LuaClass<Object: LuaExposed> {
  @usableFromInline let members: MemberTable

  /// The class whose objects get the members: `Object`, or one that inherits from it.
  private let type: any LuaExposed.Type

  init<Described: LuaExposed>(of type: Described.Type) {
    members = MemberTable(owner: type.luaTypeName)
    self.type = type
  }

  private init(refining members: MemberTable, of type: any LuaExposed.Type) {
    self.members = members
    self.type = type
  }

  /// The named members, each once, in the order they were added.
  public var documentation: [LuaMember] { members.documentation }

  /// Adds the members of a subclass to those it inherits.
  ///
  /// Called in the subclass's own `describe`; see ``LuaExposed``.
  ///
  /// - Parameters:
  ///   - subclass: the subclass.
  ///   - describe: adds its members.
  public func refine<Subclass: LuaExposed>(
    _ subclass: Subclass.Type, describe: (LuaClass<Subclass>) -> Void
  ) {
    precondition(
      type is Subclass.Type && subclass is Object.Type,
      "\(subclass) refines \(Object.self), and \(type) is described")
    members.refine { describe(LuaClass<Subclass>(refining: members, of: type)) }
  }
}
