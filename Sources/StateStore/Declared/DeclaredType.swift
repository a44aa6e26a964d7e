/// The type of a value that is declared at run time, in place of a Swift type.
///
/// The values themselves are ``StateValue``s, which a type checks, decodes and describes.
package indirect enum DeclaredType: Equatable, Sendable {
  /// Any value of JSON; only for parameters.
  case any
  case boolean
  case integer
  /// A finite number.
  case number
  case string
  /// A text that is never shown or stored.
  case secret
  /// One of several texts.
  case choice([String])
  /// A value, or nothing.
  case optional(DeclaredType)
  /// Named values.
  case record(DeclaredRecordType)

  /// The shape of the values.
  var shape: StateShape {
    switch self {
    case .secret: .secret
    case .optional(let wrapped): wrapped.shape
    case .record(let type): type.shape
    case .any, .boolean, .integer, .number, .string, .choice: .value
    }
  }

  /// Whether there may be no value.
  package var isOptional: Bool { if case .optional = self { true } else { false } }

  /// The name in signatures, such as "integer?".
  package var name: String {
    switch self {
    case .any: "any"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string, .secret: "string"
    case .choice(let names): names.map(\.quoted).joined(separator: "|")
    case .optional(let wrapped): wrapped.name + "?"
    case .record: "table"
    }
  }

  /// The value of a field that declares no other.
  package var initial: StateValue {
    switch self {
    case .any, .optional: .none
    case .boolean: .boolean(false)
    case .integer: .integer(0)
    case .number: .number(0)
    case .string: .text("")
    case .secret: .secret(.empty)
    case .choice(let names): .text(names.first ?? "")
    case .record(let type): .record(type.members(of: type.initialValues))
    }
  }
}

