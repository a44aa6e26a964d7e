/// What an identifier is for; each kind is counted by itself.
///
/// People see and type the ids of records, so neither other records nor requests, which nobody sees, use them up.
public enum IdentifierKind: CaseIterable, Sendable {
  /// A thing to do.
  case todoItem
  /// A person.
  case person
  /// A request whose answer is told from those of others.
  case request
}
