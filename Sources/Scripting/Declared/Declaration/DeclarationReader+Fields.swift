import Lua
import PrimereplPlatform
import StateStore

// The fields of a declared state, and their types.
extension DeclarationReader {
  func fields(_ value: LuaValue, in region: Range<Int>) throws -> DeclaredFields {
    let path = "\(name).state"
    var fields = DeclaredFields()
    let table = try plainTable(value, at: path, "a table of fields: { count = 0 }")
    for member in try members(of: table, at: path, region) {
      let path = "\(path).\(member.name)"
      let (value, help) = try describedField(member.value, at: path)
      switch try kind(of: value) {
      case "list":
        let content = try content(of: value, "list", at: path)
        fields.addList(
          member.name, try list(content, at: path, in: member.region), help: help)
      case "set":
        guard case .string(let name) = try marked(value) ?? .nil,
          let type = Self.types[name.description], type == .integer || type == .string
        else {
          throw DeclarationError.bad(
            path, "a set has integers or strings: set \"integer\" or set \"string\"")
        }
        fields.addSet(member.name, of: type, help: help)
      default:
        let part = try part(member.name, value, at: path, in: member.region)
        fields.addValue(
          member.name, part.type, help: help, initial: part.initial, isEditable: part.isEditable)
      }
    }
    return fields
  }

  /// The default or type of a field, and its line of help: those of `field { ..., help = "..." }`, or the value itself.
  private func describedField(
    _ value: LuaValue, at path: String
  ) throws -> (value: LuaValue, help: String) {
    guard try kind(of: value) == "field" else { return (value, "") }
    let table = try content(of: value, "field", at: path)
    var (field, help) = (LuaValue.nil, "")
    for (key, value) in try table.entries() {
      switch key {
      case .integer(1): field = value
      case .string("help"): help = try text(value, at: "\(path).help") ?? ""
      default:
        throw DeclarationError.bad(
          path, "write field { ... } with one default or type, and help")
      }
    }
    return (field, help)
  }

  private func list(
    _ table: LuaTable, at path: String, in region: Range<Int>
  ) throws -> DeclaredListType {
    var isNewestFirst = false
    var sorting: String?
    var label: String?
    var parts: [RecordType.Part] = []
    for member in try members(of: table, at: path, region) {
      let path = "\(path).\(member.name)"
      switch (member.name, member.value) {
      case ("id", _): throw DeclarationError.bad(path, "records get an id from their list")
      case ("newest_first", .boolean(let flag)): isNewestFirst = flag
      case ("newest_first", _): throw DeclarationError.bad(path, "it must be true or false")
      case ("sorted_by", .string(let name)): sorting = name.description
      // A field can be called label, too: its default is empty.
      case ("label", .string(let name)) where !name.bytes.isEmpty: label = name.description
      case ("sorted_by", _):
        throw DeclarationError.bad(path, "it must be the name of a field: sorted_by = \"name\"")
      default:
        parts.append(try part(member.name, member.value, at: path, in: member.region))
      }
    }
    guard !parts.isEmpty else {
      throw DeclarationError.bad(path, "a list has records with fields: list { name = \"\" }")
    }
    func index(_ field: String, _ option: String) throws(DeclarationError) -> Int {
      if let index = parts.firstIndex(where: { $0.name == field }) { return index }
      throw .bad(
        "\(path).\(option)",
        "the records have no field '\(field.onOneLine)'" + Self.remedy(field, parts.map(\.name)))
    }
    if let label { _ = try index(label, "label") }
    let type = RecordType(parts, hasID: true, label: label)
    guard let sorting else { return DeclaredListType(type, isNewestFirst: isNewestFirst) }
    guard !isNewestFirst else {
      throw DeclarationError.bad(path, "it has either newest_first or sorted_by")
    }
    let index = try index(sorting, "sorted_by")
    guard parts[index].type.isComparable else {
      throw DeclarationError.bad(
        "\(path).sorted_by", "\(sorting) has no order: sort by a number, a text or a boolean")
    }
    return DeclaredListType(type, sortingPart: index)
  }

  private func part(
    _ name: String, _ value: LuaValue, at path: String, in region: Range<Int>, depth: Int = 0
  ) throws -> RecordType.Part {
    let (described, help) = try describedField(value, at: path)
    let isEditable = try kind(of: described) == "editable"
    let value = isEditable ? try marked(described) ?? .nil : described
    let (type, initial) = try type(of: value, at: path, in: region, depth: depth)
    return .init(name, type, help: help, initial: initial, isEditable: isEditable)
  }

