package import Lua
import StateStore

/// The contents of an object that is shown as a table, at one time.
package struct TableRows {
  package let count: Int
  /// Makes the Lua table of the row at a position from 0.
  package let table: (_ position: Int, LuaState) throws(LuaError) -> LuaTable

  static func catching<Result>(_ body: () throws -> Result) throws(LuaError) -> Result {
    do {
      return try body()
    } catch let error as LuaError {
      throw error
    } catch {
      throw LuaError(.runtime, error.userMessage)
    }
  }
}

/// Groups of records, as code gets them: what belongs to each key, in the order of the keys.
package final class GroupsObject: LuaExposed {
  /// The groups at one time.
  struct Contents {
    let keys: ListElements<StateValue>
    /// What belongs to a key; nil for one that isn't there.
    let value: (StateValue) throws -> AnyPushable?

    static var none: Contents { Contents(keys: []) { _ in nil } }
  }

  private let name: String
  private let contents: () throws -> Contents

  init(_ name: String, _ contents: @escaping () throws -> Contents) {
    (self.name, self.contents) = (name, contents)
  }

  package static var luaTypeName: String { "groups" }

  /// The groups now: their keys, with the aggregates or the records.
  package func rows() throws(LuaError) -> TableRows {
    let contents = try TableRows.catching(contents)
    return TableRows(count: contents.keys.count) { position, state throws(LuaError) in
      let key = contents.keys[position]
      let value = try TableRows.catching { try contents.value(key) }
      let table = try state.makeTable()
      if case .record(let members)? = value?.value as? StateValue {
        for member in members { try table.rawSet(member.name, to: member.value) }
      } else if let value {
        try table.rawSet("records", to: value)
      }
      try table.rawSet("key", to: key)
      return table
    }
  }

  package static func describe(_ members: LuaClass<GroupsObject>) {
    members.text { "\($0.name) (\(try $0.contents().keys.count))" }
    members.entries { groups in
      let contents = try groups.contents()
      return try contents.keys.map { key in
        (AnyPushable(key), try contents.value(key) ?? AnyPushable(StateValue.none))
      }
    }
    members.subscripts { (groups, key: LuaValue) in
      guard let key = key.groupKey else { return nil }
      return try groups.contents().value(key)
    }
    members.operator(.length) { (groups: GroupsObject) in try groups.contents().keys.count }
  }
}

extension LuaValue {
  /// The key of a group; nil for a value that is none.
  fileprivate var groupKey: StateValue? {
    switch self {
    case .boolean(let flag): .boolean(flag)
    case .integer(let integer): .integer(Int(integer))
    case .number(let number): .number(number)
    case .string(let bytes): bytes.text.map(StateValue.text)
    case .nil, .table, .userdata, .function, .coroutine: nil
    }
  }
}
