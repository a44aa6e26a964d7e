import Lua
import StateStore

extension LuaClass<ListObject> {
  /// Adds the methods that ask something of all records: those of the queries that declarations have, and a few more.
  func addQueries(_ recordClass: LuaObjectClass, named name: String) {
    func add(
      _ function: String, _ results: [LuaValueType], _ help: String, _ example: String,
      isOptional: Bool = false,
      _ body: @escaping (ListObject, LuaFunction?, LuaStack) throws -> Void
    ) {
      let type = isOptional ? LuaFunction?.luaType : LuaFunction.luaType
      method(
        LuaMember(
          function: function, parameters: [LuaParameter(name: "fn", type: type)], types: results,
          help: help, example: "\(name):\(example)")
      ) { list, arguments in
        try body(
          list, isOptional ? arguments.read(1) as LuaFunction? : arguments.read(1) as LuaFunction,
          arguments.stack)
        return 1
      }
    }
    func addValue(
      _ function: String, _ kind: QueryKind, _ type: LuaValueType, _ help: String,
      _ example: String, isOptional: Bool = false
    ) {
      add(function, [type], help, example, isOptional: isOptional) { list, code, stack in
        try list.listClass.rules.values.pushable(list.query(kind, code).value).push(to: stack)
      }
    }
    let records = LuaValueType.list(of: .object(recordClass))
    let condition = "function(r) return r.id > 1 end)"
    let value = "function(r) return r.id end)"
    add("where", [records], "The records for which a function is true.", "where(\(condition)") {
      list, code, stack in
      let ids = try list.query(.selection, code).ids
      try ListObject(selecting: list.name, from: list) { ids }.push(to: stack)
    }
    add(
      "sorted", [records], "The records in the order of a function's values.", "sorted(\(value)"
    ) { list, code, stack in
      let ids = try list.query(.order, code).ids
      try ListObject(selecting: list.name, from: list) { ids }.push(to: stack)
    }
    add(
      "find", [.optional(.object(recordClass))],
      "The first record for which a function is true; or nil.", "find(\(condition)"
    ) { list, code, stack in
      let found = try list.ids.first { try list.isTrue(code, ofRecord: $0) }
      if let found { try list.record(found).push(to: stack) } else { stack.pushNil() }
    }
    addValue(
      "count", .count, Int.luaType, "The number of records for which a function is true.",
      "count(\(condition)", isOptional: true)
    method(
      LuaMember(
        function: "csv",
        parameters: [LuaParameter(name: "options", type: CSVWritingOptions?.luaType)],
        types: [String.luaType], help: "The records as CSV; see csv.encode.",
        example: "print(\(name):csv())")
    ) { list, arguments in
      let options = try arguments.read(1) as CSVWritingOptions?
      try list.csv(options ?? CSVWritingOptions()).push(to: arguments.stack)
      return 1
    }
    addValue("sum", .sum, Double.luaType, "The sum of a function's values.", "sum(\(value)")
    addValue(
      "min", .minimum, LuaValue.luaType, "The lowest value of a function; or nil.", "min(\(value)")
    addValue(
      "max", .maximum, LuaValue.luaType, "The highest value of a function; or nil.",
      "max(\(value)")
    add(
      "group", [LuaValue.luaType], "Lists of the records for which a function has the same value.",
      "group(\(value)"
    ) { list, code, stack in
      guard case .groups(let groups) = try list.query(.groups([]), code) else { return }
      let contents = GroupsObject.Contents(keys: groups.keys) { key in
        groups.ids(ofKey: key).map { ids in
          AnyPushable(ListObject(selecting: list.name, from: list) { ids })
        }
      }
      try GroupsObject(list.name) { contents }.push(to: stack)
    }
    add(
      "map", [LuaValue.luaType], "A table of a function's values; nil is left out.",
      "map(\(value)"
    ) { list, code, stack in
      guard let code else { return }
      var values: [LuaValue] = []
      for id in try list.ids {
        let value = try code.call(list.record(id), as: LuaValue.self)
        if value != .nil { values.append(value) }
      }
      try values.push(to: stack)
    }
  }
}

extension ListObject {
  /// The result of a query over the records now.
  func query(_ kind: QueryKind, _ function: LuaFunction?) throws -> QueryResult {
    do {
      return try kind.result(of: ids) { id, _ in
        guard let function else { return .boolean(true) }
        let result = try function.call(record(id), as: LuaValue.self)
        // Only whether it is true is asked for, whatever it is.
        if kind == .selection || kind == .count { return .boolean(result.isTrue) }
        return try listClass.rules.values.value(of: result)
      }
    } catch let error as QueryError {
      throw ObjectError(error.code, "\(name): \(error.message)")
    }
  }

  fileprivate func isTrue(_ function: LuaFunction?, ofRecord id: Int) throws -> Bool {
    try function?.call(record(id), as: LuaValue.self).isTrue ?? true
  }
}

extension QueryKind {
  /// Makes the object of a query whose result is records or groups, which asks for the result whenever it is used.
  func object(
    named name: String, from list: ListObject, _ result: @escaping () throws -> QueryResult
  ) -> AnyPushable {
    guard case .groups = self else {
      return AnyPushable(ListObject(selecting: name, from: list) { try result().ids })
    }
    return AnyPushable(
      GroupsObject(name) {
        guard case .groups(let groups) = try result() else { return .none }
        return GroupsObject.Contents(keys: groups.keys) { key in
          try groups.members(ofKey: key).map { AnyPushable($0) }
        }
      })
  }
}

extension QueryResult {
  /// The ids of a selection; none for another result.
  var ids: ListElements<Int> { if case .records(let ids) = self { ids } else { [] } }

  /// The single value; `.none` for another result.
  var value: StateValue { if case .value(let value) = self { value } else { .none } }
}

extension LuaValue {
  var isTrue: Bool { self != .nil && self != .boolean(false) }
}
