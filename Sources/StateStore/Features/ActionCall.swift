/// The code that sends an action, or asks the question of a request.
@usableFromInline package struct ActionCall: Sendable {
  /// A named value.
  package struct Argument: Sendable {
    package let name: String
    package let value: JSONValue
  }

  /// The kinds of code.
  package enum Content: Sendable {
    /// A call of the function with the action's name, and its arguments in their order.
    case function([Argument])
    /// The assignment of the field with a path.
    case field(String, JSONValue)
    /// The assignment of a part of the record with an id, in the list with a path.
    case part(String, ofRecord: Int, in: String, JSONValue)
    /// The encoding of the values of an action, which the feature's module takes under its name.
    case encoded(JSONValue)
  }

  /// The name of the action or request, in snake case.
  package let name: String
  package let content: Content

  init(_ name: String, _ content: Content) { (self.name, self.content) = (name, content) }

  /// Makes the call with the encoding of an action of Swift types; nil if it isn't encoded as a case.
  init?(encoded action: JSONValue) {
    switch action {
    case .text(let name): self.init(name.inSnakeCase, .encoded(.null))
    case .object(let members) where members.count == 1:
      guard let (name, content) = members.first else { return nil }
      self.init(name.inSnakeCase, .encoded(content.inSnakeCase))
    default: return nil
    }
  }

  /// Makes the call of a function with the values of parameters, as far as the last that isn't nothing.
  init(
    _ name: String, _ values: [StateValue], of parameters: RecordType,
    showing secret: (Secret) -> String
  ) {
    let end = values.lastIndex { $0 != .none }.map { $0 + 1 } ?? 0
    self.init(
      name,
      .function(
        zip(parameters.parts, values).prefix(end).map {
          Argument(name: $0.name, value: JSONValue($1, showing: secret))
        }))
  }

  /// The same code with other values; that of encoded values stays as it is.
  ///
  /// - Parameter change: Changes a value, given its name.
  /// - Returns: The changed code.
  package func changed(_ change: (_ name: String, JSONValue) -> JSONValue) -> ActionCall {
    let content: Content =
      switch content {
      case .function(let arguments):
        .function(
          arguments.map { Argument(name: $0.name, value: change($0.name, $0.value)) })
      case .field(let path, let value): .field(path, change(name, value))
      case .part(let part, let id, let list, let value):
        if case .integer(let id) = change("id", .integer(id)) {
          .part(part, ofRecord: id, in: list, change(part, value))
        } else {
          content
        }
      case .encoded: content
      }
    return ActionCall(name, content)
  }
}

extension JSONValue {
  /// The value with the names of members in snake case, as Lua has them.
  var inSnakeCase: JSONValue {
    switch self {
    case .list(let elements): .list(elements.map(\.inSnakeCase))
    case .object(let members):
      .object(
        Dictionary(members.map { ($0.key.inSnakeCase, $0.value.inSnakeCase) }) { first, _ in first }
      )
    default: self
    }
  }
}
