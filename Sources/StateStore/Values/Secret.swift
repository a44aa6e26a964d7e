import Synchronization

/// A text, such as a password, that is never shown, logged, exported or stored.
///
/// A saved session remembers of a secret only whether it is empty: in a reopened session it is *forgotten*, see
/// ``isForgotten``. Services get the text from ``withText(_:)``.
public struct Secret: Sendable {
  /// Nil for the empty secret.
  private let content: Content?

  private final class Content: Sendable {
    /// A random number, which says nothing about the text; 0 if that is forgotten.
    ///
    /// Secrets with the same bytes that one process makes have the same.
    let identity: Int
    /// Nil if the text is forgotten.
    let text: String?

    init(identity: Int, text: String?) {
      (self.identity, self.text) = (identity, text)
    }
  }

  /// The secrets that this process has made from texts.
  private struct Known {
    /// By the bytes of their texts.
    var contents: [[UInt8]: Content] = [:]
    /// The texts to be searched for.
    var texts = SecretTexts()
    /// The texts that ``Secret/withText(_:)`` has given away.
    var usedTexts = SecretTexts()
    /// The number of times that a text was made a secret, also the same text.
    var count = 0
  }

  private static let known = Mutex(Known())

  /// Keeps a text secret.
  public init(_ text: String) {
    guard !text.isEmpty else {
      content = nil
      return
    }
    content = Self.known.withLock { known in
      known.count += 1
      known.texts.insert(text)
      let bytes = Array(text.utf8)
      if let content = known.contents[bytes] { return content }
      // JSON's numbers are exact up to 2^53.
      let content = Content(identity: Int.random(in: 1...(1 << 53)), text: text)
      known.contents[bytes] = content
      return content
    }
  }

  /// The secret without characters.
  public static let empty = Secret("")

  /// Whether the secret has no characters.
  public var isEmpty: Bool { content == nil }

  /// Whether the text is no longer known, because the session was saved and reopened since.
  ///
  /// Ask for the text again then.
  public var isForgotten: Bool { content.map { $0.text == nil } ?? false }

  /// Calls a closure with the text: the only way to use it.
  ///
  /// It is async so that no reducer can call it. If a text of at least four bytes comes back in the answer or the error
  /// of a request, or in the error of a function, bullets take its place.
  ///
  /// - Parameter body: Uses the text, for example to log in; it must not keep or show it.
  /// - Returns: What `body` returns.
  /// - Throws: ``SecretError`` if the text is forgotten, or what `body` throws.
  public func withText<Result>(
    _ body: (_ text: String) async throws -> Result
  ) async throws -> Result {
    guard let content else { return try await body("") }
    guard let text = content.text else { throw SecretError.forgotten }
    Self.known.withLock { $0.usedTexts.insert(text) }
    return try await body(text)
  }
}

/// Why a secret's text can't be used.
public typealias SecretError = PlainError<Secret>

extension SecretError {
  static var inAnswer: Self {
    Self("secret_in_answer", "The answer contains the text of a secret where it can't be left out.")
  }

  static var forgotten: Self {
    Self(
      "secret_forgotten",
      "The text of a secret isn't saved with the session, which was reopened since: enter it again."
    )
  }
}

extension Secret {
  /// The value by which this process recognizes a secret that isn't empty.
  var keptValue: JSONValue {
    guard let content, content.text != nil else { return .boolean(true) }
    return .integer(content.identity)
  }

  /// A bullet for each character; none if the text is forgotten.
  package var bullets: String { String(repeating: "•", count: content?.text?.count ?? 0) }
}

extension JSONValue {
  /// Puts back the secrets that this process knows, where only that there is one was saved.
  ///
  /// - Parameter known: An earlier value of the same type; the elements of its lists aren't looked at.
  /// - Returns: The value with the secrets.
  func keepingSecrets(of known: StateValue) -> JSONValue {
    switch (self, known) {
    case (.boolean(true), .secret(let secret)) where !secret.isEmpty: return secret.keptValue
    case (.object(var members), .record(let parts)):
      for part in parts where part.value.mayHaveSecrets {
        members[part.name] = members[part.name]?.keepingSecrets(of: part.value)
      }
      return .object(members)
    default: return self
    }
  }
}

