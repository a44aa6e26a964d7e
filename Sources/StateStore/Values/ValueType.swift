/// The type of a value: of a field of the state, a part of a record, or a parameter.
///
/// It is the same for values of Swift types and for those declared at run time. Paths, documentation, completion and
/// checks follow from it.
public indirect enum ValueType: Equatable, Sendable {
  /// Any value of JSON.
  case any
  /// A truth value.
  case boolean
  /// An exact integer.
  case integer
  /// A finite number.
  case number
  /// A text.
  case string
  /// A text that is never shown or stored.
  case secret
  /// A day, as a text such as "2026-11-26".
  case date
  /// A moment in UTC, as a text such as "2026-11-26T10:15:00.000Z".
  case time
  /// An integer or a finite number between bounds.
  case range(NumberRange)
  /// One of several texts.
  case oneOf([String])
  /// A table whose parts have no paths.
  case table
  /// A value, or nothing.
  case optional(ValueType)
  /// Named values.
  case record(RecordType)
  /// Values in order, all of one type.
  case list(of: ValueType)
  /// Different values, all of one type.
  case set(of: ValueType)

  /// The name in signatures, such as "integer?".
  package var name: String {
    switch self {
    case .any: "any"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string, .secret: "string"
    case .date: "date"
    case .time: "time"
    case .range(let range): range.base.name
    case .oneOf(let names): names.map(\.quoted).joined(separator: "|")
    case .table, .record: "table"
    case .optional(let wrapped): wrapped.name + "?"
    case .list(let element), .set(let element):
      if case .oneOf = element.required { "(\(element.name))[]" } else { "\(element.name)[]" }
    }
  }

  /// The values in words that follow "expected".
  package var phrase: String {
    switch required {
    case .date: "a date such as \"2026-11-26\""
    case .time: "a time such as \"2026-11-26T10:15:00Z\""
    case .range(let range): range.phrase
    default: name
    }
  }

  /// Whether only some values of a type of Lua have the type, which messages then show.
  package var isNarrow: Bool {
    switch required {
    case .date, .time, .range: true
    default: false
    }
  }

  /// The type of the values that aren't nothing.
  package var required: ValueType {
    if case .optional(let wrapped) = self { wrapped.required } else { self }
  }

  /// Whether there may be no value.
  package var isOptional: Bool { if case .optional = self { true } else { false } }

  /// The parts of a record, also of one that may be nothing; nil for another type.
  package var record: RecordType? { if case .record(let type) = required { type } else { nil } }

  /// The type of the elements of a list or set, also of one that may be nothing; nil for another type.
  package var element: ValueType? {
    switch required {
    case .list(let element), .set(let element): element
    default: nil
    }
  }

  /// Whether the values have parts with paths.
  var hasParts: Bool { record != nil || element != nil }

  /// Whether the values can contain secrets.
  package var hasSecrets: Bool {
    switch self {
    case .secret: true
    case .optional(let type), .list(let type), .set(let type): type.hasSecrets
    case .record(let type): type.parts.contains { $0.type.hasSecrets }
    case .any, .boolean, .integer, .number, .string, .date, .time, .range, .oneOf, .table: false
    }
  }

  /// The value of a field that declares no other.
  package var initial: StateValue {
    switch self {
    case .any, .optional, .table: .none
    case .boolean: .boolean(false)
    case .integer: .integer(0)
    case .number: .number(0)
    case .string: .text("")
    case .date: CalendarDate.start.stateValue
    case .time: TimeStamp.start.stateValue
    case .range(let range): range.initial
    case .secret: .secret(.empty)
    case .oneOf(let names): .text(names.first ?? "")
    case .record(let type): .record(type.members(of: type.initialValues))
    case .list, .set: .list([])
    }
  }
}

/// The numbers between two bounds, which belong to them.
public struct NumberRange: Equatable, Sendable {
  /// Integers or numbers.
  package let base: ValueType
  /// The lowest number; nil if there is none.
  package let minimum: Double?
  /// The highest number; nil if there is none.
  package let maximum: Double?

