/// The code that sends an action, or asks the question of a request.
@usableFromInline package struct ActionCall: Sendable {
  package enum Content: Sendable {
    /// A call of the function with the action's name.
    case function([JSONValue])
    /// The assignment of the field with a path.
    case field(String, JSONValue)
    /// The assignment of a part of the record with an id, in the list with a path.
    case part(String, ofRecord: Int, in: String, JSONValue)
    /// The encoding of the values of an action, which the feature's module takes under its name.
    case encoded(JSONValue)
  }

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

  /// Makes the call of a function, without the arguments at the end that are nil.
  init(_ name: String, _ values: [StateValue], showing secret: (Secret) -> String) {
    self.init(
      name, .function(values.withoutNothingAtEnd.map { JSONValue($0, showing: secret) }))
  }
}

extension JSONValue {
  /// The value with the names of its members in snake case, as in Lua.
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
