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
  /// A number between bounds.
  case range(NumberRange)
  /// A number with a fixed number of decimal places.
  case decimal(DecimalPlaces)
  /// A text that a rule accepts.
  case text(TextRule)
  /// The id of a record of another list of the feature.
  case reference(ReferenceType)
  /// One of several texts.
  case oneOf([String])
  /// A table whose parts have no paths.
  case table
  /// A value, or nil.
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
    case .decimal(let places): places.typeName
    case .text: "string"
    case .reference: "integer"
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
    case .decimal(let places): "a number\(places.phrase)"
    case .text(let rule): rule.phrase
    case .reference(let reference): "a record of \(reference.path) or its id"
    default: name
    }
  }

  /// Whether only some values of a type of Lua have the type, which messages then show.
  package var isNarrow: Bool {
    switch required {
    case .date, .time, .range, .decimal, .text, .reference: true
    default: false
    }
  }

  /// The type of the values that aren't nil.
  package var required: ValueType {
    if case .optional(let wrapped) = self { wrapped.required } else { self }
  }

  package var isOptional: Bool { if case .optional = self { true } else { false } }

  /// The parts of a record, also of one that may be nil; nil for another type.
  package var record: RecordType? { if case .record(let type) = required { type } else { nil } }

  /// The type of the elements of a list or set, also of one that may be nil; nil for another type.
  package var element: ValueType? {
    switch required {
    case .list(let element), .set(let element): element
    default: nil
    }
  }

  package var reference: ReferenceType? {
    if case .reference(let type) = required { type } else { nil }
  }

  package var decimalPlaces: DecimalPlaces? {
    switch required {
    case .decimal(let places): places
    case .range(let range): range.base.decimalPlaces
    default: nil
    }
  }

  /// Whether the values are texts of people's own, such as names.
  var isText: Bool {
    switch required {
    case .string, .text: true
    default: false
    }
  }

  /// Whether the values have parts with paths.
  var hasParts: Bool { record != nil || element != nil }

  package var hasSecrets: Bool {
    switch self {
    case .secret: true
    case .optional(let type), .list(let type), .set(let type): type.hasSecrets
    case .record(let type): type.parts.contains { $0.type.hasSecrets }
    case .any, .boolean, .integer, .number, .string, .date, .time, .range, .decimal, .text,
      .reference, .oneOf, .table:
      false
    }
  }

  /// The value of a field that declares no other.
  package var initial: StateValue {
    switch self {
    case .any, .optional, .table, .reference: .none
    case .boolean: .boolean(false)
    case .integer: .integer(0)
    case .number, .decimal: .number(0)
    case .string: .text("")
    case .text(let rule): .text(rule.initial ?? "")
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

// MARK: - Checking

extension ValueType {
  /// Checks a value that code gives, and converts it to the form that is kept: an integer in place of a whole number
  /// where an integer is declared, and the initial values of parts that a record lacks.
  package func checked(
    _ value: StateValue, at path: @autoclosure () -> String
  ) throws(ValueTypeError) -> StateValue {
    switch (self, value) {
    case (.any, _): return value.asStored
    case (.boolean, .boolean), (.integer, .integer), (.string, .text), (.secret, .secret),
      (.optional, .none):
      return value
    case (.number, .number(let number)) where number.isFinite:
      // Adding 0 makes 0 of -0: the two are equal, so that a change from one to the other would be none.
      return .number(number + 0)
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
    case (.decimal(let places), .number(let number)):
      if let number = places.value(of: number) { return .number(number) }
    case (.decimal(let places), .integer(let integer)):
      if let number = places.value(of: Double(integer)) { return .number(number) }
    case (.text(let rule), .text(let text)) where rule.accepts(text): return value
    case (.reference, .integer): return value
    case (.oneOf(let names), .text(let text)) where names.contains(where: text.isExactly):
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

/// Why a value can't be kept in a declared state.
package typealias ValueTypeError = PlainError<ValueType>

extension ValueTypeError {
  static func wrongType(expected: ValueType, found: StateValue, at path: String) -> Self {
    // A value for a secret may be one, such as a PIN that is a number.
    let phrase = expected.hasSecrets ? "a value of another type" : found.kindPhrase
    var message = "\(path): expected \(expected.phrase), found \(phrase)"
    if let reference = expected.reference, case .record = found {
      message += "; a parameter for it has the type reference(\(reference.list))"
    }
    return Self("bad_value", message)
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

extension String {
  /// The text in double quotes, with a backslash before those in it, as in the names of types.
  @usableFromInline package var quoted: String {
    "\"\(replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
  }
}
