import Lua
import PrimereplLineEditing
import Scripting
import StateStore

// Values whose contents only the host or Lua itself knows: modules, live lists, records and other objects.

extension ValueReader {
  // MARK: - Lists of the host

  /// The documentation of the module whose metatable it is; nil for other tables.
  func module(of metatable: LuaTable?) throws(LuaError) -> LuaModule? {
    guard case .string(let name)? = try metatable?.rawGet("__module") else { return nil }
    return modules.first { $0.name == name.text }
  }

  /// The values of a module's properties, in the order of its documentation; none of a script's table with its name.
  func contents(of module: LuaModule, in value: LuaValue) throws(LuaError) -> ValueNode.Table {
    var node = ValueNode.Table(name: StyledText(module.name))
    guard case .table(let table) = value,
      case .function(let pairs)? = try table.metatable()?.rawGet("__pairs"),
      try pairs.origin() == .native
    else { return node }
    for member in module.documentation where !member.isFunction {
      let property = try limitingTime { () throws(LuaError) in
        try table.get(member.name, as: LuaValue.self)
      }
      let places = member.types.first.flatMap { DecimalPlaces(typeName: $0) }
      let text = places?.text(of: property.number)
      node.entries.append(
        ValueNode.Entry(
          key: StyledText("\(member.name) = "),
          value: text.map { .text($0, .number) } ?? self.node(of: LuaExcerpt(property), depth: 1)))
    }
    return node
  }

  /// The elements of a Lua table without other fields, of a live list or of a module that is a list.
  func sequence(of value: LuaValue) throws(LuaError) -> ValueSequence? {
    let object: LuaReference
    switch value {
    case .table(let table):
      let metatable = try table.metatable()
      if try module(of: metatable) == nil {
        guard try metatable?.rawGet("__tostring") ?? .nil == .nil else { return nil }
        let length = try table.rawLength()
        // The entry after the elements would be a field.
        var budget = LuaReadBudget(visits: min(length + 1, budget.visits), bytes: 0)
        let fields = try table.fields(after: length, atMost: 0, bytes: 0, budget: &budget)
        guard fields.count == 0 else { return nil }
        return sequence(of: table, length)
      }
      object = table
    case .userdata(let userdata):
      guard try userdata.hostObject() != nil else { return nil }
      object = userdata
    default: return nil
    }
    return try liveSequence(of: object)
  }

  /// The elements of a table of a length, without its fields.
  func sequence(of table: LuaTable, _ length: Int) -> ValueSequence {
    let bytes = ValueText.bytesRead(forColumns: limits.columns.inner)
    return ValueSequence(count: length, isLive: false) { [self] position throws(LuaError) in
      try table.excerpt(at: position, bytes: bytes, budget: &budget)
    }
  }

  /// The rows of groups, as tables with their keys.
  private func sequence(of rows: TableRows) -> ValueSequence {
    ValueSequence(count: rows.count, isLive: true) { [self] position throws(LuaError) in
      LuaExcerpt(
        try limitingTime { () throws(LuaError) in .table(try rows.table(position - 1, state)) })
    }
  }

  private func liveSequence(of object: LuaReference) throws(LuaError) -> ValueSequence? {
    if let groups = try object.hostObject() as? GroupsObject {
      return sequence(of: try groups.rows())
    }
    if let map = try object.hostObject() as? MapObject {
      let records = try map.rows()
      return ValueSequence(count: records.count, isLive: true) {
        [state] position throws(LuaError) in
        let holder = try state.makeTable()
        try holder.rawSet(1, to: records[position - 1])
        return LuaExcerpt(try holder.rawGet(1))
      }
    }
    guard case .function(let length)? = try object.metatable()?.rawGet("__len"),
      try length.origin() == .native,
      case .integer(let count)? = try limitingTime({ () throws(LuaError) in
        try length.call(object).first
      })
    else { return nil }
    return ValueSequence(count: Int(clamping: count), isLive: true) {
      [self] position throws(LuaError) in
      LuaExcerpt(
        try limitingTime { () throws(LuaError) in try object.element(at: position) })
    }
  }

  func contents(
    of list: ValueSequence, named name: StyledText, _ depth: Int
  ) -> ValueNode {
    var node = ValueNode.Table(name: name)
    guard hasRoom(at: depth) || list.count == 0 else {
      return unread(name)
    }
    let limit = min(depth == 0 ? limits.entries.outer : limits.entries.inner, valuesLeft)
    do throws(LuaError) {
      node.entries = try elements(of: list, atMost: limit, depth)
    } catch {
      let message = "<\(ValueText.bare(error.message))>"
      node.entries = [ValueNode.Entry(value: .text(message, .error))]
    }
    return .table(node)
  }

  // MARK: - Objects

  func node(of object: LuaUserdata, _ depth: Int) throws(LuaError) -> ValueNode {
    let host = try object.hostObject()
    if let host, let node = node(ofHost: host, depth) { return node }
    let metatable = try object.metatable()
    let name = try name(in: metatable)
    if let list = try sequence(of: .userdata(object)) {
      return contents(of: list, named: name, depth)
    }
    guard let metatable, try metatable.rawGet("__tostring") != .nil else {
      return .text((name.isEmpty ? "userdata" : name.text) + " (\(object.address))", .function)
    }
    let text = text(of: .userdata(object), depth)
    // The text of a host's object says what it is about, not what it is.
    guard host != nil, case .text(let own) = text, !own.text.hasPrefix(name.text) else {
      return text
    }
    return .text(name + StyledText(": ") + own)
  }

