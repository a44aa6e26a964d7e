import Lua
import StateStore

/// A list with the classes of its views.
final class ViewedList {
  let list: DeclaredList
  let listClass: LuaObjectClass
  let recordClass: LuaObjectClass

  init(_ list: DeclaredList, at path: String, _ values: DeclaredValues) {
    self.list = list
    listClass = ListView.makeClass(of: list, at: path, values)
    recordClass = RecordView.makeClass(of: list, at: path, values)
  }
}

/// A list of the state, as actions and derived values get it.
final class ListView: LuaDynamicObject {
  private let source: DeclaredSource
  private let viewed: ViewedList

  init(_ source: DeclaredSource, _ viewed: ViewedList) {
    (self.source, self.viewed) = (source, viewed)
  }

  static var luaTypeName: String { "list" }

  var luaClass: LuaObjectClass { viewed.listClass }

  private var list: DeclaredList { viewed.list }

  private var records: RecordList<DeclaredRecord> {
    get throws { try source.list(at: list.index) }
  }

  private func record(_ id: Int) -> RecordView { RecordView(source, viewed, id) }

  static func makeClass(
    of list: DeclaredList, at path: String, _ values: DeclaredValues
  ) -> LuaObjectClass {
    LuaObjectClass(path, of: ListView.self) { members in
      members.sequence(
        count: { try $0.records.count }, element: { $0.record(try $0.records[$1].id) })
      members.method(.method("append", "record")) { view, arguments in
        try view.insert(arguments.values(1, values), at: nil, path).push(to: arguments.stack)
        return 1
      }
      members.method(.method("insert", "position", "record")) { view, arguments in
        guard list.type.sortingPart == nil else {
          throw DeclarationError("bad_position", "\(path) is sorted: append to it")
        }
        let position = try view.position(arguments.read(1), beyondLast: 1, path)
        try view.insert(arguments.values(2, values), at: position, path).push(to: arguments.stack)
        return 1
      }
      members.method(.method("move", "id", "position")) { view, arguments in
        guard list.type.sortingPart == nil else {
          throw DeclarationError("bad_position", "\(path) is sorted: change what it is sorted by")
        }
        let id = try view.id(arguments, path)
        let position = try view.position(arguments.read(2), beyondLast: 0, path)
        _ = try view.source.draft(at: path).move(id, to: position, in: list)
        return 0
      }
      members.method(.method("remove", "id")) { view, arguments in
        let id = try view.id(arguments, path)
        _ = try view.source.draft(at: path).remove(id, from: list)
        return 0
      }
      members.method(.method("get", "id")) { view, arguments in
        let id = try view.givenID(arguments)
        if try view.records.contains(id: id) {
          try view.record(id).push(to: arguments.stack)
        } else {
          arguments.stack.pushNil()
        }
        return 1
      }
      members.method(.method("clear")) { view, _ in
        try view.source.draft(at: path).removeAll(from: list)
        return 0
      }
      members.method(.method("find", "fn")) { view, arguments in
        let isMatch: LuaFunction = try arguments.read(1)
        for record in try view.records {
          let object = view.record(record.id)
          let result = try isMatch.call(object).first
          guard result == nil || result == .nil || result == false else {
            try object.push(to: arguments.stack)
            return 1
          }
        }
        arguments.stack.pushNil()
        return 1
      }
      members.text { "\(path) (\(try $0.records.count))" }
    }
  }

  private func insert(
    _ value: StateValue, at position: Int?, _ path: String
  ) throws -> RecordView {
    guard case .record(let members) = value else {
      throw DeclarationError("bad_value", "\(path): a record is a table of its fields")
    }
    let draft = try source.draft(at: path)
    let values = try list.type.record.values(
      from: members, at: "\(path)[\((position ?? (try? records.count) ?? 0) + 1)]")
    return record(try draft.insert(values, at: position, in: list))
  }

  /// A position from 0, of one counted from 1.
  private func position(_ number: Int, beyondLast: Int, _ path: String) throws -> Int {
    let count = try records.count + beyondLast
    guard (1...max(1, count)).contains(number), count > 0 else {
      throw DeclarationError(
        "bad_position", "\(path) has no position \(number): it has \(try records.count) records")
    }
    return number - 1
  }

