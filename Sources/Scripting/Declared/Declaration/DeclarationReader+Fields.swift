import Lua
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
        fields.addList(try list(member.name, content, at: path, in: member.region), help: help)
      case "set":
        guard case .string(let name) = try marked(value) ?? .nil,
          let type = Self.elementType(named: name.description)
        else {
          throw DeclarationError.bad(
            path, "a set has integers or strings: set \"integer\" or set \"string\"")
        }
        fields.addSet(member.name, of: type, help: help)
      case "map":
        let content = try content(of: value, "map", at: path)
        fields.addList(try map(member.name, content, at: path, in: member.region), help: help)
      default:
        let part = try part(member.name, value, at: path, in: member.region)
        fields.addValue(
          member.name, part.type, help: help, initial: part.initial, isEditable: part.isEditable)
      }
    }
    try checkReferences(in: fields)
    return fields
  }

  private func checkReferences(in fields: DeclaredFields) throws(DeclarationError) {
    for field in fields.fields {
      let path = "\(name).state.\(field.name)"
      if case .value(let type, _) = field.kind {
        try checkReference(type, in: fields, at: path)
      }
      for part in field.list?.record.parts ?? [] {
        try checkReference(part.type, in: fields, at: "\(path).\(part.name)")
      }
    }
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
    _ name: String, _ table: LuaTable, at path: String, in region: Range<Int>
  ) throws -> DeclaredList {
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
    guard let sorting else { return DeclaredList(name, of: type, isNewestFirst: isNewestFirst) }
    guard !isNewestFirst else {
      throw DeclarationError.bad(path, "it has either newest_first or sorted_by")
    }
    let index = try index(sorting, "sorted_by")
    guard parts[index].type.isComparable else {
      throw DeclarationError.bad(
        "\(path).sorted_by", "\(sorting) has no order: sort by a number, a text or a boolean")
    }
    return DeclaredList(name, of: type, sortingPart: index)
  }

  /// A map: `map("string", "integer")`.
  private func map(
    _ name: String, _ table: LuaTable, at path: String, in region: Range<Int>
  ) throws -> DeclaredList {
    let key = try keyType(try table.rawGet("key"), at: path)
    let value = try table.rawGet("value")
    let valueName = DeclaredList.valueName
    guard case .string(let type) = value else {
      let part = try part(valueName, value, at: path, in: region)
      guard !part.isEditable else {
        throw DeclarationError.bad(path, "only actions change a map")
      }
      return DeclaredList(name, mapFrom: key, to: part)
    }
    return DeclaredList(
      name, mapFrom: key,
      to: .init(valueName, try self.type(named: type.description, at: path, isInState: true)))
  }

  func part(
    _ name: String, _ value: LuaValue, at path: String, in region: Range<Int>, depth: Int = 0
  ) throws -> RecordType.Part {
    let (described, help) = try describedField(value, at: path)
    let isEditable = try kind(of: described) == "editable"
    let value = isEditable ? try marked(described) ?? .nil : described
    let (type, initial) = try type(of: value, at: path, in: region, depth: depth)
    return .init(name, type, help: help, initial: initial, isEditable: isEditable)
  }
}
