public import StateStore
public import Lua

/// A record of the state that scripts hold as a live object.
public protocol ScriptableRecord: Record {
  /// What scripts call such an object: "person".
  static var luaTypeName: String { get }

  /// What scripts call the list of them: "persons".
  static var luaListName: String { get }

  /// Adds the fields that scripts see.
  static func describe(_ members: LuaClass<LiveRecord<Self>>)

  /// The record as `tostring` shows it.
  var luaText: String { get }
}