  /// The type that a default or a word of the vocabulary stands for, with the initial value; `depth` is the number of types
  /// around it.
  private func type(
    of value: LuaValue, at path: String, in region: Range<Int>, depth: Int
  ) throws -> (type: ValueType, initial: StateValue) {
    try checkSize(at: path, depth: depth)
    switch value {
    case .boolean(let value): return (.boolean, .boolean(value))
    case .integer(let value): return (.integer, .integer(Int(value)))
    case .number(let value):
      guard value.isFinite else { throw DeclarationError.bad(path, "a number is finite") }
      return (.number, .number(value))
    case .string(let bytes):
      guard let text = bytes.text else {
        throw DeclarationError.bad(path, "its text isn't valid UTF-8")
      }
      return (.string, .text(text))
    case .table: break
    case .nil:
      throw DeclarationError.bad(path, "its type is missing; give it a default such as 0 or \"\"")
    default:
      throw DeclarationError.bad(
        path, "a \(value) can't be saved; give it a default such as 0 or \"\"")
    }
    guard let kind = try kind(of: value) else {
      throw DeclarationError.bad(
        path, "a table says nothing of its type; write list { ... } or record { ... }")
    }
    let content = try marked(value) ?? .nil
    let type: ValueType
    switch kind {
    case "secret": type = .secret
    case "date", "time":
      type = kind == "date" ? .date : .time
      guard content != .nil else { break }
      guard case .string(let text) = content else {
        throw DeclarationError.bad(path, "its initial value is a text: \(kind) \(type.example)")
      }
      return (type, try initial(.text(text.description), of: type, at: path))
    case "integer", "number":
      type = kind == "integer" ? .integer : .number
      guard content != .nil else { break }
      let table = try plainTable(content, at: path, "a table: \(kind) { min = 1, max = 5 }")
      return try range(table, of: type, at: path)
    case "optional":
      if case .string(let name) = content {
        type = .optional(try self.type(named: name.description, at: path, isInState: true))
      } else {
        type = .optional(
          try self.type(of: content, at: path, in: region, depth: depth + 1).type)
      }
    case "enum": type = .oneOf(try names(content, at: path))
    case "record":
      let table = try plainTable(content, at: path, "a table of fields: record { city = \"\" }")
      let parts = try members(of: table, at: path, region).map { member in
        let path = "\(path).\(member.name)"
        guard try self.kind(of: member.value) != "editable" else {
          throw DeclarationError.bad(
            path, "make the whole record editable: editable(record { ... })")
        }
        return try part(
          member.name, member.value, at: path, in: member.region, depth: depth + 1)
      }
      guard !parts.isEmpty else { throw DeclarationError.bad(path, "a record has fields") }
      type = .record(RecordType(parts))
    case "list", "set":
      throw DeclarationError.bad(
        path, "a \(kind) is a field of the state itself; give it a place there")
    case "editable": throw DeclarationError.bad(path, "editable stands outside: editable(...)")
    case "field":
      throw DeclarationError.bad(path, "field stands outside: field { editable(...), help = ... }")
    default: throw DeclarationError.bad(path, "\(kind) isn't a type of a value")
    }
    return (type, type.initial)
  }

  /// The initial value of a field, as its declaration gives it.
  private func initial(
    _ value: StateValue, of type: ValueType, at path: String
  ) throws(DeclarationError) -> StateValue {
    do {
      return try type.checked(value, at: "its initial value")
    } catch {
      throw .bad(path, error.message)
    }
  }

  /// The type of numbers between bounds.
  private func range(
    _ table: LuaTable, of base: ValueType, at path: String
  ) throws -> (type: ValueType, initial: StateValue) {
    var values: [String: StateValue] = [:]
    for (key, value) in try table.entries() {
      let known = ["min", "max", "default"]
      guard case .string(let name) = key, known.contains(name.description) else {
        throw unknown("\(key)", at: path, known: known)
      }
      let number: StateValue =
        switch value {
        case .integer(let integer): .integer(Int(integer))
        case .number(let number): .number(number)
        default: throw DeclarationError.bad("\(path).\(name)", "it must be a number")
        }
      if case .integer(let integer) = number, Int(exactly: Double(integer)) != integer {
        throw DeclarationError.bad("\(path).\(name)", "a bound has at most 53 bits")
      }
      do {
        values[name.description] = try base.checked(number, at: "\(path).\(name)")
      } catch {
        throw DeclarationError("bad_declaration", error.message)
      }
    }
    func bound(_ name: String) -> Double? {
      switch values[name] {
      case .integer(let integer)?: Double(integer)
      case .number(let number)?: number
      default: nil
      }
    }
    let (minimum, maximum) = (bound("min"), bound("max"))
    if let minimum, let maximum, minimum > maximum {
      throw DeclarationError.bad(path, "its min is greater than its max")
    }
    let type = ValueType.range(NumberRange(base, from: minimum, to: maximum))
    guard let value = values["default"] else { return (type, type.initial) }
    return (type, try initial(value, of: type, at: path))
  }

