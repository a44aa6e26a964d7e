/// What there can be in a piece of state, so that a path into it can be checked before it is there.
public indirect enum StateShape: Equatable, Sendable {
  /// A value without parts.
  case value
  /// Values in order, all of one shape.
  case list(of: StateShape)
  /// Named values.
  case record([Member])

  /// One named value of a record.
  public struct Member: Equatable, Sendable {
    /// The name, in snake case.
    public let name: String
    /// What there can be under that name.
    public let shape: StateShape

    /// Makes a member.
    public init(name: String, shape: StateShape) {
      self.name = name
      self.shape = shape
    }
  }

  /// The names of a record's parts; none where it is a single value.
  @usableFromInline var names: [String] {
    if case .record(let members) = self { members.map(\.name) } else { [] }
  }

  /// A record of values without parts.
  ///
  /// - Parameter names: The names in snake case, in the order they are shown.
  /// - Returns: The shape.
  public static func record(_ names: String...) -> StateShape {
    .record(names.map { Member(name: $0, shape: .value) })
  }
}

extension StateShape: ExpressibleByDictionaryLiteral {
  /// Makes a record of the members as they are written.
  public init(dictionaryLiteral elements: (String, StateShape)...) {
    self = .record(elements.map { Member(name: $0.0, shape: $0.1) })
  }
}
