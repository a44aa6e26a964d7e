import Synchronization

/// A text, such as a password, that is never shown, logged, exported or stored.
///
/// A saved session remembers whether a secret is empty and which secrets are equal, but no text. So a reducer, which
/// can ask for no more than that, gives the same state when its actions are replayed. A secret of a reopened session is
/// *forgotten*: see ``isForgotten``. Services get the text from ``withText(_:)``.
public struct Secret: Sendable {
  /// Nil for the empty secret.
  private let content: Content?

  private final class Content: Sendable {
    /// A random number, which says nothing about the text.
    ///
    /// Secrets with the same bytes that one process makes have the same.
    let identity: Int
    /// Nil if the text is forgotten.
    let text: String?

    init(identity: Int, text: String?) {
      (self.identity, self.text) = (identity, text)
    }
  }

  /// The contents made by this process, by the bytes of their texts.
  private static let known = Mutex<[[UInt8]: Content]>([:])

  /// Keeps a text secret.
  public init(_ text: String) {
    guard !text.isEmpty else {
      content = nil
      return
    }
    content = Self.known.withLock { known in
      let bytes = Array(text.utf8)
      if let content = known[bytes] { return content }
      // JSON's numbers are exact up to 2^53.
      let content = Content(identity: Int.random(in: 1...(1 << 53)), text: text)
      known[bytes] = content
      return content
    }
  }

  /// The secret without characters.
  public static let empty = Secret("")

  /// Whether the secret has no characters.
  public var isEmpty: Bool { content == nil }

  /// Whether the text is no longer known, because the session was saved and reopened since.
  ///
  /// Ask for the text again then. A reducer mustn't depend on it: when its actions are replayed, all secrets are
  /// forgotten. `test --properties` finds a reducer that does.
  public var isForgotten: Bool { content.map { $0.text == nil } ?? false }

  /// Calls a closure with the text: the only way to use it.
  ///
  /// It is async so that no reducer can call it.
  ///
  /// - Parameter body: Uses the text, for example to log in; it must not keep or show it.
  /// - Returns: What `body` returns.
  /// - Throws: ``SecretError`` if the text is forgotten, or what `body` throws.
  public func withText<Result>(
    _ body: (_ text: String) async throws -> Result
  ) async throws -> Result {
    guard let content else { return try await body("") }
    guard let text = content.text else { throw SecretError.forgotten }
    return try await body(text)
  }
}

/// Why a secret's text can't be used.
public typealias SecretError = PlainError<Secret>

extension SecretError {
  static var forgotten: Self {
    Self(
      "secret_forgotten",
      "The text of a secret isn't saved with the session, which was reopened since: enter it again."
    )
  }
}

extension Secret {
  /// The minimum size of a secret that is searched for: shorter ones are parts of nearly every text.
  private static let minimumSize = 4

  /// A bullet for each character; none if the text is forgotten.
  package var bullets: String { String(repeating: "•", count: content?.text?.count ?? 0) }

  /// Whether a text contains the secret, so that it mustn't be shown or stored either.
  package func isContained(in text: String) -> Bool {
    guard let secret = content?.text, secret.utf8.count >= Self.minimumSize else { return false }
    return text.utf8.contains(secret.utf8)
  }
}

extension Secret: Equatable {
  /// Whether two secrets have the same bytes; forgotten ones are equal if they were before.
  public static func == (left: Secret, right: Secret) -> Bool {
    left.content?.identity == right.content?.identity
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Six bullets, whatever the text.
  public var description: String { isEmpty ? "" : "••••••" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// An empty mirror, so that `dump` and string interpolation of a value that contains a secret don't show it.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CodingUserInfoKey {
  /// Set for coding what a journal stores.
  static let isJournal = CodingUserInfoKey("isJournal")

  init(_ name: String) {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("Every text is such a key.")
    }
    self = key
  }
}

extension Secret: Codable {
  /// Decodes the empty secret; from a journal, a forgotten one, unless it was empty.
  public init(from decoder: any Decoder) throws {
    guard decoder.userInfo[.isJournal] != nil else {
      content = nil
      return
    }
    do {
      let identity = try decoder.singleValueContainer().decode(Int.self)
      content = Content(identity: identity, text: nil)
    } catch is DecodingError {
      content = nil
    }
  }

  /// Encodes the empty text; in a journal, the number that identifies the secret; for showing it, the text to show.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let shown = encoder.userInfo[.shownSecrets] as? ShownSecrets {
      try container.encode(shown.text(self))
    } else if let content, encoder.userInfo[.isJournal] != nil {
      try container.encode(content.identity)
    } else {
      try container.encode("")
    }
  }
}
