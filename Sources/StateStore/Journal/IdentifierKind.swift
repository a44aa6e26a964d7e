/// What an identifier is for; each kind is counted by itself.
///
/// Journals know the kinds by their names. People see and type the ids of records, so neither other records nor requests,
/// which nobody sees, use them up.
public struct IdentifierKind: Hashable, Sendable {
  /// The name in snake case.
  public let name: String

  /// Makes a kind.
  public init(_ name: String) { self.name = name }

  /// A request whose answer is told from those of others.
  public static let request = IdentifierKind("request")
}