  /// An object of the kit; nil for other objects of the host.
  private func node(ofHost object: AnyObject, _ depth: Int) -> ValueNode? {
    switch object {
    case let record as RecordObject: node(of: record, depth)
    case let map as MapObject: node(of: map, depth)
    case let task as LuaTask: .text("task (\(task.status.rawValue))", .function)
    case is StoreSubscription: .text("subscription", .function)
    case is LuaNull: .text("json.null", .dim)
    default: nil
    }
  }

  /// The text of a value by `__tostring` or the host.
  func text(of value: LuaValue, _ depth: Int) -> ValueNode {
    do throws(LuaError) {
      let text = try limitingTime { () throws(LuaError) in try state.text(of: value) }
      let columns = depth == 0 ? limits.columns.outer : limits.columns.inner
      let newline = UInt8(ascii: "\n")
      guard depth == 0, text.bytes.contains(newline) else {
        return .text(ValueText.bare(text.bytes, columns: columns))
      }
      let lines = text.bytes.split(
        separator: newline, maxSplits: limits.entries.outer, omittingEmptySubsequences: false)
      return .lines(lines.map { StyledText(ValueText.bare($0, columns: columns)) })
    } catch {
      let reason = error.is(.timeLimit) ? "it takes too long" : ValueText.bare(error.message)
      return .text("<__tostring failed: \(reason)>", .error)
    }
  }

  /// Calls functions that may be a script's, in the time that is left for them.
  private func limitingTime<Result>(_ body: () throws(LuaError) -> Result) throws(LuaError)
    -> Result
  {
    guard scriptTimeLeft > .zero else { throw LuaError(.timeLimit, "it takes too long") }
    let start = ContinuousClock.now
    defer { scriptTimeLeft -= ContinuousClock.now - start }
    return try state.limitingTime(to: scriptTimeLeft, body)
  }

  // MARK: - Records

  private func node(of map: MapObject, _ depth: Int) -> ValueNode {
    let name = StyledText(ValueText.bare(map.luaClass.name))
    do {
      let records = try map.rows()
      guard hasRoom(at: depth) || records.isEmpty else { return unread(name) }
      let limit = min(depth == 0 ? limits.entries.outer : limits.entries.inner, valuesLeft)
      var node = ValueNode.Table(name: name)
      for record in records.prefix(limit) {
        let fields = try record.contents().fields
        guard let key = fields.first(where: { $0.name == DeclaredList.keyName }),
          let value = fields.first(where: { $0.name == DeclaredList.valueName })
        else { continue }
        let shown = ValueNode(value, limits, depth: depth + 1)
        if case .text(let text) = key.value {
          node.entries.append(ValueNode.Entry(text, shown))
        } else {
          node.entries.append(
            ValueNode.Entry(key: StyledText("[\(key.value.luaLiteral)] = "), value: shown))
        }
      }
      if records.count > limit { node.entries.append(.more(records.count - limit)) }
      return .table(node)
    } catch {
      return .text("<\(ValueText.bare(error.userMessage))>", .error)
    }
  }

  private static let summaryColumns = 60

  private func node(of record: RecordObject, _ depth: Int) -> ValueNode {
    let name = ValueText.bare(record.luaClass.name) + (record.id.map { " \($0)" } ?? "")
    let contents: RecordObject.Contents
    do {
      if try record.isRemoved { return .text("\(name) (removed)", .dim) }
      contents = try record.contents()
    } catch {
      return .text("<\(ValueText.bare(error.userMessage))>", .error)
    }
    let summary = contents.summary.map { ValueText.bare($0, columns: Self.summaryColumns) }
    if depth > 0, !limits.isWhole, let summary { return .text(summary, .bold) }
    var title = StyledText(summary.map { $0 + "  " } ?? "", .bold)
    title.append(name)
    let fields = contents.fields.filter { $0.name != "id" || record.id == nil }
    return .table(
      ValueNode.Table(
        name: title,
        entries: fields.map { field in
          ValueNode.Entry(field.name, ValueNode(field, limits, depth: depth + 1))
        }))
  }
}

/// Elements that are read one by one, counted from 1.
struct ValueSequence {
  let count: Int
  /// Whether it is a list of the host.
  let isLive: Bool
  let element: (Int) throws(LuaError) -> LuaExcerpt
}

extension LuaValue {
  /// `.none` for anything but a float.
  fileprivate var number: StateValue {
    if case .number(let number) = self { .number(number) } else { .none }
  }
}

extension LuaReference {
  /// The element of a live list at a position, as scripts read it.
  fileprivate func element(at position: Int) throws(LuaError) -> LuaValue {
    guard case .function(let index)? = try metatable()?.rawGet("__index") else {
      return try (self as? LuaTable)?.get(position) ?? .nil
    }
    return try index.call(self, position).first ?? .nil
  }
}
