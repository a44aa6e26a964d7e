import Lua
import PrimereplPlatform
import StateStore

// The types of fields, of parts of records and of parameters.
extension DeclarationReader {
  /// The type that a default or a word of the vocabulary stands for, with the initial value; `depth` is the number of types
  /// around it.
  func type(
    of value: LuaValue, at path: String, in region: Range<Int>, depth: Int
  ) throws -> (type: ValueType, initial: StateValue) {
    try checkSize(at: path, depth: depth)
    switch value {
    case .boolean(let value): return (.boolean, .boolean(value))
    case .integer(let value): return (.integer, .integer(Int(value)))
    case .number(let value):
      guard value.isFinite else { throw DeclarationError.bad(path, "a number is finite") }
      // Adding 0 makes 0 of -0, as for later values.
      return (.number, .number(value + 0))
    case .string(let bytes):
      guard let text = bytes.text else {
        throw DeclarationError.bad(path, "its text isn't valid UTF-8")
      }
      return (.string, .text(text))
    case .table: break
    case .nil:
      throw DeclarationError.bad(path, "its type is missing; give it a default such as 0 or \"\"")
    case .function:
      throw DeclarationError.bad(
        path,
        "a function is no type; write a default such as 0, or call the word, as in decimal(2) or reference \"items\""
      )
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
      return try rangeType(table, of: type, at: path)
    case "decimal": return try decimalType(content, at: path)
    case "text":
      guard content != .nil else { return (.string, ValueType.string.initial) }
      return try textType(content, at: path)
    case "reference":
      guard depth == 0 else {
        throw DeclarationError.bad(
          path, "a reference is a field of the state or of a list's records, and may be nil there")
      }
      return (.optional(.reference(try referenceType(content, at: path))), .none)
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
    case "list", "set", "map":
      throw DeclarationError.bad(
        path, "a \(kind) is a field of the state itself; give it a place there")
    case "editable": throw DeclarationError.bad(path, "editable stands outside: editable(...)")
    case "field":
      throw DeclarationError.bad(path, "field stands outside: field { editable(...), help = ... }")
    default: throw DeclarationError.bad(path, "\(kind) isn't a type of a value")
    }
    return (type, type.initial)
  }

  private func initial(
    _ value: StateValue, of type: ValueType, at path: String
  ) throws(DeclarationError) -> StateValue {
    do {
      return try type.checked(value, at: "its initial value")
    } catch {
      throw .bad(path, error.message)
    }
  }

  /// The type of decimal numbers: `decimal(2)`, or a table with their number of places and bounds.
  private func decimalType(
    _ content: LuaValue, at path: String
  ) throws -> (type: ValueType, initial: StateValue) {
    let advice = "the number of decimal places: decimal(2) or decimal { places = 2, min = 0 }"
    if case .integer(let count) = content {
      let type = try decimalType(count, at: path)
      return (type, type.initial)
    }
    let table = try plainTable(content, at: path, advice)
    guard case .integer(let count) = try table.rawGet("places") else {
      throw DeclarationError.bad("\(path).places", "it must be \(advice)")
    }
    return try rangeType(
      table, of: decimalType(count, at: path), at: path, besides: ["places"])
  }

  private func decimalType(_ count: Int64, at path: String) throws(DeclarationError) -> ValueType {
    guard let places = DecimalPlaces(Int(count)) else { throw .badDecimalPlaces(at: path) }
    return .decimal(places)
  }

  private func textType(
    _ content: LuaValue, at path: String
  ) throws -> (type: ValueType, initial: StateValue) {
    let table = try plainTable(content, at: path, "a table: text { pattern = \"%d+\", max = 80 }")
    let options = try options(table, at: path, known: ["pattern", "max", "default"])
    var maximum: Int?
    if let value = options["max"] {
      guard case .integer(let number) = value, number > 0 else {
        throw DeclarationError.bad("\(path).max", "it must be a number of characters from 1")
      }
      maximum = Int(number)
    }
    let pattern = try text(options["pattern"], at: "\(path).pattern").map { text in
      do throws(LuaError) {
        return try LuaPattern(text)
      } catch {
        throw DeclarationError.bad("\(path).pattern", error.message)
      }
    }
    let given = try text(options["default"], at: "\(path).default")
    let type = ValueType.text(
      TextRule(matching: pattern, maximumLength: maximum, initial: given))
    guard let value = given else { return (type, type.initial) }
    return (type, try initial(.text(value), of: type, at: path))
  }

