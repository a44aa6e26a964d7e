import PrimereplFoundation

/// A value that is decoded by its declared type.
struct DeclaredValue: DecodableWithConfiguration {
  let value: StateValue

  /// Decodes the value; missing parts of records have their initial values.
  init(from decoder: any Decoder, configuration type: ValueType) throws {
    switch type {
    // Tables, lists and sets are types of values in Swift.
    case .any, .table, .list, .set: value = try JSONValue(from: decoder).stateValue { $0 }
    case .boolean: value = .boolean(try Bool(from: decoder))
    // What was saved stays, whatever bounds, places or pattern the app has now.
    case .integer, .reference: value = .integer(try Int(from: decoder))
    case .number, .decimal: value = .number(try Double(from: decoder))
    case .string, .text: value = .text(try String(from: decoder))
    case .secret: value = .secret(try Secret(from: decoder))
    case .date: value = try CalendarDate(from: decoder).stateValue
    case .time: value = try TimeStamp(from: decoder).stateValue
    case .range(let range):
      value = try DeclaredValue(from: decoder, configuration: range.base).value
    case .oneOf(let names):
      let text = try String(from: decoder)
      guard names.contains(where: text.isExactly) else {
        throw DocumentError(unknown: text, insteadOf: names, at: decoder.codingPath)
      }
      value = .text(text)
    case .optional(let wrapped):
      let isNil = try decoder.singleValueContainer().decodeNil()
      value = isNil ? .none : try DeclaredValue(from: decoder, configuration: wrapped).value
    case .record(let type):
      let container = try decoder.container(keyedBy: AnyKey.self)
      value = .record(type.members(of: try type.values(in: container)))
    }
  }
}

extension RecordType {
  /// Decodes the values of all parts; missing ones have their initial values.
  func values(in container: KeyedDecodingContainer<AnyKey>) throws -> [StateValue] {
    var values = initialValues
    for (index, part) in parts.enumerated() {
      let key = AnyKey(part.name)
      guard container.contains(key) else { continue }
      values[index] =
        try container.decode(DeclaredValue.self, forKey: key, configuration: part.type).value
    }
    return values
  }
}

/// A value as journals and documents store it.
struct EncodedStateValue: Encodable {
  private let value: StateValue

  init(_ value: StateValue) { self.value = value }

  func encode(to encoder: any Encoder) throws {
    switch value {
    case .list(let values, _):
      var container = encoder.unkeyedContainer()
      for value in values { try container.encode(EncodedStateValue(value)) }
    case .record(let members):
      var container = encoder.container(keyedBy: AnyKey.self)
      for member in members where member.value != .none {
        try container.encode(EncodedStateValue(member.value), forKey: AnyKey(member.name))
      }
    case .secret(let secret): try secret.encode(to: encoder)
    default:
      var container = encoder.singleValueContainer()
      switch value {
      case .boolean(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }
}
