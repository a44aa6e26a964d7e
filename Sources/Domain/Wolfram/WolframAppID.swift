import Foundation

/// The id that Wolfram|Alpha gives an app: a secret, which prints as bullets however it is printed.
public struct WolframAppID: Sendable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The id itself, for the request and nothing else.
  let value: String

  /// As many bullets for every id, so that not even its length shows.
  private static let bullets = "••••••"

  /// Makes an id from text, without the blanks around it that environment files tend to add.
  ///
  /// - Parameter text: the id; blank text makes none, for that is how an environment says so.
  public init?(_ text: String) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty else { return nil }
    value = trimmed
  }

  /// Bullets.
  public var description: String { Self.bullets }

  /// Bullets.
  public var debugDescription: String { Self.bullets }

  /// A mirror without children, so that `dump` shows nothing either.
  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Replaces the id, as it is and as it stands in an address, by bullets.
  ///
  /// - Parameter text: text from elsewhere, which might repeat the id.
  /// - Returns: the text without it.
  func redacted(from text: String) -> String {
    text
      .replacing(value, with: Self.bullets)
      .replacing(QueryString.percentEncoded(value), with: Self.bullets)
  }
}