  /// Makes a range that isn't empty.
  package init(_ base: ValueType, from minimum: Double?, to maximum: Double?) {
    (self.base, self.minimum, self.maximum) = (base, minimum, maximum)
  }

  /// Whether a number is in the range; false for any other value.
  package func contains(_ value: StateValue) -> Bool {
    let number: Double
    switch value {
    case .integer(let integer): number = Double(integer)
    case .number(let value): number = value
    default: return false
    }
    return number >= minimum ?? -.infinity && number <= maximum ?? .infinity
  }

  /// Zero, or the number of the range that is nearest to it.
  fileprivate var initial: StateValue {
    let nearest = max(minimum ?? -.infinity, min(maximum ?? .infinity, 0))
    guard base == .integer else { return .number(nearest) }
    return .integer(Int(exactly: nearest.rounded(.awayFromZero)) ?? 0)
  }

  /// The numbers in words that follow "expected".
  fileprivate var phrase: String {
    func text(_ bound: Double) -> String { Int(exactly: bound).map { "\($0)" } ?? "\(bound)" }
    let article = base == .integer ? "an integer" : "a number"
    return switch (minimum, maximum) {
    case (let minimum?, let maximum?): "\(article) from \(text(minimum)) to \(text(maximum))"
    case (let minimum?, nil): "\(article) from \(text(minimum))"
    case (nil, let maximum?): "\(article) up to \(text(maximum))"
    case (nil, nil): article
    }
  }
}

extension RecordType.Part {
  /// Whether a call can leave the parameter out.
  package var canBeLeftOut: Bool { type.isOptional || argumentDefault != nil }
}

/// The value of an argument that a call leaves out.
package enum ArgumentDefault: Equatable, Sendable {
  /// A value.
  case value(StateValue)
  /// The time of the call.
  case now
  /// The day of the call, where it is made.
  case today
  /// A random value: a number from 0 to 1, an integer from 0, or a text of 32 hexadecimal digits.
  case random
  /// A random identifier, such as "f81d4fae-7dec-41d0-a765-00a0c91e6bf6".
  case uuid
}

/// Named parts with their types: of a record, or of a call's parameters.
public final class RecordType: Sendable {
  /// A named value.
  public struct Part: Equatable, Sendable {
    /// The name in snake case.
    public let name: String
    /// A description in one line; may be empty.
    public let help: String
    /// The type of the values.
    public let type: ValueType
    /// The value of a record that is made without the part.
    package let initial: StateValue
    /// Whether scripts can assign it.
    package let isEditable: Bool
    /// The value of a parameter that a call leaves out; nil for one that has to be given, or is then nothing.
    package let argumentDefault: ArgumentDefault?

    /// Makes a part.
    package init(
      _ name: String, _ type: ValueType, help: String = "", initial: StateValue? = nil,
      isEditable: Bool = false, argumentDefault: ArgumentDefault? = nil
    ) {
      (self.name, self.help, self.type, self.isEditable) = (name, help, type, isEditable)
      self.argumentDefault = argumentDefault
      self.initial = initial ?? type.initial
    }
  }

  /// The name of the records' type in documentation; nil for one that is known by its place in the state.
  package let name: String?
  /// The parts in display order.
  public let parts: [Part]
  /// Whether the records have an id that their list gives them, beside the parts.
  package let hasID: Bool
  /// The name of the part by which people know a record; nil if its id is all that there is.
  package let label: String?
  let initialValues: [StateValue]
  private let indexes: [String: Int]

