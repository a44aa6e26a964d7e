/// Gives identifiers, none of them twice.
public protocol IdentifierSource: Sendable {
  /// The next identifier of a kind.
  func next(_ kind: IdentifierKind) -> Int
}
