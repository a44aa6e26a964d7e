public import PrimereplFoundation

/// A problem of a JSON document and its place, in words for people who don't know the program's types.
///
/// Decoding code throws it for problems that types can't express. Only this type inspects a `DecodingError`.
public struct DocumentError: LocalizedError, CustomStringConvertible {
  /// The path to the problem, outermost key first, with positions from 0 as in decoders.
  public let path: [any CodingKey]

  /// The problem there.
  public let reason: String

  /// Makes an error at a path, as a decoder's `codingPath`; empty for the whole document.
  public init(_ path: [any CodingKey], _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// Makes an error at a path of names, which are separated by dots.
  public init(_ path: String, _ reason: String) {
    self.init(path.split(separator: ".").map { AnyKey(String($0)) }, reason)
  }

  init(unknown name: String, insteadOf known: [String], at path: [any CodingKey]) {
    self.init(
      path,
      "\"\(name.shortenedForMessage)\" isn't known; expected one of "
        + known.joined(separator: ", "))
  }

  /// Describes a decoding error; the JSON, unless it is nil, is used to say what was found.
  package init(describing error: any Error, in json: Data? = nil) {
    self.init(error) { path in json.flatMap { Self.kind(at: path, in: $0) } }
    guard let json, path.isEmpty, [Self.noJSON, Self.unfitNumber].contains(reason) else { return }
    let isJSON = (try? JSONDecoder().decode(Skipped.self, from: json)) != nil
    self.init([], isJSON ? Self.unfitNumber : Self.noJSON)
  }

  /// Describes a decoding error; `kind` gives the kind of value at a path, or nil if it is unknown.
  private init(_ error: any Error, kind: (_ path: [any CodingKey]) -> String?) {
    switch error {
    case let error as DocumentError:
      self = error
    case DecodingError.typeMismatch(let type, let context),
      DecodingError.valueNotFound(let type, let context):
      let path = context.codingPath
      guard let expected = Self.phrase(for: type) else {
        self.init(path, Self.otherValue)
        return
      }
      let found = kind(path).map { ", found \($0)" } ?? ""
      self.init(path, "expected \(expected)\(found)")
    case DecodingError.keyNotFound(let key, let context):
      self.init(context.codingPath + [key], "is missing")
    case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
      self.init(context.codingPath, Self.otherValue)
    case DecodingError.dataCorrupted:
      self.init([], Self.noJSON)
    case let error as any CodedError:
      self.init([], error.message)
    default:
      // JSONDecoder has no public error for a number that its type can't hold, and doesn't say where it is.
      self.init([], Self.unfitNumber)
    }
  }

  /// The same error, but with a path for that of a number that its type can't hold: `JSONDecoder` doesn't say where it is.
  static func placingNumber(of error: any Error, at path: [any CodingKey]) -> any Error {
    let described = DocumentError(describing: error)
    guard described.path.isEmpty, described.reason == unfitNumber else { return error }
    return DocumentError(path, unfitNumber)
  }

  /// Describes an encoding error: the only values that JSON can't represent are certain numbers.
  init(encoding error: any Error) {
    guard case EncodingError.invalidValue(_, let context) = error else {
      self.init([], "it can't be written as JSON")
      return
    }
    self.init(context.codingPath, "JSON can't represent the number")
  }

  /// The place and the reason: "todo.add.id: expected a whole number, found text".
  public var message: String {
    let place = Self.text(of: path)
    return place.isEmpty ? reason : "\(place): \(reason)"
  }

  /// The same as ``message``.
  public var description: String { message }

  /// The same as ``message``, as `localizedDescription` has it.
  public var errorDescription: String? { message }

  /// A path as people write it, with positions from 1: "persons[3].age".
  static func text(of path: [any CodingKey]) -> String {
    let steps = path.compactMap { key -> String? in
      if let position = key.intValue { return "[\(position + 1)]" }
      // Swift's keys for associated values without labels.
      let isUnnamed = key.stringValue.hasPrefix("_") && Int(key.stringValue.dropFirst()) != nil
      return isUnnamed ? nil : "." + key.stringValue.shortenedForMessage
    }
    return String(steps.joined().trimmingPrefix("."))
  }

  /// For a value that has the right type but isn't one of the known ones.
  private static let otherValue = "a value isn't known to this version"

  private static let noJSON = "it isn't JSON"

  private static let unfitNumber =
    "a number is out of range, or has a fraction where none is allowed"

  private static func phrase(for type: any Any.Type) -> String? {
    switch type {
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is [Any].Type: "a list"
    case is [String: Any].Type: "an object"
    default: nil
    }
  }

  /// The kind of the value at a path, in words that follow "found"; nil if there is none, or the text isn't JSON.
  private static func kind(at path: [any CodingKey], in json: Data) -> String? {
    do {
      var scanner = try JSONScanner(Array(json))
      for key in path {
        let token = try scanner.next()
        if let index = key.intValue {
          guard token == .beginArray else { return nil }
          for _ in 0..<index { _ = try scanner.value(beginningWith: scanner.next()) }
        } else {
          guard token == .beginObject else { return nil }
          while true {
            guard try scanner.next() == .name else { return nil }
            if scanner.text.isExactly(key.stringValue) { break }
            _ = try scanner.value(beginningWith: scanner.next())
          }
        }
      }
      return try scanner.next()?.phrase
    } catch {
      return nil
    }
  }

  /// Any JSON, which isn't read.
  private struct Skipped: Decodable {
    init(from decoder: any Decoder) {}
  }
}

extension JSONScanner.Token {
  /// The kind of the value that begins with the token, in words that follow "found"; nil if none does.
  fileprivate var phrase: String? {
    switch self {
    case .null: "null"
    case .boolean: "true or false"
    case .integer, .number: "a number"
    case .string: "text"
    case .beginArray: "a list"
    case .beginObject: "an object"
    case .name, .endArray, .endObject: nil
    }
  }
}

extension Decoder {
  /// The container of an object that may only have known members.
  ///
  /// - Throws: ``DocumentError`` for an unknown member, `DecodingError` if the value isn't an object.
  func container(ofKnown known: [String]) throws -> KeyedDecodingContainer<AnyKey> {
    let container = try container(keyedBy: AnyKey.self)
    let names = container.allKeys.map(\.stringValue)
    if let unknown = names.filter({ name in !known.contains { $0.isExactly(name) } }).min() {
      throw DocumentError(unknown: unknown, insteadOf: known.sorted(), at: codingPath)
    }
    return container
  }
}

extension KeyedDecodingContainer<AnyKey> {
  /// Whether the container has a member with a name, and the member isn't null.
  func hasValue(_ name: String) throws -> Bool {
    let key = AnyKey(name)
    return try contains(key) && !decodeNil(forKey: key)
  }
}
