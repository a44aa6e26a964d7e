/// What an identifier is for; each kind is counted by itself.
///
/// Journals know the kinds by their raw values. People see and type the ids of records, so neither other records nor requests, which nobody sees, use them up.
public enum IdentifierKind: String, CaseIterable, Sendable {
  /// A thing to do.
  case todoItem = "todo_item"
  /// A person.
  case person
  /// A request whose answer is told from those of others.
  case request
}