  /// The id of a record, which is given by itself or by its id.
  private func givenID(_ arguments: LuaArguments) throws -> Int {
    if case .userdata(let object) = arguments.stack.value(at: arguments.index(of: 1)),
      let record = try object.hostObject() as? RecordView, record.luaClass === viewed.recordClass
    {
      record.id
    } else {
      try arguments.read(1) as Int
    }
  }

  /// The id of a record of the list, which is given by itself or by its id.
  private func id(_ arguments: LuaArguments, _ path: String) throws -> Int {
    let id = try givenID(arguments)
    guard try records.contains(id: id) else {
      throw DeclarationError("not_found", "\(path) has no record with the id \(id)")
    }
    return id
  }
}

extension LuaArguments {
  /// The value of an argument.
  func values(_ position: Int, _ values: DeclaredValues) throws -> StateValue {
    guard position <= count else { throw badArgument(position, expected: "table") }
    return try values.read(stack, at: index(of: position))
  }
}

/// A record of a list, as actions and derived values get it.
final class RecordView: LuaDynamicObject {
  let id: Int
  private let source: DeclaredSource
  private let viewed: ViewedList

  init(_ source: DeclaredSource, _ viewed: ViewedList, _ id: Int) {
    (self.source, self.viewed, self.id) = (source, viewed, id)
  }

  static var luaTypeName: String { "record" }

  var luaClass: LuaObjectClass { viewed.recordClass }

  var list: DeclaredList { viewed.list }

  private func record(at path: String) throws -> DeclaredRecord {
    guard let record = try source.list(at: list.index)[id: id] else {
      throw DeclarationError("not_found", "\(path) has no record with the id \(id)")
    }
    return record
  }

  /// The record as a value, without its id.
  func value() throws -> StateValue {
    let record = try record(at: luaClass.name)
    guard case .record(let members) = record.stateValue else { return .none }
    return .record(members.filter { $0.name != "id" })
  }

  static func makeClass(
    of list: DeclaredList, at path: String, _ values: DeclaredValues
  ) -> LuaObjectClass {
    LuaObjectClass("\(path) record", of: RecordView.self) { members in
      members.property(
        .property("id"), get: { $0.id },
        assign: { _, _ in throw DeclarationError("read_only", "\(path): ids can't be assigned") })
      for (index, part) in list.type.record.parts.enumerated() {
        members.property(
          .property(part.name), get: { try $0.value(at: index, path, values) },
          assign: { view, stack in
            let new = try part.type.checked(
              values.read(stack, at: 3), at: view.place(of: part.name, path))
            try view.set(new, at: index, path)
          })
      }
      members.entries { view -> [(String, AnyPushable)] in
        let record = try view.record(at: path)
        let parts = list.type.record.parts
        return [("id", AnyPushable(record.id))]
          + (try parts.indices.filter { record.values[$0] != .none }.map {
            (parts[$0].name, try view.value(at: $0, path, values))
          })
      }
      members.operator(.equal) { (left: RecordView, right: RecordView) in
        left.id == right.id && left.luaClass === right.luaClass
      }
      members.text { "\(path):get(\($0.id))" }
    }
  }

  private func value(
    at index: Int, _ path: String, _ values: DeclaredValues
  ) throws -> AnyPushable {
    let part = list.type.record.parts[index]
    return try values.pushable(
      part.type, at: "\(path).\(part.name)",
      ValuePlace {
        try self.record(at: path).values[index]
      } set: {
        try self.set($0, at: index, path)
      })
  }

  private func set(_ new: StateValue, at index: Int, _ path: String) throws {
    guard try source.draft(at: path).set(new, at: index, ofRecord: id, in: list) else {
      throw DeclarationError("not_found", "\(path) has no record with the id \(id)")
    }
  }

  /// The path of a part by the record's position.
  private func place(of part: String, _ path: String) -> String {
    let position = try? source.list(at: list.index).position(ofID: id)
    return position.map { "\(path)[\($0 + 1)].\(part)" } ?? "\(path).\(part)"
  }
}
