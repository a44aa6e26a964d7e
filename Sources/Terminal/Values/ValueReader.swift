import Lua
import PrimereplLineEditing
import Scripting

/// How much is read of values: `outer` limits those that are shown, `inner` those in a table.
struct ValueLimits {
  var depth: Int
  var entries: (outer: Int, inner: Int)
  /// The number of fields read for sorting.
  var sortedFields: (outer: Int, inner: Int)
  var values: Int
  /// The width of a string.
  var columns: (outer: Int, inner: Int)
  /// The tables' entries that are visited to be counted, and the bytes of strings in tables.
  var budget = LuaReadBudget(visits: 300_000, bytes: 10_000_000)
  /// The budget of a row of a table of records.
  static let row = LuaReadBudget(visits: 10_000, bytes: 1_000_000)
  /// The time for `__tostring` of all values together.
  var scriptTime = Duration.milliseconds(200)
  var isWhole = false

  init(width: Int, lines: Int) {
    depth = 6
    entries = (outer: max(100, lines), inner: 30)
    sortedFields = (outer: 1_000, inner: 100)
    values = max(500, width * lines / 3)
    // A string that is shown alone leaves a line for what follows, if there is one.
    columns = (outer: min(1_000, width * max(1, lines - 1)), inner: min(200, width))
  }

  private init(depth: Int, values: Int) {
    (self.depth, self.values) = (depth, values)
    entries = (outer: values, inner: values)
    sortedFields = (outer: values, inner: values)
    columns = (outer: .max, inner: .max)
    budget = LuaReadBudget(visits: .max, bytes: 20_000_000)
    scriptTime = .seconds(10)
    isWhole = true
  }

  /// Everything, except values that would take all memory: the indentation of deep tables grows with the square of their
  /// depth, and tables and strings that others share appear in each of these.
  static let whole = ValueLimits(depth: 100, values: 2_000_000)
}

/// Reads values for their layout, without running scripts' code except `__tostring`.
@MainActor
final class ValueReader {
  let state: LuaState
  private let names: FunctionNames
  let modules: [LuaModule]
  let limits: ValueLimits

  var valuesLeft: Int
  var budget: LuaReadBudget
  /// The tables that the current one is in.
  private var open: Set<LuaReference> = []
  var scriptTimeLeft: Duration

  init(state: LuaState, names: FunctionNames, modules: [LuaModule], limits: ValueLimits) {
    (self.state, self.names, self.modules, self.limits) = (state, names, modules, limits)
    (valuesLeft, budget, scriptTimeLeft) = (limits.values, limits.budget, limits.scriptTime)
  }

  /// The node of a value that is in `depth` tables.
  func node(of excerpt: LuaExcerpt, depth: Int = 0) -> ValueNode {
    do throws(LuaError) {
      valuesLeft -= 1
      switch excerpt.value {
      case .nil: return .text("nil", .dim)
      case .boolean(let value): return .text("\(value)", .boolean)
      case .integer(let value): return .text("\(value)", .number)
      case .number(let value): return .text(ValueText.number(value), .number)
      case .string(let text):
        return string(text.bytes, of: excerpt.byteCount, depth: depth)
      case .table(let table): return try node(of: table, depth)
      case .function(let function):
        return .text(try names.text(of: function))
      case .userdata(let object): return try node(of: object, depth)
      case .coroutine(let coroutine):
        return .text("coroutine (\(try coroutine.status.rawValue))", .function)
      }
    } catch {
      return .text("<\(ValueText.bare(error.message))>", .error)
    }
  }

  /// Several values, each with an equal part of what may be read.
  func nodes(of values: some Collection<LuaValue>) -> [ValueNode] {
    values.enumerated().map { index, value in
      share(with: values.count - index) { node(of: LuaExcerpt(value)) }
    }
  }

  func string(_ bytes: [UInt8], of byteCount: Int, depth: Int) -> ValueNode {
    let columns = depth == 0 ? limits.columns.outer : limits.columns.inner
    return .string(QuotedString(bytes, of: byteCount, columns: columns))
  }

  /// Stands for a table or list that isn't read.
  func unread(_ name: StyledText) -> ValueNode {
    .text(name + StyledText(name.isEmpty ? "{...}" : " {...}"))
  }

  func name(in metatable: LuaTable?) throws(LuaError) -> StyledText {
    guard case .string(let name)? = try metatable?.rawGet("__name") else { return StyledText() }
    return StyledText(ValueText.bare(name.bytes, columns: 60))
  }

  // MARK: - Tables

