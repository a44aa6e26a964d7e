/// Gives identifiers, none of them twice.
public protocol IdentifierSource: Sendable {
  /// The next identifier of a kind.
  func next(_ kind: IdentifierKind) -> Int
}

extension IdentifierSource {
  /// The next identifier of a kind that no record of a list has.
  ///
  /// A store that was restored has records whose identifiers this source never gave.
  func next<Record>(_ kind: IdentifierKind, unusedIn list: RecordList<Record>) -> Int
  where Record.ID == Int {
    var id = next(kind)
    while list.contains(id: id) { id = next(kind) }
    return id
  }
}
