import PrimereplLoading

/// A document with records that a user names; without a name, the built-in records.
///
/// What is stored of it is shown in the history, so it has no password of an address.
public struct Source: Codable, Equatable, Sendable {
  /// A path or an address; nil for the built-in records.
  public let name: String?

  /// Makes a source.
  public init(_ name: String? = nil) { self.name = name }

  /// Whether reading it reaches no other machine.
  var isLocal: Bool { name.map(DocumentSource.isLocal) ?? true }

  /// Decodes a name as it is shown.
  public init(from decoder: any Decoder) throws {
    name = try decoder.singleValueContainer().decode(String?.self)
  }

  /// Encodes the name as it is shown.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name.map(DocumentSource.shown))
  }
}
