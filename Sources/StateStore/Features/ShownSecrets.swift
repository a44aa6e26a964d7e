import Foundation

extension JSONValue {
  /// Encodes a value with texts in place of its secrets, and with dates as seconds since 1970.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - secret: Gives the text to show for a secret.
  /// - Throws: `EncodingError`.
  init(encoding value: some Encodable, showing secret: (Secret) -> String) throws {
    self = try withoutActuallyEscaping(secret) { secret in
      let encoder = JSONEncoder()
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      encoder.dateEncodingStrategy = .secondsSince1970
      encoder.userInfo[.shownSecrets] = ShownSecrets(text: secret)
      return try JSONDecoder().decode(JSONValue.self, from: encoder.encode(value))
    }
  }
}

extension StoreAction {
  /// The encoding of a feature's action, with secrets as the given texts, and dates as seconds since 1970; null for an
  /// action of all features.
  ///
  /// - Throws: `EncodingError` if the action can't be encoded.
  package func encoded(showing secret: (Secret) -> String) throws -> JSONValue {
    guard case .feature(let box, _) = kind else { return .null }
    return try JSONValue(encoding: BoxedAction(box: box), showing: secret)
  }
}

/// An action of a feature as journals store it.
struct BoxedAction: Encodable {
  let box: any FeatureActionBox

  func encode(to encoder: any Encoder) throws { try box.encode(to: encoder) }
}

/// The texts that an encoding shows in place of secrets.
// Safe: it doesn't leave the call that encodes with it.
struct ShownSecrets: @unchecked Sendable {
  let text: (Secret) -> String
}

extension CodingUserInfoKey {
  /// Set for an encoding that shows texts in place of secrets.
  static let shownSecrets = CodingUserInfoKey("shownSecrets")
}
