package import PrimereplFoundation

/// The kinds of JSON values, for messages about unexpected values.
///
/// Only the value itself is inspected, never its contents, which can be megabytes.
package enum JSONKind {
  case null
  case boolean
  case number
  case text
  case list
  case object

  /// Decodes any value without reading it.
  private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
  }

  /// Finds the kind of the value at a path; nil if there is none, or the text isn't JSON.
  package init?(at path: [any CodingKey], in json: Data) {
    struct Probe: DecodableWithConfiguration {
      let kind: JSONKind

      init(from decoder: any Decoder, configuration path: [any CodingKey]) throws {
        kind = try JSONKind(at: path[...], of: decoder)
      }
    }
    guard
      let probe = try? JSONDecoder().decode(Probe.self, from: json, configuration: path)
    else { return nil }
    self = probe.kind
  }

  /// Finds the kind of the value at a path that starts at the decoder's value.
  ///
  /// - Throws: `DecodingError` if the path leads nowhere.
  package init(at path: ArraySlice<any CodingKey>, of decoder: any Decoder) throws {
    guard let key = path.first else {
      self = try JSONKind(of: decoder)
      return
    }
    let next: any Decoder
    if let index = key.intValue {
      var elements = try decoder.unkeyedContainer()
      for _ in 0..<index { _ = try elements.decode(Skipped.self) }
      next = try elements.superDecoder()
    } else {
      let members = try decoder.container(keyedBy: AnyKey.self)
      next = try members.superDecoder(forKey: AnyKey(key.stringValue))
    }
    self = try JSONKind(at: path.dropFirst(), of: next)
  }

  private init(of decoder: any Decoder) throws {
    if (try? decoder.container(keyedBy: AnyKey.self)) != nil {
      self = .object
      return
    }
    if (try? decoder.unkeyedContainer()) != nil {
      self = .list
      return
    }
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if (try? value.decode(Bool.self)) != nil {
      self = .boolean
    } else if (try? value.decode(String.self)) != nil {
      self = .text
    } else {
      self = .number
    }
  }

  /// The kind in words that follow "found".
  package var phrase: String {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .number: "a number"
    case .text: "text"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

extension JSONValue {
  /// The kind of the value.
  var kind: JSONKind {
    switch self {
    case .null: .null
    case .boolean: .boolean
    case .integer, .number: .number
    case .text: .text
    case .list: .list
    case .object: .object
    }
  }
}
