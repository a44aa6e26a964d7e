import Lua
import StateStore

/// The values of an action of Swift types, by the names that its encoding has for them.
private struct EncodedValues {
  /// The values by their labels in snake case; those without labels are numbered, as "_0".
  ///
  /// An unlabelled record is taken apart.
  let values: [String: JSONValue]
  private let content: JSONValue

  /// Makes the values of an encoding with names in snake case.
  init(_ encoding: JSONValue) {
    content = Self.withoutOwnNames(encoding)
    values =
      switch content {
      case .null: [:]
      case .object(let parts):
        if parts.count == 1, case .object(let members)? = parts["_0"] {
          Self.labelled(members)
        } else {
          Self.labelled(parts)
        }
      default: ["_0": content]
      }
  }

  /// The content without the kit's own values, whose names no parameter can have.
  private static func withoutOwnNames(_ content: JSONValue) -> JSONValue {
    guard case .object(let values) = content else { return content }
    return .object(values.filter { !$0.key.hasPrefix("#") })
  }

  private static func labelled(_ values: [String: JSONValue]) -> [String: JSONValue] {
    values.filter { $0.value != .null && !$0.key.hasPrefix("#") }
  }

  /// The values without a function whose parameters they could be.
  var arguments: String {
    guard case .object(let parts) = content else {
      return content == .null ? "" : content.luaLiteral
    }
    if parts.isEmpty { return "" }
    let numbered = (0..<parts.count).compactMap { parts["_\($0)"] }
    if numbered.count == parts.count { return numbered.map(\.luaLiteral).joined(separator: ", ") }
    if parts.count == 1, let only = parts.first { return only.value.luaLiteral }
    return content.luaLiteral
  }
}

/// The functions and assignments of a feature's module, by which scripts send its actions.
struct ModuleCalls {
  /// The records of a list, and the fields that can be assigned.
  struct Records {
    let record: LuaObjectClass
    let list: LuaObjectClass
    let fields: [String]

    /// Nil for a field that isn't a list of records which scripts get as objects.
    init?(_ field: AnyField) {
      guard let type = field.scriptableType, let records = field.list?.records else { return nil }
      (record, list) = (type.recordClass, type.listClass)
      let parts = field.type.element?.record?.parts ?? []
      fields = parts.indices.filter { records.assignment(ofPart: $0) != nil }.map {
        parts[$0].name
      }
    }
  }

  private let module: String
  private var functions: [String: [LuaParameter]] = [:]
  private var properties: Set<String> = []
  /// The functions that give a record by its id, by the fields that only such records have.
  private var getters: [String: String] = [:]

  init(_ module: String) { self.module = module }

  init(_ module: String, _ members: [LuaMember], _ records: [Records]) {
    self.module = module
    for member in members {
      switch member.kind {
      case .function: functions[member.name] = member.parameters
      case .property(let isWritable): if isWritable { properties.insert(member.name) }
      }
    }
    var fields: Set<String> = []
    for list in records {
      let getter = getter(of: list, members)
      for field in list.fields {
        getters[field] = fields.insert(field).inserted ? getter : nil
      }
    }
  }

  private func getter(of records: Records, _ members: [LuaMember]) -> String? {
    if members.contains(where: { $0.name == "get" && $0.gives(records.record) }) {
      return path(to: "get")
    }
    return members.first { !$0.isFunction && $0.gives(records.list) }.map {
      "\(path(to: $0.name)):get"
    }
  }

  func path(to member: String) -> String {
    let module = LuaTokens.isName(module.utf8) ? module : "app[\(module.luaLiteral)]"
    return LuaTokens.isName(member.utf8) ? "\(module).\(member)" : "\(module)[\(member.luaLiteral)]"
  }