extension StateValue {
  fileprivate var mayHaveSecrets: Bool {
    switch self {
    case .secret, .record: true
    default: false
    }
  }
}

// MARK: - Texts of secrets in other texts

// Searching takes time in proportion to the text, so it is done without the lock.
extension Secret {
  /// The number of times that this process has made a text a secret.
  package static var count: Int { known.withLock { $0.count } }

  package static func isKnown(_ text: [UInt8]) -> Bool {
    known.withLock { $0.contents[text] != nil }
  }

  /// Whether a text contains that of a secret of at least four bytes.
  package static func areContained(in text: some Sequence<UInt8>) -> Bool {
    known.withLock { $0.texts }.areContained(in: Array(text))
  }

  /// A text to be shown, with bullets in place of the secrets in it.
  package static func hidden(in text: String) -> String {
    known.withLock { $0.texts }.hidden(in: text)
  }

  /// A text for the state, with bullets in place of the secrets in it that ``withText(_:)`` has given away.
  ///
  /// Others can't have got into it, and may be common words.
  package static func usedHidden(in text: String) -> String {
    known.withLock { $0.usedTexts }.hidden(in: text)
  }

  /// Forgets which texts are searched for in others until they are made secrets again: for a scenario after another one.
  package static func forgetTexts() {
    known.withLock { known in
      known.texts = SecretTexts()
      known.usedTexts = SecretTexts()
    }
  }

  /// The failure of a request without any secret: itself, if its message has none.
  ///
  /// The code that asked can have a text that no secret has given away, such as in an address.
  package static func hidden(in failure: any Error) -> any Error {
    error(failure, without: known.withLock { $0.texts })
  }

  /// An error without the secrets that were given away: itself, if its message has none.
  package static func usedHidden(in error: any Error) -> any Error {
    self.error(error, without: known.withLock { $0.usedTexts })
  }

  private static func error(_ error: any Error, without texts: SecretTexts) -> any Error {
    guard !texts.isEmpty else { return error }
    let message = RequestFailure.message(of: error)
    let shown = texts.hidden(in: message)
    guard shown.utf8.count != message.utf8.count || !shown.utf8.elementsEqual(message.utf8) else {
      return error
    }
    return SecretError((error as? any CodedError)?.code ?? "request_failed", shown)
  }

  /// Whether a text was given away.
  static var hasUses: Bool { known.withLock { !$0.usedTexts.isEmpty } }

  /// Whether bytes contain a secret that was given away.
  static func usesAreContained(in bytes: some Sequence<UInt8>) -> Bool {
    known.withLock { $0.usedTexts }.areContained(in: Array(bytes))
  }

  private static func content(of identity: Int) -> Content? {
    known.withLock { known in known.contents.values.first { $0.identity == identity } }
  }
}

extension Secret: Equatable {
  /// Whether two secrets have the same bytes, or both are forgotten.
  public static func == (left: Secret, right: Secret) -> Bool {
    left.content?.identity == right.content?.identity
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Six bullets, whatever the text.
  public var description: String { isEmpty ? "" : SecretTexts.bullets }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// An empty mirror, so that `dump` and string interpolation of a value that contains a secret don't show it.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CodingUserInfoKey {
  /// Set for coding what a journal stores.
  static let isJournal = CodingUserInfoKey("isJournal")

  /// Set with `isJournal` for what this process encodes and decodes without storing it.
  static let keepsSecrets = CodingUserInfoKey("keepsSecrets")

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
    let container = try decoder.singleValueContainer()
    do {
      if decoder.userInfo[.keepsSecrets] != nil,
        let known = Self.content(of: try container.decode(Int.self))
      {
        content = known
        return
      }
    } catch is DecodingError {
      // It was stored.
    }
    do {
      content = try container.decode(Bool.self) ? Content(identity: 0, text: nil) : nil
    } catch is DecodingError {
      content = nil
    }
  }

  /// Encodes the empty text; in a journal, whether there is one; for showing it, the text to show.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let shown = encoder.userInfo[.shownSecrets] as? ShownSecrets {
      try container.encode(shown.text(self))
    } else if let content, encoder.userInfo[.isJournal] != nil {
      if encoder.userInfo[.keepsSecrets] != nil, content.text != nil {
        try container.encode(content.identity)
      } else {
        try container.encode(true)
      }
    } else {
      try container.encode("")
    }
  }
}
