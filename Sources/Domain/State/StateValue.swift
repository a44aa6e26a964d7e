/// A piece of the app's state in a form that every front end can show.
///
/// Scripts, exports and observers get these, so that none of them needs to know a feature's types.
public enum StateValue: Equatable, Sendable {
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
  /// Values in order.
  case list([StateValue])
  /// Named values, in the order they are shown.
  case record([Member])

  /// One named value of a record.
  public struct Member: Equatable, Sendable {
    /// The name, in snake case.
    public let name: String
    /// The value under that name.
    public let value: StateValue

    /// Makes a member.
    public init(name: String, value: StateValue) {
      self.name = name
      self.value = value
    }
  }

  /// The text, or nothing where there is none.
  public static func optional(_ text: String?) -> StateValue {
    text.map(StateValue.text) ?? .none
  }

  /// The value a record has under a name, or nil for an unknown name or a value of another kind.
  ///
  /// - Complexity: O(members).
  public subscript(name: String) -> StateValue? {
    guard case .record(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }
}

extension StateValue: ExpressibleByDictionaryLiteral {
  /// Makes a record of the members as they are written.
  public init(dictionaryLiteral elements: (String, StateValue)...) {
    self = .record(elements.map { Member(name: $0.0, value: $0.1) })
  }
}

extension StateValue {
  /// Nests values by the dots of their paths: `a.b` and `a.c` become one record `a` of `b` and `c`.
  ///
  /// - Parameter leaves: The values with their paths. Paths of one parent stand side by side, and
  ///   none is both a leaf and a parent, which is so for the fields of a feature.
  init(leaves: [(path: Substring, value: StateValue)]) {
    var members: [Member] = []
    var rest = leaves[...]
    while let first = rest.first {
      let name = first.path.prefix { $0 != "." }
      let parent = name + "."
      let children = rest.prefix { $0.path.hasPrefix(parent) }
      if children.isEmpty {
        members.append(Member(name: String(name), value: first.value))
        rest.removeFirst()
      } else {
        let nested = children.map { (path: $0.path.dropFirst(parent.count), value: $0.value) }
        members.append(Member(name: String(name), value: StateValue(leaves: nested)))
        rest.removeFirst(children.count)
      }
    }
    self = .record(members)
  }
}