  /// The code of a call; nil stands for an action that isn't encoded as a case.
  func text(of call: ActionCall?) -> String {
    guard let call else { return "\(module)()" }
    return switch call.content {
    case .function(let arguments):
      "\(path(to: call.name))(\(arguments.map(\.luaLiteral).joined(separator: ", ")))"
    case .field(let path, let assigned): "\(path) = \(assigned.luaLiteral)"
    case .part(let part, let id, let list, let assigned):
      "\(list):get(\(id)).\(part) = \(assigned.luaLiteral)"
    case .encoded(let encoding): text(of: call.name, EncodedValues(encoding))
    }
  }

  private func text(of action: String, _ encoded: EncodedValues) -> String {
    if let parameters = functions[action],
      let arguments = Self.arguments(encoded.values, for: parameters)
    {
      return "\(path(to: action))(\(arguments.joined(separator: ", ")))"
    }
    return assignment(action, encoded.values) ?? "\(path(to: action))(\(encoded.arguments))"
  }

  // MARK: - Functions

  /// The values as arguments; nil if they don't have all that the function needs.
  private static func arguments(
    _ values: [String: JSONValue], for parameters: [LuaParameter]
  ) -> [String]? {
    var rest = values
    var arguments = parameters.map { rest.removeValue(forKey: $0.name)?.luaLiteral }
    for (index, parameter) in parameters.enumerated() where arguments[index] == nil {
      arguments[index] = table(takingFrom: &rest, for: parameter)
    }
    for label in (0..<values.count).map({ "_\($0)" }) {
      guard let index = arguments.firstIndex(of: nil) else { break }
      arguments[index] = rest.removeValue(forKey: label)?.luaLiteral
    }
    // The id of a new record, which the function makes.
    rest["id"] = nil
    if arguments == [nil], rest.count == 1, let only = rest.first {
      arguments = [only.value.luaLiteral]
    }
    guard zip(arguments, parameters).allSatisfy({ $0 != nil || $1.isOptional }) else { return nil }
    let isWithoutValues = arguments.allSatisfy { $0 == nil } && !rest.isEmpty
    if isWithoutValues, !parameters.isEmpty { return nil }
    while arguments.last == .some(nil) { arguments.removeLast() }
    return arguments.map { $0 ?? "nil" }
  }

  /// The table of those values that are options of a parameter; nil if it takes none, or there are none to give.
  private static func table(
    takingFrom values: inout [String: JSONValue], for parameter: LuaParameter
  ) -> String? {
    let members = parameter.options.compactMap { option -> String? in
      guard let value = values.removeValue(forKey: option.name), !isDefault(value, of: option)
      else { return nil }
      return "\(option.name) = \(value.luaLiteral)"
    }
    if members.isEmpty, parameter.options.isEmpty || parameter.isOptional { return nil }
    return "{\(members.joined(separator: ", "))}"
  }

  private static func isDefault(_ value: JSONValue, of option: LuaParameter) -> Bool {
    guard let found = option.defaultValue.find() else { return false }
    do {
      return try JSONValue(encoding: found) == value
    } catch {
      // A default that can't be encoded isn't an encoded value.
      return false
    }
  }

  // MARK: - Assignments

  /// The assignment of the property, or of the record's field, that an action sets.
  private func assignment(_ action: String, _ values: [String: JSONValue]) -> String? {
    guard action == "set" || action.hasPrefix("set_") else { return nil }
    var values = values
    let id = values.removeValue(forKey: "id")
    guard values.count <= 1 else { return nil }
    let value = values.first?.value ?? .null
    for name in [values.first?.key, String(action.dropFirst("set_".count))].compactMap(\.self) {
      if let id, let getter = getters[name] {
        return "\(getter)(\(id.luaLiteral)).\(name) = \(value.luaLiteral)"
      }
      if id == nil, properties.contains(name) { return "\(path(to: name)) = \(value.luaLiteral)" }
    }
    return nil
  }
}

extension LuaMember {
  fileprivate func gives(_ objectClass: LuaObjectClass) -> Bool {
    valueTypes.contains { $0.required == .object(objectClass) }
  }
}
