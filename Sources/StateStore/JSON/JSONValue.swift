import PrimereplFoundation

/// Any JSON value.
public enum JSONValue: Equatable, Sendable {
  /// Null.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number without a fraction.
  case integer(Int)
  /// Another number.
  case number(Double)
  /// A text.
  case text(String)
  /// Values in order.
  case list([JSONValue])
  /// Values by their names.
  case object([String: JSONValue])

  /// The member of an object with a name; nil if there is none, or this is no object.
  ///
  /// Setting a member of another value than an object has no effect.
  public subscript(name: String) -> JSONValue? {
    get {
      if case .object(let members) = self { members[name] } else { nil }
    }
    set {
      guard case .object(var members) = self else { return }
      members[name] = newValue
      self = .object(members)
    }
  }

  /// Renames a member of an object, if there is one of that name, such as a field in ``Feature/migrate(_:from:)``.
  public mutating func rename(_ name: String, to newName: String) {
    guard let value = self[name] else { return }
    self[name] = nil
    self[newName] = value
  }
}

extension JSONValue {
  /// Whether both are the same; texts are compared by their bytes, as a letter can have several forms.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left.isExactly(right)
    case (.list(let left), .list(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}

extension JSONValue: Codable {
  /// Decodes any value.
  public init(from decoder: any Decoder) throws {
    // The only way to find the kind is to try each: lists first, as any table of Lua has keys.
    if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .list(elements)
    } else if let container = try? decoder.container(keyedBy: AnyKey.self) {
      var members: [String: JSONValue] = [:]
      for key in container.allKeys {
        members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
      }
      self = .object(members)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .boolean(value)
      } else if let value = try? container.decode(Int.self) {
        self = .integer(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: AnyKey.self)
      for (name, value) in members { try container.encode(value, forKey: AnyKey(name)) }
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .boolean(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }
}

extension JSONValue {
  /// The JSON of a value, with the texts to show for its secrets: by default, empty ones.
  package init(_ value: StateValue, showing secret: (Secret) -> String = { _ in "" }) {
    self.init(value, secrets: { .text(secret($0)) })
  }

  init(_ value: StateValue, secrets form: (Secret) -> JSONValue) {
    self =
      switch value {
      case .none: .null
      case .boolean(let value): .boolean(value)
      case .integer(let value): .integer(value)
      // As it is read back.
      case .number(let value): Int(exactly: value).map { .integer($0) } ?? .number(value)
      case .text(let value): .text(value)
      case .secret(let value): form(value)
      case .list(let values, _): .list(values.map { JSONValue($0, secrets: form) })
      case .record(let members):
        .object(
          Dictionary(members.map { ($0.name, JSONValue($0.value, secrets: form)) }) { first, _ in
            first
          })
      }
  }
}

extension JSONValue {
  init(text: String) throws(JSONMistake) { self.init(saved: try StateValue(json: text)) }

  /// Encodes a value as journals store it.
  @usableFromInline package init(encoding value: some Encodable) throws {
    try self.init(text: String(decoding: StateCoding.encoder.encode(value), as: UTF8.self))
  }

  func decoded<Value: Decodable>() throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(savedJSON.utf8))
  }

  /// The value in the form that every front end can show, with the members of objects in the order of their names.
  package func stateValue(naming name: (String) -> String) -> StateValue {
    switch self {
    case .null: .none
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .number(let value): .number(value)
    case .text(let value): .text(value)
    case .list(let elements): .list(elements.map { $0.stateValue(naming: name) })
    case .object(let members):
      .record(
        members.sorted { $0.key < $1.key }
          .map { StateValue.Member(name: name($0.key), value: $0.value.stateValue(naming: name)) })
    }
  }

  /// The arguments that a question is for a stub: none for an object without members.
  var arguments: [StateValue] {
    self == .object([:]) ? [] : [stateValue(naming: \.inSnakeCase)]
  }
}

struct EncodableClosure: Encodable {
  let body: (any Encoder) throws -> Void

  func encode(to encoder: any Encoder) throws { try body(encoder) }
}

/// A value that a closure decodes.
struct ConvertedValue<Value>: DecodableWithConfiguration {
  let value: Value

  init(from decoder: any Decoder, configuration: (any Decoder) throws -> Value) throws {
    value = try configuration(decoder)
  }
}

@usableFromInline struct AnyKey: CodingKey {
  @usableFromInline let stringValue: String
  @usableFromInline let intValue: Int?

  @usableFromInline init(_ name: String) { (stringValue, intValue) = (name, nil) }
  @usableFromInline init(_ position: Int) { (stringValue, intValue) = ("\(position)", position) }
  @usableFromInline init(stringValue: String) { self.init(stringValue) }
  @usableFromInline init(intValue: Int) { self.init(intValue) }
}
