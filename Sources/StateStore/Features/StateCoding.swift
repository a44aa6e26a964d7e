import Foundation

/// How states and actions are encoded where they are kept.
enum StateCoding {
  /// Encodes so that what is equal has the same text.
  static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  /// Whether two are the same when they are written down, where secrets aren't.
  ///
  /// - Complexity: O(size of what is encoded).
  static func areSame<Value: Encodable>(_ left: Value, _ right: Value) throws -> Bool {
    try encoder.encode(left) == encoder.encode(right)
  }

  /// A decoder that knows the features of a schema.
  static func decoder(for schema: Schema) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[.schema] = schema
    return decoder
  }
}

extension CodingUserInfoKey {
  /// Of the ``Schema`` whose states and actions are decoded.
  static let schema = CodingUserInfoKey("schema")
}

extension CodingUserInfoKey {
  fileprivate init(_ name: String) {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("Every text is such a key.")
    }
    self = key
  }
}

extension Decoder {
  /// The schema whose states and actions are decoded.
  var schema: Schema {
    get throws {
      guard let schema = userInfo[.schema] as? Schema else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: codingPath, debugDescription: "The decoder knows no schema."))
      }
      return schema
    }
  }
}
