internal import Domain
internal import StateStore
internal import Lua

/// A record of the state that scripts hold as a live object.
protocol LiveRecordContent: Record {
  /// What scripts call such an object: "person".
  static var luaTypeName: String { get }

  /// What scripts call the list of them: "persons".
  static var luaListName: String { get }

  /// Adds the fields that scripts see.
  static func describe(_ members: LuaClass<LiveRecord<Self>>)

  /// The record as `tostring` shows it.
  var luaText: String { get }
}