/// Named parts with their types: of a record, or of a feature's parameters.
package final class DeclaredRecordType: Sendable {
  /// A named value.
  package struct Part: Equatable, Sendable {
    /// The name in snake case.
    package let name: String
    package let type: DeclaredType
    /// The value of a record that is made without the part.
    package let initial: StateValue
    /// Whether scripts can assign it.
    package let isEditable: Bool

    /// Makes a part.
    package init(
      _ name: String, _ type: DeclaredType, initial: StateValue? = nil, isEditable: Bool = false
    ) {
      (self.name, self.type, self.isEditable) = (name, type, isEditable)
      self.initial = initial ?? type.initial
    }
  }

  /// The parts in display order.
  package let parts: [Part]
  /// Whether the records have an id, as those of a list do.
  let hasID: Bool
  let initialValues: [StateValue]
  private let indexes: [String: Int]

  /// Makes a type of parts with different names.
  package init(_ parts: [Part], hasID: Bool = false) {
    (self.parts, self.hasID) = (parts, hasID)
    initialValues = parts.map(\.initial)
    indexes = Dictionary(parts.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// The index of the part with a name; nil if there is none.
  package func index(of name: String) -> Int? { indexes[name] }

  /// The members of a record with values for all parts.
  func members(of values: [StateValue]) -> [StateValue.Member] {
    zip(parts, values).map { StateValue.Member(name: $0.name, value: $1) }
  }

  var shape: StateShape {
    let members = parts.map { StateShape.Member(name: $0.name, shape: $0.type.shape) }
    return .record(hasID ? [StateShape.Member(name: "id", shape: .value)] + members : members)
  }
}

extension DeclaredRecordType: Equatable {
  /// Whether both have the same parts.
  package static func == (left: DeclaredRecordType, right: DeclaredRecordType) -> Bool {
    left === right || (left.hasID == right.hasID && left.parts == right.parts)
  }
}

// MARK: - Checking

extension DeclaredType {
  /// Checks a value that code gives, and converts it to the form that is kept: an integer in place of a whole number
  /// where an integer is declared, and the initial values of parts that a record lacks.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - path: The place of the value, for the error.
  /// - Returns: The value to keep.
  /// - Throws: ``DeclaredValueError``.
  package func checked(
    _ value: StateValue, at path: @autoclosure () -> String
  ) throws(DeclaredValueError) -> StateValue {
    switch (self, value) {
    case (.any, _): return value.asStored
    case (.boolean, .boolean), (.integer, .integer), (.string, .text), (.secret, .secret),
      (.optional, .none):
      return value
    case (.number, .number(let number)) where number.isFinite: return value
    case (.number, .integer(let integer)):
      guard let number = Double(exactly: integer) else { break }
      return .number(number)
    case (.integer, .number(let number)):
      guard let integer = Int(exactly: number) else { break }
      return .integer(integer)
    case (.secret, .text(let text)): return .secret(Secret(text))
    case (.choice(let names), .text(let text)) where names.contains(where: text.hasSameBytes):
      return value
    case (.optional(let wrapped), _): return try wrapped.checked(value, at: path())
    case (.record(let type), .record(let members)):
      return .record(type.members(of: try type.values(from: members, at: path())))
    default: break
    }
    throw .wrongType(expected: self, found: value, at: path())
  }
}

extension DeclaredRecordType {
  /// The values of all parts, from the members of a record that code gives.
  ///
  /// - Parameters:
  ///   - members: The members; missing ones have their initial values.
  ///   - path: The place of the record, for the error.
  /// - Returns: The values, in the order of the parts.
  /// - Throws: ``DeclaredValueError``.
  package func values(
    from members: [StateValue.Member], at path: @autoclosure () -> String
  ) throws(DeclaredValueError) -> [StateValue] {
    var values = initialValues
    for member in members {
      guard let index = index(of: member.name) else {
        if member.name == "id", hasID { throw .givenID(at: path()) }
        throw .unknownPart(member.name, at: path(), known: parts.map(\.name))
      }
      values[index] = try parts[index].type.checked(
        member.value, at: "\(path()).\(member.name)")
    }
    return values
  }

  /// Values for another type, as far as it has parts of the same names.
  ///
  /// - Parameters:
  ///   - values: The values of this type's parts.
  ///   - new: The other type.
  ///   - path: The place of a part with a name, for the error.
  /// - Returns: The values, in the order of the other type's parts; missing ones have their initial values.
  /// - Throws: ``DeclaredValueError``.
  func converted(
    _ values: [StateValue], to new: DeclaredRecordType, at path: (_ part: String) -> String
  ) throws(DeclaredValueError) -> [StateValue] {
    var converted = new.initialValues
    for (place, part) in new.parts.enumerated() {
      guard let old = index(of: part.name), values[old] != .none else { continue }
      converted[place] = try part.type.checked(values[old], at: path(part.name))
    }
    return converted
  }
}

/// Why a value can't be kept in a declared state.
package typealias DeclaredValueError = PlainError<DeclaredType>

extension DeclaredValueError {
  static func wrongType(expected: DeclaredType, found: StateValue, at path: String) -> Self {
    // A value for a secret may be one, such as a PIN that is a number.
    let phrase = expected.shape.hasSecrets ? "a value of another type" : found.kindPhrase
    return Self("bad_value", "\(path): expected \(expected.name), found \(phrase)")
  }

  static func unknownPart(_ name: String, at path: String, known: [String]) -> Self {
    Self(
      "bad_value",
      "\(path) has no field '\(name.shortenedForMessage)'; it has \(known.joined(separator: ", "))")
  }

  static func givenID(at path: String) -> Self {
    Self("bad_value", "\(path).id: ids come from the list; leave it out")
  }
}

extension StateValue {
  /// The value as it is read back from JSON, which has one kind of number: a whole number is an integer.
  fileprivate var asStored: StateValue {
    switch self {
    case .number(let number): Int(exactly: number).map { .integer($0) } ?? self
    case .list(let values, let members):
      .list(values.map(\.asStored), members: members.map(\.asStored))
    case .record(let members): .record(members.map(\.asStored))
    case .none, .boolean, .integer, .text, .secret: self
    }
  }

  /// The value in words that follow "found": short ones as they are.
  fileprivate var kindPhrase: String {
    switch self {
    case .none: "nil"
    case .boolean(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let value): "\(value)"
    case .text(let text): text.count <= 40 ? "\"\(text)\"" : "a string"
    case .secret: "a secret"
    case .list, .record: "a table"
    }
  }
}

extension StateValue.Member {
  fileprivate var asStored: StateValue.Member {
    StateValue.Member(name: name, value: value.asStored)
  }
}
