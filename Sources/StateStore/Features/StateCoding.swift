import PrimereplFoundation

/// How states and actions are encoded for storage.
enum StateCoding {
  /// Sorts keys, so that equal values have the same text.
  static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.userInfo[.isJournal] = true
    return encoder
  }()

  /// Encodes what this process itself decodes again, with its secrets.
  static let keepingEncoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.userInfo[.isJournal] = true
    encoder.userInfo[.keepsSecrets] = true
    return encoder
  }()

  /// Whether two values have the same encoding, which omits the texts of secrets.
  ///
  /// - Complexity: O(size of the encodings).
  static func areSame<Value: Encodable>(_ left: Value, _ right: Value) throws -> Bool {
    try encoder.encode(left) == encoder.encode(right)
  }

  static func decoder(for schema: StoreSchema) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[.schema] = schema
    decoder.userInfo[.isJournal] = true
    return decoder
  }
}

/// How values are encoded in documents: in contrast to journals, with dates as seconds since 1970.
enum DocumentCoding {
  static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    return decoder
  }

  static var encoder: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    encoder.userInfo[.isJournal] = true
    encoder.userInfo[.keepsSecrets] = true
    return encoder
  }

  static func json(of value: some Encodable) throws -> JSONValue {
    try decoder.decode(JSONValue.self, from: encoder.encode(value))
  }

  /// The value that a document would contain in a form; secrets and numbers that JSON has no place for are kept.
  static func value<Value: FieldValue>(of form: StateValue) throws -> Value {
    do {
      return try keepingDecoder.decode(
        DocumentValue<Value>.self, from: encoder.encode(EncodedStateValue(form))
      ).value
    } catch {
      throw DocumentError(describing: error)
    }
  }

  /// Calls a closure with a decoder of a stored value; numbers that JSON has no place for are kept.
  static func read(
    _ value: JSONValue, _ body: @escaping (any Decoder) throws -> Void
  ) throws {
    try read(text: value.savedJSON, body)
  }

  static func read(text: String, _ body: @escaping (any Decoder) throws -> Void) throws {
    _ = try keepingDecoder.decode(
      ConvertedValue<Void>.self, from: Data(text.utf8), configuration: body)
  }

  private static var keepingDecoder: JSONDecoder {
    let decoder = decoder
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    decoder.userInfo[.isJournal] = true
    decoder.userInfo[.keepsSecrets] = true
    return decoder
  }

  /// A decoder for a part of what another one decodes.
  static func decoder(within other: any Decoder) -> JSONDecoder {
    other.userInfo[.keepsSecrets] == nil ? decoder : keepingDecoder
  }
}

extension CodingUserInfoKey {
  static let schema = CodingUserInfoKey("schema")
}

extension Decoder {
  var schema: StoreSchema {
    get throws {
      guard let schema = userInfo[.schema] as? StoreSchema else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: codingPath, debugDescription: "The decoder knows no schema."))
      }
      return schema
    }
  }
}
