/// Gives identifiers, none of them twice.
public protocol IdentifierSource: Sendable {
  /// The next identifier of a kind.
  ///
  /// - Parameters:
  ///   - kind: What the identifier is for.
  ///   - least: The identifier and all after it are at least this.
  /// - Returns: The identifier.
  func next(_ kind: IdentifierKind, from least: Int) -> Int
}

extension IdentifierSource {
  /// The next identifier of a kind.
  public func next(_ kind: IdentifierKind) -> Int { next(kind, from: 1) }

  /// The next identifier of a kind after all that records had, so that it is that of no other record, past or present.
  ///
  /// A store that was restored had records whose identifiers this source never gave.
  ///
  /// - Parameters:
  ///   - kind: What the identifier is for.
  ///   - last: The greatest identifier that a record had.
  ///   - isTaken: Whether a record has an identifier: after the greatest integer there are only such as were used before.
  /// - Returns: The identifier.
  public func next(_ kind: IdentifierKind, after last: Int, unless isTaken: (Int) -> Bool) -> Int {
    var id = next(kind, from: last == .max ? 1 : last + 1)
    while isTaken(id) { id = next(kind) }
    return id
  }
}
