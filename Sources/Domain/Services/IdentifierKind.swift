/// What an identifier is for; each kind is counted by itself.
///
/// People see and type the ids of records, so requests, which nobody sees, don't use them up.
public enum IdentifierKind: CaseIterable, Sendable {
  /// A record that people name by its id.
  case record
  /// A request whose answer is told from those of others.
  case request
}
