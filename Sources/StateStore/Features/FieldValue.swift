public import PrimereplFoundation

/// A value of a field of a state or record, which can be shown, and read from a document.
public protocol FieldValue: SendableMetatype {
  /// The type of the values, as scripts, documents and paths see them.
  static var valueType: ValueType { get }

  /// The value in a form that every front end can show.
  var stateValue: StateValue { get }

  /// Makes the value that a front end shows in a form: the inverse of ``stateValue``.
  ///
  /// - Throws: An error that says what is wrong, for a form that no value of the type has.
  init(stateValue: StateValue) throws

  /// The stored properties of the values that documents would lose, as no field shows them; in a part of a value, such as
  /// "address.city".
  static var unlistedProperties: [String] { get }

  /// Reads the value from a document.
  ///
  /// - Throws: `DecodingError`, or ``DocumentError``, which says what is wrong and where.
  init(fromDocument decoder: any Decoder) throws
}

extension FieldValue {
  /// A table whose parts have no paths.
  public static var valueType: ValueType { .table }

  /// None.
  public static var unlistedProperties: [String] { [] }

  /// Reads the value as if a document contained it, but with its secrets.
  public init(stateValue: StateValue) throws {
    self = try DocumentCoding.value(of: stateValue)
  }
}

extension FieldValue where Self: Decodable {
  /// Decodes the value: a document contains it as it is encoded.
  @inlinable public init(fromDocument decoder: any Decoder) throws { try self.init(from: decoder) }
}

extension Int: FieldValue {
  /// An integer.
  public static var valueType: ValueType { .integer }

  /// The integer.
  @inlinable public var stateValue: StateValue { .integer(self) }

  /// The integer.
  public init(stateValue: StateValue) throws {
    guard case .integer(let value) = stateValue else { throw stateValue.mismatch(Self.valueType) }
    self = value
  }
}

extension Double: FieldValue {
  /// A number.
  public static var valueType: ValueType { .number }

  /// The number.
  @inlinable public var stateValue: StateValue { .number(self) }

  /// The number; an integer that a number holds exactly is one, too.
  public init(stateValue: StateValue) throws {
    if case .number(let value) = stateValue {
      self = value
    } else if case .integer(let value) = stateValue, let number = Double(exactly: value) {
      self = number
    } else {
      throw stateValue.mismatch(Self.valueType)
    }
  }
}

extension Bool: FieldValue {
  /// A truth value.
  public static var valueType: ValueType { .boolean }

  /// The truth value.
  @inlinable public var stateValue: StateValue { .boolean(self) }

  /// The truth value.
  public init(stateValue: StateValue) throws {
    guard case .boolean(let value) = stateValue else { throw stateValue.mismatch(Self.valueType) }
    self = value
  }
}

extension String: FieldValue {
  /// A text.
  public static var valueType: ValueType { .string }

  /// The text.
  @inlinable public var stateValue: StateValue { .text(self) }

  /// The text.
  public init(stateValue: StateValue) throws {
    guard case .text(let value) = stateValue else { throw stateValue.mismatch(Self.valueType) }
    self = value
  }
}

extension Secret: FieldValue {
  /// A text that is never shown.
  public static var valueType: ValueType { .secret }

  /// The secret, which is shown as bullets.
  @inlinable public var stateValue: StateValue { .secret(self) }

  /// The secret.
  public init(stateValue: StateValue) throws {
    guard case .secret(let value) = stateValue else { throw stateValue.mismatch(Self.valueType) }
    self = value
  }
}

extension Date: FieldValue {
  /// A number of seconds.
  public static var valueType: ValueType { .number }

  /// The seconds since 1970, as Lua's `os.time` counts them: an integer if they are whole.
  public var stateValue: StateValue {
    let seconds = timeIntervalSince1970
    return Int(exactly: seconds).map(StateValue.integer) ?? .number(seconds)
  }

  /// The date that is a finite number of seconds after the beginning of 1970.
  public init(stateValue: StateValue) throws {
    let seconds = try Double(stateValue: stateValue)
    guard seconds.isFinite else { throw stateValue.mismatch(Self.valueType) }
    self.init(timeIntervalSince1970: seconds)
  }

  /// Reads a number of seconds since 1970.
  public init(fromDocument decoder: any Decoder) throws {
    self.init(timeIntervalSince1970: try decoder.singleValueContainer().decode(Double.self))
  }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  /// The wrapped type, or nothing.
  public static var valueType: ValueType { .optional(Wrapped.valueType) }

  /// Those of the wrapped value.
  public static var unlistedProperties: [String] { Wrapped.unlistedProperties }

  /// The wrapped value, or nothing.
  @inlinable public var stateValue: StateValue { self?.stateValue ?? .none }

  /// The wrapped value, or nil.
  @inlinable public init(stateValue: StateValue) throws {
    if case .none = stateValue { self = nil } else { self = try Wrapped(stateValue: stateValue) }
  }

  /// Reads null as nil.
  public init(fromDocument decoder: any Decoder) throws {
    self =
      try decoder.singleValueContainer().decodeNil() ? nil : Wrapped(fromDocument: decoder)
  }
}

extension Array: FieldValue where Element: FieldValue {
  /// A list of the element's type.
  public static var valueType: ValueType { .list(of: Element.valueType) }

  /// Those of the elements.
  public static var unlistedProperties: [String] { Element.unlistedProperties }

  /// The elements.
  @inlinable public var stateValue: StateValue { .list(map(\.stateValue)) }

  /// The elements.
  public init(stateValue: StateValue) throws {
    guard case .list(let values, _) = stateValue else { throw stateValue.mismatch(Self.valueType) }
    self = try values.map { try Element(stateValue: $0) }
  }

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
  /// One of the names of the cases.
  public static var valueType: ValueType { .oneOf(allCases.map(\.rawValue)) }

  /// The name of the case.
  @inlinable public var stateValue: StateValue { .text(rawValue) }

  /// The case with the name.
  public init(stateValue: StateValue) throws {
    guard case .text(let name) = stateValue, let named = Self(named: name) else {
      throw stateValue.mismatch(Self.valueType)
    }
    self = named
  }

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

extension CaseIterable where Self: RawRepresentable<String> {
  package init?(named name: String) {
    guard let named = Self.allCases.first(where: { $0.rawValue.isExactly(name) }) else {
      return nil
    }
    self = named
  }
}

extension StateValue {
  func mismatch(_ type: ValueType) -> ValueTypeError {
    .wrongType(expected: type, found: self, at: "the value")
  }
}

/// Decodes a value as documents contain it.
struct DocumentValue<Value: FieldValue>: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws { value = try Value(fromDocument: decoder) }
}
