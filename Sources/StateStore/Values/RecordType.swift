extension RecordType.Part {
  package var canBeLeftOut: Bool { type.isOptional || argumentDefault != nil }
}

/// The value of an argument that a call leaves out.
package enum ArgumentDefault: Equatable, Sendable {
  case value(StateValue)
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
    /// The value of a parameter that a call leaves out; nil for one that has to be given, or is nil then.
    package let argumentDefault: ArgumentDefault?

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
  /// The indexes of the parts that refer to records of another list.
  package let references: [Int]
  private let indexes: [String: Int]

  /// Makes a type of parts with different names.
  ///
  /// By default, the label is a title, a name or a text, or else the first text.
  package init(
    _ parts: [Part], name: String? = nil, hasID: Bool = false, label: String? = nil
  ) {
    (self.parts, self.name, self.hasID) = (parts, name, hasID)
    let texts = parts.filter { $0.type.isText }.map(\.name)
    self.label = label ?? ["title", "name", "text"].first(where: texts.contains) ?? texts.first
    initialValues = parts.map(\.initial)
    references = parts.indices.filter { parts[$0].type.reference != nil }
    indexes = Dictionary(parts.enumerated().map { ($1.name, $0) }) { first, _ in first }
  }

  package func index(of name: String) -> Int? { indexes[name] }

  /// The members of the records with their types: the id, and the parts.
  package var members: [(name: String, type: ValueType)] {
    (hasID ? [("id", .integer)] : []) + parts.map { ($0.name, $0.type) }
  }

  package var memberNames: [String] { members.map(\.name) }

  package func type(ofMember name: String) -> ValueType? { members.first { $0.name == name }?.type }

  /// The members of a record with values for all parts.
  package func members(of values: [StateValue]) -> [StateValue.Member] {
    zip(parts, values).map { StateValue.Member(name: $0.name, value: $1) }
  }
}

extension RecordType {
  /// The text by which people know a record: that of its label; nil if that is empty, or there is none.
  package func label(of record: StateValue) -> StateValue? {
    guard let label, let value = record[label], value != .none, value != .text("") else {
      return nil
    }
    return value
  }

  /// The text by which people know a record: that of its label, or its id.
  package func labelText(of record: StateValue, id: Int) -> String {
    switch label(of: record) {
    case .text(let label): label
    case let label?: label.json
    case nil: "#\(id)"
    }
  }
}

extension RecordType: Equatable {
  /// Whether both have the same parts.
  public static func == (left: RecordType, right: RecordType) -> Bool {
    left === right
      || (left.hasID == right.hasID && left.name == right.name && left.parts == right.parts)
  }
}

extension RecordType {
  /// The values of all parts in their order, from the members of a record that code gives; missing ones are initial.
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
