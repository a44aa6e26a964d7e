/// A part of the app's state in a form that every front end can show.
///
/// Scripts, exports and observers get these values, so they don't need to know a feature's types.
public enum StateValue: Sendable {
  /// Nothing, such as an alert that isn't shown.
  case none
  /// A truth value.
  case boolean(Bool)
  /// An exact integer.
  case integer(Int)
  /// A floating-point number.
  case number(Double)
  /// A text.
  case text(String)
  /// A text that is never shown.
  case secret(Secret)
  /// Values in order, optionally with named ones beside them.
  case list([StateValue], members: [Member] = [])
  /// Named values in display order.
  case record([Member])

  /// One named value of a record.
  public struct Member: Hashable, Sendable {
    /// The name, in snake case.
    public let name: String
    /// The value.
    public let value: StateValue

    /// Makes a member.
    public init(name: String, value: StateValue) {
      self.name = name
      self.value = value
    }
  }

  /// The text, or nothing if it is nil.
  public static func optional(_ text: String?) -> StateValue {
    text.map(StateValue.text) ?? .none
  }

  /// The value of the member with a name; nil for an unknown name or a value without members.
  ///
  /// - Complexity: O(members).
  public subscript(name: String) -> StateValue? {
    switch self {
    case .record(let members), .list(_, let members): members.first { $0.name == name }?.value
    default: nil
    }
  }
}

extension StateValue {
  /// The number by which a journal's tables find an element of a list.
  ///
  /// It is the id of a record, and an integer itself. Any other value, such as a text of a set, has a number made of its
  /// bytes.
  package var identifier: Int {
    switch (self, self["id"]) {
    case (.integer(let number), _), (_, .integer(let number)?): number
    default: Int(bitPattern: UInt(json.utf8.stableHash))
    }
  }

  /// Whether the number is an id, or the value itself: others may have the number of another value.
  package var hasIdentifier: Bool {
    switch (self, self["id"]) {
    case (.integer, _), (_, .integer?): true
    default: false
    }
  }
}

extension StateValue: Equatable {
  /// Whether two values are the same; texts are compared by their bytes, as a letter can have several forms.
  public static func == (left: StateValue, right: StateValue) -> Bool {
    // Most observed values are integers, and making a pair of values takes longer than comparing them.
    if case .integer(let left) = left, case .integer(let right) = right { return left == right }
    return switch (left, right) {
    case (.none, .none): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.text(let left), .text(let right)): left.isExactly(right)
    case (.secret(let left), .secret(let right)): left == right
    case (.list(let left, let leftMembers), .list(let right, let rightMembers)):
      left == right && leftMembers == rightMembers
    case (.record(let left), .record(let right)): left == right
    default: false
    }
  }
}

extension String {
  /// Whether the bytes come before those of another text, which for texts is the order of their characters' code points.
  package func isBefore(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}

extension StateValue.Member {
  /// Whether both have the same name, by its bytes, and the same value.
  public static func == (left: Self, right: Self) -> Bool {
    left.name.isExactly(right.name) && left.value == right.value
  }

  /// Hashes the value alone: members that are compared usually have the same names.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension StateValue: Hashable {
  /// Hashes the value; secrets all have the same hash.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .none, .secret: break
    case .boolean(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .text(let value):
      var value = value
      value.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    case .list(let values, let members):
      hasher.combine(values)
      hasher.combine(members)
    case .record(let members): hasher.combine(members)
    }
  }
}

extension StateValue: ExpressibleByDictionaryLiteral {
  /// Makes a record of the members in the order written.
  public init(dictionaryLiteral elements: (String, StateValue)...) {
    self = .record(elements.map { Member(name: $0.0, value: $0.1) })
  }
}

extension StateValue {
  /// Nests values by the dots of their paths: `a.b` and `a.c` become one record `a` of `b` and `c`.
  ///
  /// Paths of one parent must be adjacent, after the parent's own value if it has one. Such a value must be a list:
  /// what is below it becomes the list's members.
  init(leaves: [(path: Substring, value: StateValue)]) {
    self = .record(Self.members(leaves))
  }

  private static func members(_ leaves: [(path: Substring, value: StateValue)]) -> [Member] {
    var members: [Member] = []
    var rest = leaves[...]
    while let first = rest.first {
      let name = first.path.prefix { $0 != "." }
      let own = first.path == name ? first.value : nil
      if own != nil { rest.removeFirst() }
      let parent = name + "."
      let children = rest.prefix { $0.path.hasPrefix(parent) }
      rest.removeFirst(children.count)
      let nested = Self.members(
        children.map { (path: $0.path.dropFirst(parent.count), value: $0.value) })
      members.append(Member(name: String(name), value: value(own, with: nested)))
    }
    return members
  }

  private static func value(_ own: StateValue?, with members: [Member]) -> StateValue {
    switch own {
    case .list(let values, _)?: .list(values, members: members)
    case let own?: own
    case nil: .record(members)
    }
  }
}