  /// The records of another list: `reference "projects"`, or a table with the name and `on_remove`.
  private func referenceType(_ content: LuaValue, at path: String) throws -> ReferenceType {
    let advice = "the name of a list: reference \"projects\""
    if case .string(let list) = content {
      return ReferenceType(to: list.description, of: name, removal: .refuse)
    }
    let table = try plainTable(content, at: path, advice)
    guard case .string(let list) = try table.rawGet(1) else {
      throw DeclarationError.bad(path, "it must be \(advice)")
    }
    var removal = ReferenceType.Removal.refuse
    for (key, value) in try table.entries() where key != .integer(1) {
      guard key == .string("on_remove") else {
        throw unknown("\(key)", at: path, known: ["on_remove"])
      }
      guard case .string(let word) = value,
        let known = ReferenceType.Removal(rawValue: word.description)
      else {
        let words = ReferenceType.Removal.allCases.map(\.rawValue.luaLiteral)
        throw DeclarationError.bad(
          "\(path).on_remove", "it must be one of \(words.joined(separator: ", "))")
      }
      removal = known
    }
    return ReferenceType(to: list.description, of: name, removal: removal)
  }

  func checkReference(
    _ type: ValueType, in fields: DeclaredFields, at path: String
  ) throws(DeclarationError) {
    guard let reference = type.reference else { return }
    let lists = fields.fields.compactMap(\.list).filter { !$0.isMap }
    guard !lists.contains(where: { $0.name == reference.list }) else { return }
    let problem = "the state of \(name) has no list '\(reference.list.onOneLine)'"
    throw .bad(
      path, problem + (lists.isEmpty ? "" : Self.remedy(reference.list, lists.map(\.name))))
  }

  private func rangeType(
    _ table: LuaTable, of base: ValueType, at path: String, besides other: [String] = []
  ) throws -> (type: ValueType, initial: StateValue) {
    let bounds = ["min", "max", "default"]
    var values: [String: StateValue] = [:]
    let options = try options(table, at: path, known: bounds + other)
    for case let (name, value?) in bounds.map({ ($0, options[$0]) }) {
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
        values[name] = try base.checked(number, at: "\(path).\(name)")
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

  /// The names of the types that have no parameters.
  static var typeNames: [String] { types.keys.sorted() }

  func keyType(_ value: LuaValue, at path: String) throws -> ValueType {
    guard case .string(let name) = value, let type = Self.types[name.description],
      [.string, .integer, .date].contains(type)
    else {
      throw DeclarationError.bad(
        path, "a map has keys of the type \"string\", \"integer\" or \"date\"")
    }
    return type
  }

  /// The type of a set's elements; nil for other names.
  static func elementType(named name: String) -> ValueType? {
    types[name].flatMap { $0 == .integer || $0 == .string ? $0 : nil }
  }

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
    if name.hasPrefix(DecimalPlaces.typeNameStart) {
      guard let places = DecimalPlaces(typeName: name) else { throw .badDecimalPlaces(at: path) }
      return .decimal(places)
    }
    if !isInState, let list = name.argument(of: "reference") {
      return .reference(ReferenceType(to: list, of: self.name, removal: .refuse))
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

extension DeclarationError {
  fileprivate static func badDecimalPlaces(at path: String) -> Self {
    .bad(path, "there are 0 to \(DecimalPlaces.maximum) decimal places, as in decimal(2)")
  }
}

extension ValueType {
  /// Whether only parameters have the type: the values have no known parts.
  fileprivate var isOfParameters: Bool { self == .any || self == .table }

  var isComparable: Bool {
    switch self {
    case .boolean, .integer, .number, .string, .date, .time, .range, .decimal, .text, .oneOf: true
    case .optional(let wrapped): wrapped.isComparable
    case .any, .secret, .table, .reference, .record, .list, .set: false
    }
  }
}

extension String {
  /// The text between the parentheses after a word: "tasks" in "reference(tasks)"; nil for another text.
  fileprivate func argument(of word: String) -> String? {
    guard hasPrefix(word + "("), hasSuffix(")") else { return nil }
    return dropFirst(word.count + 1).dropLast().trimmingWhitespace
  }
}