  private func node(of table: LuaTable, _ depth: Int) throws(LuaError) -> ValueNode {
    let metatable = try table.metatable()
    if let module = try module(of: metatable) {
      guard depth == 0, let list = try sequence(of: .table(table)) else {
        return .text("module \(module.name)", .function)
      }
      return contents(of: list, named: StyledText(module.name), depth)
    }
    if let metatable, try metatable.rawGet("__tostring") != .nil {
      return text(of: .table(table), depth)
    }
    guard !open.contains(table) else { return .text("<cycle>", .dim) }
    open.insert(table)
    defer { open.remove(table) }
    var node = ValueNode.Table(name: try name(in: metatable))
    let length = try table.rawLength()
    guard hasRoom(at: depth) else {
      let hasFields = try fields(of: table, after: length, atMost: 0).count > 0
      return hasFields || length > 0 ? unread(node.name) : .table(node)
    }
    let limit = min(depth == 0 ? limits.entries.outer : limits.entries.inner, valuesLeft)
    let sorted = depth == 0 ? limits.sortedFields.outer : limits.sortedFields.inner
    let fields = try fields(of: table, after: length, atMost: max(limit, sorted))
    let room = max(limit - fields.fields.count, limit / 2)
    node.entries = try elements(of: sequence(of: table, length), atMost: room, depth)
    node.entries += entries(of: fields, atMost: max(limit - node.entries.count, 1), depth)
    return .table(node)
  }

  func hasRoom(at depth: Int) -> Bool { depth < limits.depth && valuesLeft > 0 }

  /// Reads one of several values, which may use an equal part of what is left to all.
  func share(with count: Int, _ read: () -> ValueNode) -> ValueNode {
    guard !limits.isWhole else { return read() }
    let others = valuesLeft - valuesLeft / max(count, 1)
    valuesLeft -= others
    defer { valuesLeft += others }
    return read()
  }

  private func fields(of table: LuaTable, after length: Int, atMost limit: Int) throws(LuaError)
    -> LuaFieldExcerpts
  {
    try table.fields(
      after: length, atMost: limit, bytes: ValueText.bytesRead(forColumns: limits.columns.inner),
      budget: &budget)
  }

  func elements(
    of list: ValueSequence, atMost limit: Int, _ depth: Int
  ) throws(LuaError) -> [ValueNode.Entry] {
    var entries: [ValueNode.Entry] = []
    let count = min(list.count, limit)
    while entries.count < count, valuesLeft > 0 {
      let element = try list.element(entries.count + 1)
      let value = share(with: count - entries.count) { node(of: element, depth: depth + 1) }
      entries.append(ValueNode.Entry(value: value))
    }
    if entries.count < list.count { entries.append(.more(list.count - entries.count)) }
    return entries
  }

  private func entries(
    of fields: LuaFieldExcerpts, atMost limit: Int, _ depth: Int
  ) -> [ValueNode.Entry] {
    let sorted = fields.fields.sorted { FieldOrder($0.key.value) < FieldOrder($1.key.value) }
    var entries: [ValueNode.Entry] = []
    let count = min(sorted.count, limit)
    for (key, value) in sorted.prefix(count) where valuesLeft > 0 {
      let value = share(with: count - entries.count) { node(of: value, depth: depth + 1) }
      entries.append(ValueNode.Entry(key: text(ofKey: key), value: value))
    }
    if !fields.isCounted, fields.count > 0 {
      entries.append(.more(ValueNode.Entry.uncounted))
    } else if entries.count < fields.count {
      entries.append(.more(fields.count - entries.count))
    }
    return entries
  }

  func text(ofKey key: LuaExcerpt) -> StyledText {
    if case .string(let bytes) = key.value {
      if key.byteCount <= Self.keyColumns, let name = bytes.text, LuaTokens.isName(name.utf8) {
        return StyledText(name + " = ")
      }
      let columns = limits.columns.inner == .max ? .max : Self.keyColumns
      let text = ValueText.quoted(bytes.bytes, of: key.byteCount, columns: columns)
      return StyledText("[") + text + StyledText("] = ")
    }
    // Of a table that is a key, only the name is shown.
    let text =
      switch node(of: key, depth: limits.depth) {
      case .text(let text): text
      case .string(let string): string.text
      case .lines(let lines): lines.first ?? StyledText()
      case .table(let table): table.name + StyledText(table.name.isEmpty ? "{...}" : " {...}")
      }
    return StyledText("[") + text + StyledText("] = ")
  }

  private static let keyColumns = 40
}

/// The order of a table's fields: by name, then numbers, then truth values, then the rest.
struct FieldOrder: Comparable {
  private let rank: Int
  private let bytes: [UInt8]
  private let number: Double

  init(_ key: LuaValue) {
    switch key {
    case .string(let text): (rank, bytes, number) = (0, text.bytes, 0)
    case .integer(let value): (rank, bytes, number) = (1, [], Double(value))
    case .number(let value): (rank, bytes, number) = (1, [], value)
    case .boolean(let value): (rank, bytes, number) = (2, [], value ? 1 : 0)
    case .nil, .table, .function, .userdata, .coroutine: (rank, bytes, number) = (3, [], 0)
    }
  }

  static func < (left: FieldOrder, right: FieldOrder) -> Bool {
    guard left.rank == right.rank else { return left.rank < right.rank }
    return left.rank == 0
      ? left.bytes.lexicographicallyPrecedes(right.bytes) : left.number < right.number
  }
}
