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

  /// The next identifier of a kind that no record has.
  ///
  /// A store that was restored has records whose identifiers this source never gave.
  ///
  /// - Parameters:
  ///   - kind: What the identifier is for.
  ///   - isTaken: Whether a record has an identifier.
  ///   - greatest: The greatest identifier that a record has.
  /// - Returns: The identifier.
  func next(
    _ kind: IdentifierKind, unless isTaken: (Int) -> Bool, greatest: @autoclosure () -> Int?
  ) -> Int {
    var id = next(kind)
    guard isTaken(id) else { return id }
    if let greatest = greatest(), greatest < .max { return next(kind, from: greatest + 1) }
    // Only in a state that somebody made up; then there are gaps before the greatest.
    while isTaken(id) { id = next(kind) }
    return id
  }
}