  private func names(_ value: LuaValue, at path: String) throws -> [String] {
    let table = try plainTable(value, at: path, "texts: enum { \"small\", \"large\" }")
    var names: [String] = []
    let count = try table.rawLength()
    try checkEnum(of: count, at: path)
    for position in 0..<count {
      guard case .string(let name) = try table.rawGet(position + 1), let name = name.text,
        !names.contains(where: name.isExactly)
      else { throw DeclarationError.bad(path, "an enum has different texts") }
      names.append(name)
    }
    guard !names.isEmpty, try table.entries().count == names.count else {
      throw DeclarationError.bad(path, "an enum has texts: enum { \"small\", \"large\" }")
    }
    return names
  }

  /// Checks that an enum isn't too large: its texts are compared with each other, and with every value.
  private func checkEnum(of count: Int, at path: String) throws(DeclarationError) {
    guard count <= Self.maximumEnumSize else {
      throw .bad(
        path.shortenedForMessage, "an enum has at most \(Self.maximumEnumSize) texts")
    }
  }

  /// Checks that a type isn't too large: a value of the vocabulary can be in itself, or in others a million times.
  private func checkSize(at path: String, depth: Int) throws(DeclarationError) {
    typeCount.value += 1
    guard depth <= Self.maximumDepth else {
      throw .bad(
        path.shortenedForMessage, "types are nested more than \(Self.maximumDepth) deep")
    }
    guard typeCount.value <= Self.maximumTypeCount else {
      throw .bad(
        name, "its state has more than \(Self.maximumTypeCount) fields and parts of records")
    }
    guard path.utf8.count < Self.maximumPath else {
      throw .bad(path.shortenedForMessage, "its path is longer than \(Self.maximumPath) bytes")
    }
  }

  /// The maximum number of types around another one; JSON allows twice as many.
  private static let maximumDepth = 64

  /// The maximum number of types of a feature's fields, and of parts of their records.
  private static let maximumTypeCount = 10_000

  private static let maximumEnumSize = 1_000

  /// The length in bytes of the longest path of a field.
  private static let maximumPath = 500

  private static let types: [String: ValueType] = [
    "any": .any, "boolean": .boolean, "integer": .integer, "number": .number, "string": .string,
    "secret": .secret, "table": .table, "date": .date, "time": .time,
  ]

  /// The names of the types.
  static var typeNames: [String] { types.keys.sorted() }

  /// The type with a name; types of the state have known parts.
  func type(
    named name: String, at path: String, isInState: Bool = false
  ) throws(DeclarationError) -> ValueType {
    if let type = Self.types[name] {
      guard !isInState || !type.isOfParameters else {
        throw .bad(
          path, "\(name.luaLiteral) is a type of parameters; write record { ... } with its fields")
      }
      return type
    }
    let choices = name.split(separator: "|").map { $0.trimmingWhitespace }
    try checkEnum(of: choices.count, at: path)
    if choices.allSatisfy({ $0.count > 2 && $0.hasPrefix("\"") && $0.hasSuffix("\"") }) {
      return .oneOf(choices.map { String($0.dropFirst().dropLast()) })
    }
    let known = Self.types.filter { !isInState || !$0.value.isOfParameters }.keys.sorted()
    throw .bad(
      path,
      "\(name.luaLiteral) is no type" + Self.remedy(name, known))
  }
}

extension ValueType {
  /// Whether only parameters have the type: the values have no known parts.
  fileprivate var isOfParameters: Bool { self == .any || self == .table }

  /// Whether its values have an order.
  fileprivate var isComparable: Bool {
    switch self {
    case .boolean, .integer, .number, .string, .date, .time, .range, .oneOf: true
    case .optional(let wrapped): wrapped.isComparable
    case .any, .secret, .table, .record, .list, .set: false
    }
  }
}