  /// Makes a type of parts with different names.
  ///
  /// - Parameters:
  ///   - parts: The parts.
  ///   - name: The name of the records' type in documentation.
  ///   - hasID: Whether the records have an id that their list gives them.
  ///   - label: The name of the part by which people know a record; by default a title, a name or a text, or else the first
  ///     text.
  package init(
    _ parts: [Part], name: String? = nil, hasID: Bool = false, label: String? = nil
  ) {
    (self.parts, self.name, self.hasID) = (parts, name, hasID)
    let texts = parts.filter { $0.type.required == .string }.map(\.name)
    self.label = label ?? ["title", "name", "text"].first(where: texts.contains) ?? texts.first
    initialValues = parts.map(\.initial)
    indexes = Dictionary(parts.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  /// The index of the part with a name; nil if there is none.
  package func index(of name: String) -> Int? { indexes[name] }

  /// The members of the records with their types: the id, and the parts.
  package var members: [(name: String, type: ValueType)] {
    (hasID ? [("id", .integer)] : []) + parts.map { ($0.name, $0.type) }
  }

  /// The names of the records' members.
  package var memberNames: [String] { members.map(\.name) }

  /// The type of a member of the records; nil if there is none.
  package func type(ofMember name: String) -> ValueType? { members.first { $0.name == name }?.type }

  /// The members of a record with values for all parts.
  package func members(of values: [StateValue]) -> [StateValue.Member] {
    zip(parts, values).map { StateValue.Member(name: $0.name, value: $1) }
  }
}

extension RecordType: Equatable {
  /// Whether both have the same parts.
  public static func == (left: RecordType, right: RecordType) -> Bool {
    left === right
      || (left.hasID == right.hasID && left.name == right.name && left.parts == right.parts)
  }
}

// MARK: - Checking

extension ValueType {
  /// Checks a value that code gives, and converts it to the form that is kept: an integer in place of a whole number
  /// where an integer is declared, and the initial values of parts that a record lacks.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - path: The place of the value, for the error.
  /// - Returns: The value to keep.
  /// - Throws: ``ValueTypeError``.
  package func checked(
    _ value: StateValue, at path: @autoclosure () -> String
  ) throws(ValueTypeError) -> StateValue {
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
    case (.date, .text(let text)):
      if let date = CalendarDate(text) { return .text(date.description) }
    case (.time, .text(let text)):
      if let time = TimeStamp(text) { return .text(time.description) }
    case (.range(let range), _):
      let value = try range.base.checked(value, at: path())
      if range.contains(value) { return value }
    case (.oneOf(let names), .text(let text)) where names.contains(where: text.hasSameBytes):
      return value
    case (.optional(let wrapped), _): return try wrapped.checked(value, at: path())
    case (.record(let type), .record(let members)):
      return .record(type.members(of: try type.values(from: members, at: path())))
    case (.table, .record), (.table, .list): return value.asStored
    case (.list(let element), .list(let values, _)):
      var checked: [StateValue] = []
      for (index, value) in values.enumerated() {
        checked.append(try element.checked(value, at: "\(path())[\(index + 1)]"))
      }
      return .list(checked)
    // An empty table of Lua.
    case (.list, .record(let members)) where members.isEmpty: return .list([])
    default: break
    }
    throw .wrongType(expected: self, found: value, at: path())
  }
}

extension RecordType {
  /// The values of all parts, from the members of a record that code gives.
  ///
  /// - Parameters:
  ///   - members: The members; missing ones have their initial values.
  ///   - path: The place of the record, for the error.
  /// - Returns: The values, in the order of the parts.
  /// - Throws: ``ValueTypeError``.
  package func values(
    from members: [StateValue.Member], at path: @autoclosure () -> String
  ) throws(ValueTypeError) -> [StateValue] {
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
}

/// Why a value can't be kept in a declared state.
package typealias ValueTypeError = PlainError<ValueType>

extension ValueTypeError {
  static func wrongType(expected: ValueType, found: StateValue, at path: String) -> Self {
    // A value for a secret may be one, such as a PIN that is a number.
    let phrase = expected.hasSecrets ? "a value of another type" : found.kindPhrase
    return Self("bad_value", "\(path): expected \(expected.phrase), found \(phrase)")
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
  package var asStored: StateValue {
    switch self {
    case .number(let number): Int(exactly: number).map { .integer($0) } ?? self
    case .list(let values, let members):
      .list(values.map(\.asStored), members: members.map(\.asStored))
    case .record(let members): .record(members.map(\.asStored))
    case .none, .boolean, .integer, .text, .secret: self
    }
  }

  /// The value in words that follow "found": short ones as they are.
  package var kindPhrase: String {
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
