package import Foundation

/// What is wrong with a JSON document, and where, in words for people who don't know the program's types.
///
/// It is thrown by code that decodes and finds more than types can say. It is also the only place that looks into a
/// `DecodingError`.
public struct DocumentError: Error {
  /// Where it is, outermost first, as decoders have it: with positions from 0.
  public let path: [any CodingKey]

  /// What is wrong there.
  public let reason: String

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - path: Where it is, as a decoder's `codingPath`; empty for the whole document.
  ///   - reason: What is wrong there.
  public init(_ path: [any CodingKey], _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - path: The names that lead there, with dots between them.
  ///   - reason: What is wrong there.
  public init(_ path: String, _ reason: String) {
    self.init(path.split(separator: ".").map { AnyKey(String($0)) }, reason)
  }

  init(unknown name: String, insteadOf known: [String], at path: [any CodingKey]) {
    self.init(
      path,
      "\"\(ExternalText.quoted(name))\" isn't known; expected one of "
        + known.joined(separator: ", "))
  }

  /// Describes what decoding threw.
  ///
  /// - Parameters:
  ///   - error: What was thrown.
  ///   - json: What was decoded, to say what is there instead.
  package init(describing error: any Error, in json: Data) {
    self.init(describing: error) { JSONKind(at: $0, in: json) }
    guard path.isEmpty, [Self.noJSON, Self.unfitNumber].contains(reason) else { return }
    self.init([], JSONKind(at: [], in: json) == nil ? Self.noJSON : Self.unfitNumber)
  }

  /// Describes what decoding threw.
  ///
  /// - Parameters:
  ///   - error: What was thrown.
  ///   - kind: Gives the kind of value at a path; nil where that can't be told.
  package init(describing error: any Error, kind: (_ path: [any CodingKey]) -> JSONKind?) {
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
      let found = kind(path).map { ", found \($0.phrase)" } ?? ""
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

  /// Describes what encoding threw: numbers are all that JSON can't have.
  init(encoding error: any Error) {
    guard case EncodingError.invalidValue(_, let context) = error else {
      self.init([], "it can't be written as JSON")
      return
    }
    self.init(context.codingPath, "JSON can't represent the number")
  }

  /// Where it is and what is wrong there: "todo.add.id: expected a whole number, found text".
  public var message: String {
    let place = Self.text(of: path)
    return place.isEmpty ? reason : "\(place): \(reason)"
  }

  /// A path as people write it, with positions from 1: "persons[3].age".
  static func text(of path: [any CodingKey]) -> String {
    let steps = path.compactMap { key -> String? in
      if let position = key.intValue { return "[\(position + 1)]" }
      // What Swift calls the values of actions that have no name.
      let isUnnamed = key.stringValue.hasPrefix("_") && Int(key.stringValue.dropFirst()) != nil
      return isUnnamed ? nil : "." + ExternalText.quoted(key.stringValue)
    }
    return String(steps.joined().trimmingPrefix("."))
  }

  /// What is said of a value that has the right type, and isn't one of those that there are.
  private static let otherValue = "a value isn't known to this version"

  private static let noJSON = "it isn't JSON"

  /// What is said of numbers with fractions that mustn't have any, and of those that are too great.
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
}

extension Decoder {
  /// The members of an object that has no others than those that are known.
  ///
  /// - Throws: ``DocumentError`` for another member, `DecodingError` where this is no object.
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
  /// Whether there is a member of a name that isn't null.
  func hasValue(_ name: String) throws -> Bool {
    let key = AnyKey(name)
    return try contains(key) && !decodeNil(forKey: key)
  }
}
