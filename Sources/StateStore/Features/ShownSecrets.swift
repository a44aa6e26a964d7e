import PrimereplFoundation

extension JSONValue {
  /// Encodes a value with texts in place of its secrets, and with dates as seconds since 1970.
  init(encoding value: some Encodable, showing secret: (Secret) -> String) throws {
    self = try withoutActuallyEscaping(secret) { secret in
      let encoder = DocumentCoding.encoder
      encoder.userInfo[.shownSecrets] = ShownSecrets(text: secret)
      return try JSONDecoder().decode(JSONValue.self, from: encoder.encode(value))
    }
  }
}

/// The texts that an encoding shows in place of secrets.
// Safe: it doesn't leave the call that encodes with it.
struct ShownSecrets: @unchecked Sendable {
  let text: (Secret) -> String
}

extension CodingUserInfoKey {
  static let shownSecrets = CodingUserInfoKey("shownSecrets")
}

// MARK: - Answers

extension Secret {
  /// An answer without the secrets that were given away: itself, if it has none.
  ///
  /// Unlike in a failure, other secrets stay: an answer is data, which somebody's password that is a common word would
  /// change, or make undecodable.
  ///
  /// - Throws: ``SecretError`` if its type doesn't allow bullets in place of a secret; `EncodingError` if it can't be
  ///   recorded.
  static func usedHidden<Answer: Codable>(in answer: Answer) throws -> Answer {
    guard hasUses else { return answer }
    let data = try StateCoding.keepingEncoder.encode(answer)
    guard usesAreContained(in: data) else { return answer }
    do {
      let decoder = JSONDecoder()
      decoder.userInfo[.isJournal] = true
      decoder.userInfo[.keepsSecrets] = true
      let shown = try decoder.decode(JSONValue.self, from: data).hidingUsedSecrets
      return try decoder.decode(Answer.self, from: StateCoding.encoder.encode(shown))
    } catch {
      throw SecretError.inAnswer
    }
  }
}

extension JSONValue {
  /// The value with bullets in place of the secrets in it that were given away.
  package var hidingUsedSecrets: JSONValue {
    // Otherwise nothing is copied.
    guard Secret.hasUses else { return self }
    switch self {
    case .text(let text): return .text(Secret.usedHidden(in: text))
    case .list(let values): return .list(values.map(\.hidingUsedSecrets))
    case .object(let members):
      return .object(
        Dictionary(
          members.map { (Secret.usedHidden(in: $0.key), $0.value.hidingUsedSecrets) },
          uniquingKeysWith: { first, _ in first }))
    case .null, .boolean, .integer, .number: return self
    }
  }
}

// MARK: - Names

/// The names by which code gives secrets to an app.
package struct SecretNames: Sendable {
  /// The functions that have a secret among their parameters, by their modules.
  package fileprivate(set) var functions: [String: Set<String>] = [:]
  /// The fields, and the parts of records, that are secrets.
  package fileprivate(set) var parts: Set<String> = []
}

extension StoreSchema {
  /// The names of functions are only those of features that are declared at run time.
  package var secretNames: SecretNames {
    var names = SecretNames()
    for field in fields {
      names.add(field.type, named: String(field.path.split(separator: ".").last ?? ""))
    }
    for feature in features {
      for call in feature.backend.calls
      where call.parameters.parts.contains(where: { $0.type.hasSecrets }) {
        names.functions[feature.name, default: []].insert(call.name)
        for part in call.parameters.parts {
          if part.type.required == .secret { continue }
          names.add(part.type, named: part.name)
        }
      }
    }
    return names
  }
}

extension SecretNames {
  fileprivate mutating func add(_ type: ValueType, named name: String) {
    if type.required == .secret { parts.insert(name) }
    if let element = type.element { add(element, named: name) }
    for part in type.record?.parts ?? [] { add(part.type, named: part.name) }
  }
}
