import Platform

/// A text, such as a password, that can be compared but is never shown, logged, exported or stored.
///
/// It is described by bullets, one for each character, and encoded as the empty secret: a restored state has none.
public struct Secret: Equatable, Sendable {
  private let text: String

  /// Keeps a text secret.
  public init(_ text: String) {
    self.text = text
  }

  /// The secret without characters.
  public static let empty = Secret("")

  /// Whether the secret has no characters.
  public var isEmpty: Bool { text.isEmpty }

  /// A bullet for each character.
  public var bullets: String { String(repeating: "•", count: text.count) }
}

extension Secret {
  /// The fewest bytes of a secret that is looked for in texts: shorter ones are parts of nearly every text.
  private static let minimumSize = 4

  /// Whether a text has the secret in it, so that it mustn't be shown or stored either.
  package func isContained(in text: String) -> Bool {
    self.text.utf8.count >= Self.minimumSize && text.utf8.contains(self.text.utf8)
  }

  /// Whether two secrets have the same bytes.
  public static func == (left: Secret, right: Secret) -> Bool { left.text.isExactly(right.text) }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The bullets.
  public var description: String { bullets }

  /// The bullets.
  public var debugDescription: String { bullets }

  /// An empty mirror, so that `dump` and string interpolation of a value that contains a secret don't show it.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Secret: Codable {
  /// Decodes the empty secret, whatever was encoded.
  public init(from decoder: any Decoder) throws {
    self = .empty
  }

  /// Encodes the empty text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode("")
  }
}
