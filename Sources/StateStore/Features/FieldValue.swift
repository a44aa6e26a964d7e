/// A value of a field of a state or record, which can be shown, and read from a document.
public protocol FieldValue: SendableMetatype {
  /// The shape of the values.
  static var shape: StateShape { get }

  /// The name of the values' type in documentation, as scripts see them: "integer", "string?", "table".
  static var typeName: String { get }

  /// The value in a form that every front end can show.
  var stateValue: StateValue { get }

  /// The stored properties of the values that documents would lose, as no field shows them; in a part of a value, such as
  /// "address.city".
  static var unlistedProperties: [String] { get }

  /// Reads the value from a document.
  ///
  /// - Throws: `DecodingError`, or ``DocumentError``, which says what is wrong and where.
  init(fromDocument decoder: any Decoder) throws
}

extension FieldValue {
  /// A value without parts.
  @inlinable public static var shape: StateShape { .value }

  /// "table".
  public static var typeName: String { "table" }

  /// None.
  public static var unlistedProperties: [String] { [] }
}

/// A single value that documents contain as it is encoded.
public protocol EncodedFieldValue: FieldValue, Decodable {}

extension EncodedFieldValue {
  /// Decodes the value.
  @inlinable public init(fromDocument decoder: any Decoder) throws { try self.init(from: decoder) }
}

extension Int: EncodedFieldValue {
  /// "integer".
  public static var typeName: String { "integer" }

  /// The integer.
  @inlinable public var stateValue: StateValue { .integer(self) }
}

extension Double: EncodedFieldValue {
  /// "number".
  public static var typeName: String { "number" }

  /// The number.
  @inlinable public var stateValue: StateValue { .number(self) }
}

extension Bool: EncodedFieldValue {
  /// "boolean".
  public static var typeName: String { "boolean" }

  /// The truth value.
  @inlinable public var stateValue: StateValue { .boolean(self) }
}

extension String: EncodedFieldValue {
  /// "string".
  public static var typeName: String { "string" }

  /// The text.
  @inlinable public var stateValue: StateValue { .text(self) }
}

extension Secret: EncodedFieldValue {
  /// A text that is never shown.
  @inlinable public static var shape: StateShape { .secret }

  /// "string".
  public static var typeName: String { "string" }

  /// The secret, which is shown as bullets.
  @inlinable public var stateValue: StateValue { .secret(self) }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  /// The shape of the wrapped value.
  @inlinable public static var shape: StateShape { Wrapped.shape }

  /// The wrapped type with a question mark.
  public static var typeName: String { Wrapped.typeName + "?" }

  /// Those of the wrapped value.
  public static var unlistedProperties: [String] { Wrapped.unlistedProperties }

  /// The wrapped value, or nothing.
  @inlinable public var stateValue: StateValue { self?.stateValue ?? .none }

  /// Reads null as nil.
  public init(fromDocument decoder: any Decoder) throws {
    self =
      try decoder.singleValueContainer().decodeNil() ? nil : Wrapped(fromDocument: decoder)
  }
}

extension Array: FieldValue where Element: FieldValue {
  /// A list of the element's shape.
  @inlinable public static var shape: StateShape { .list(of: Element.shape) }

  /// The element's type with brackets.
  public static var typeName: String {
    let name = Element.typeName
    return name.contains("|") ? "(\(name))[]" : "\(name)[]"
  }

  /// Those of the elements.
  public static var unlistedProperties: [String] { Element.unlistedProperties }

  /// The elements.
  @inlinable public var stateValue: StateValue { .list(map(\.stateValue)) }

  /// Reads a list.
  public init(fromDocument decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self = []
    while !container.isAtEnd {
      append(try container.decode(DocumentValue<Element>.self).value)
    }
  }
}

extension FieldValue where Self: RawRepresentable<String> & CaseIterable & Decodable {
  /// The names in quotes, with bars between them.
  public static var typeName: String {
    allCases.map(\.rawValue.quoted).joined(separator: "|")
  }

  /// The name of the case.
  @inlinable public var stateValue: StateValue { .text(rawValue) }

  /// Reads the name of a case.
  public init(fromDocument decoder: any Decoder) throws {
    let name = try decoder.singleValueContainer().decode(String.self)
    guard let named = Self(named: name) else {
      throw DocumentError(
        unknown: name, insteadOf: Self.allCases.map(\.rawValue), at: decoder.codingPath)
    }
    self = named
  }
}

/// Decodes a value as documents contain it.
struct DocumentValue<Value: FieldValue>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(fromDocument: decoder) }
}
