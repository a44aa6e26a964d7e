import Lua
import StateStore

/// The types of signatures as the Lua language server writes them.
///
/// Tables whose fields are known have classes: records of the state, the kit's own tables, and options of functions.
struct LanguageServerTypes {
  /// A class of tables.
  struct TableClass {
    let name: String
    let fields: [TableField]
  }

  /// The classes of tables, in the order in which they were found.
  private(set) var tables: [TableClass] = []

  /// What tells tables with known fields apart.
  private enum TableID: Hashable {
    /// The Swift type of a table of the kit.
    case type(ObjectIdentifier)
    /// The name of a table, and its fields: records of two features can have types of the same name.
    case table(String, fields: [String])

    init(_ name: String, _ fields: [LuaTableField]) {
      self = .table(name, fields: fields.map { "\($0.name): \($0.type)" })
    }
  }

  /// The names of the classes of tables.
  private var names: [TableID: String] = [:]

  private var takenNames: Set<String>

  /// Finds the classes of tables in the members of modules and objects.
  init(of modules: [LuaModule], _ objects: [ObjectClass]) {
    takenNames = Set(objects.map(\.name))
    for module in modules {
      for member in module.documentation { add(member, of: module.name) }
      if let call = module.callDocumentation { add(call, of: module.name) }
      if let type = module.elementType { add(type, of: module.name) }
    }
    for object in objects {
      for member in object.members { add(member, of: object.name) }
      if let type = object.elementType { add(type, of: object.name) }
    }
  }

  private mutating func add(_ member: LuaMember, of owner: String) {
    for type in member.valueTypes { add(type, of: owner) }
    for parameter in member.parameters where !parameter.options.isEmpty {
      addOptions(parameter, Self.optionsName(of: parameter, "\(owner).\(member.name)"))
    }
  }

  // MARK: - Records

  private mutating func add(_ type: LuaValueType, of owner: String) {
    switch Self.tableType(in: type) {
    case .swift(let type as any DescribedTable.Type):
      let id = TableID.type(ObjectIdentifier(type))
      guard names[id] == nil else { return }
      let name = newName(type.className)
      names[id] = name
      tables.append(TableClass(name: name, fields: type.tableFields))
    case .table(let type, let fields):
      let id = TableID(type, fields)
      guard names[id] == nil else { return }
      let name = newName(Self.qualified(type, of: owner).asClassName)
      // First, as a record's fields may lead back to it.
      names[id] = name
      for type in fields.compactMap(\.valueType) { add(type, of: owner) }
      let fields = fields.map { field in
        TableField(
          name: field.name, type: self.type(field.type, of: field.valueType), help: field.help)
      }
      tables.append(TableClass(name: name, fields: fields))
    default: break
    }
  }

  /// The type of the tables that values of a type are, or contain; nil if their fields aren't known.
  private static func tableType(in type: LuaValueType) -> LuaValueType? {
    switch type.resolved {
    case .object, .value, .text: return nil
    case .list(let element): return tableType(in: element)
    case .table: return type
    case .swift(let type):
      if let value = type as? any FieldValue.Type {
        return tableType(in: value.valueType.luaType(at: ""))
      }
      return type is any DescribedTable.Type ? .swift(type) : nil
    }
  }

  /// The name of the class of the tables that values of a type are, or contain; nil if their fields aren't known.
  private func className(of type: LuaValueType) -> String? {
    switch Self.tableType(in: type) {
    case .swift(let type): names[.type(ObjectIdentifier(type))]
    case .table(let type, let fields): names[TableID(type, fields)]
    default: nil
    }
  }

  /// The name of a class such as `counter.alert`; `wolfram.answer` for a `wolfram_answer`.
  ///
  /// - Parameters:
  ///   - name: The path of a value, or the name of a record's type.
  ///   - owner: The module or class in which the type was found first.
  /// - Returns: The name.
  private static func qualified(_ name: String, of owner: String) -> String {
    if name.contains(".") { return name }
    return
      "\(owner).\(name.hasPrefix("\(owner)_") ? String(name.dropFirst(owner.count + 1)) : name)"
  }

  private mutating func newName(_ name: String) -> String {
    var name = name
    while !takenNames.insert(name).inserted { name += "_table" }
    return name
  }

  // MARK: - Options

  private static func optionsName(of parameter: LuaParameter, _ owner: String) -> String {
    "\(owner).\(parameter.name)".asClassName
  }

  private mutating func addOptions(_ parameter: LuaParameter, _ name: String) {
    let fields = parameter.options.map { option in
      TableField(
        name: option.name, type: type(of: option, in: name), help: option.help,
        isOptional: option.isOptional)
    }
    tables.append(TableClass(name: name, fields: fields))
    for option in parameter.options where !option.options.isEmpty {
      addOptions(option, Self.optionsName(of: option, name))
    }
  }

  // MARK: - Types

  /// The type of a parameter, or an option, without the mark of one that may be left out.
  ///
  /// - Parameters:
  ///   - parameter: The parameter.
  ///   - owner: The function with its module or class, such as `counter.increment`; or the options' class.
  /// - Returns: The type.
  func type(of parameter: LuaParameter, in owner: String) -> String {
    let type = parameter.isOptional ? String(parameter.type.dropLast()) : parameter.type
    if let callback = parameter.callback, type == LuaFunction.luaTypeName {
      let names = callback.split(separator: ",").map { name in
        let name = name.drop { $0 == " " }
        return name.contains(":") ? String(name) : "\(name): any"
      }
      return "async fun(\(names.joined(separator: ", "))): ...".onOneLine
    }
    guard !parameter.options.isEmpty, let end = type.lastIndex(of: "}") else {
      return self.type(type)
    }
    // Options can be the elements of a list.
    return Self.optionsName(of: parameter, owner) + type[type.index(after: end)...]
  }

  /// A type that has its name from what is known of it.
  func type(of valueType: LuaValueType) -> String { type(valueType.name, of: valueType) }

  /// A type of a signature.
  ///
  /// - Parameters:
  ///   - name: The type's name in the signature.
  ///   - valueType: The type, if it is known.
  /// - Returns: The type.
  func type(_ name: String, of valueType: LuaValueType? = nil) -> String {
    if name == LuaVariadic.luaTypeName { return "any" }
    if name.hasPrefix("table"), let className = valueType.flatMap(className) {
      return className + name.dropFirst("table".count)
    }
    return LanguageServerText.changing(name) { name in
      var type = name.replacing(" or ", with: "|")
      if type.contains("{") {
        // The fields of a table: {name=string, [age=integer]}.
        type = type.replacing(/\[(\w+)=((?:[^\[\]]|\[\])+)\]/) { "\($0.1)?: \($0.2)" }
          .replacing("=", with: ": ")
      } else if type.hasSuffix("?"), type.contains("|") {
        type = "\(type.dropLast())|nil"
      }
      return type.onOneLine
    }
  }
}

/// A field of a class of tables.
struct TableField {
  let name: String
  let type: String
  let help: String
  /// Whether it may be left out.
  var isOptional = false
}

/// A table of the kit, with the fields that editors show.
protocol DescribedTable: LuaPushable {
  /// The name of the tables' class.
  static var className: String { get }
  static var tableFields: [TableField] { get }
}

extension DescribedTable {
  static var luaTypeName: String { "table" }
}

extension String {
  /// The name without what the name of a class can't have.
  fileprivate var asClassName: String {
    String(map { $0.isASCII && ($0.isLetter || $0.isNumber) || "._".contains($0) ? $0 : "_" })
  }
}
