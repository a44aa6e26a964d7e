/// Gives identifiers, none of them twice.
public protocol IdentifierSource: Sendable {
  /// The next identifier of a kind.
  func next(_ kind: IdentifierKind) -> Int
}

extension IdentifierSource {
  /// The next identifier of a kind that no record has.
  ///
  /// A store that was restored has records whose identifiers this source never gave.
  ///
  /// - Parameters:
  ///   - kind: What the identifier is for.
  ///   - isTaken: Whether a record has an identifier.
  /// - Returns: The identifier.
  func next(_ kind: IdentifierKind, unless isTaken: (Int) -> Bool) -> Int {
    var id = next(kind)
    while isTaken(id) { id = next(kind) }
    return id
  }
}
