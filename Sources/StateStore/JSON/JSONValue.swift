package import Foundation

/// Any JSON value, kept as it is.
public enum JSONValue: Equatable, Sendable {
  /// Null.
  case null
  /// True or false.
  case boolean(Bool)
  /// A number without a fraction.
  case integer(Int)
  /// Another number.
  case number(Double)
  /// A text.
  case text(String)
  /// Values in order.
  case list([JSONValue])
  /// Values by their names.
  case object([String: JSONValue])

  /// The member of an object with a name; nil if there is none, or this is no object.
  ///
  /// Setting a member of another value than an object has no effect.
  public subscript(name: String) -> JSONValue? {
    get {
      if case .object(let members) = self { members[name] } else { nil }
    }
    set {
      guard case .object(var members) = self else { return }
      members[name] = newValue
      self = .object(members)
    }
  }

  /// Renames a member of an object, if there is one of that name.
  ///
  /// An action is an object whose only member has the name of the action's case.
  public mutating func rename(_ name: String, to newName: String) {
    guard let value = self[name] else { return }
    self[name] = nil
    self[newName] = value
  }
}

extension JSONValue: Codable {
  /// Decodes any value.
  public init(from decoder: any Decoder) throws {
    // The only way to find the kind is to try each.
    if let container = try? decoder.container(keyedBy: AnyKey.self) {
      var members: [String: JSONValue] = [:]
      for key in container.allKeys {
        members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
      }
      self = .object(members)
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .list(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .boolean(value)
      } else if let value = try? container.decode(Int.self) {
        self = .integer(value)
      } else if let value = try? container.decode(Double.self) {
        self = .number(value)
      } else {
        self = .text(try container.decode(String.self))
      }
    }
  }

  /// Encodes the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: AnyKey.self)
      for (name, value) in members { try container.encode(value, forKey: AnyKey(name)) }
    case .list(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .boolean(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .text(let value): try container.encode(value)
      default: try container.encodeNil()
      }
    }
  }
}

/// A key with any name or position.
@usableFromInline struct AnyKey: CodingKey {
  @usableFromInline let stringValue: String
  @usableFromInline let intValue: Int?

  @usableFromInline init(_ name: String) { (stringValue, intValue) = (name, nil) }
  @usableFromInline init(_ position: Int) { (stringValue, intValue) = ("\(position)", position) }
  @usableFromInline init(stringValue: String) { self.init(stringValue) }
  @usableFromInline init(intValue: Int) { self.init(intValue) }
}

/// The names of members in JSON text that isn't decoded yet.
package enum JSONNames {
  /// The length in bytes of the longest name that is decoded, as it is written.
  private static let maximumLength = 1000

  /// Whether JSON, or any other text, contains a name that is too long to decode.
  ///
  /// Decoders keep members in dictionaries. Looking up a name takes time that grows with the square of the number of
  /// its combining marks, so a small file could keep a decoder busy for hours.
  ///
  /// - Complexity: O(length).
  package static func haveOneTooLong(in json: Data) -> Bool {
    let (quote, backslash, colon) = (UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: ":"))
    return json.withUnsafeBytes { bytes in
      var position = 0
      /// The length of the last string, until another token follows it.
      var length = 0
      while position < bytes.count {
        switch bytes[position] {
        case quote:
          let start = position + 1
          position = start
          while position < bytes.count, bytes[position] != quote {
            position += bytes[position] == backslash ? 2 : 1
          }
          length = position - start
        case colon:
          if length > maximumLength { return true }
        case 0x20, 0x09, 0x0A, 0x0D:
          break
        default:
          length = 0
        }
        position += 1
      }
      return false
    }
  }
}
