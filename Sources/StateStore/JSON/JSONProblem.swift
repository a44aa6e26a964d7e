package import Foundation

/// What is wrong with JSON, and where, in words that people understand who know nothing of the program's inside.
///
/// It is the only place that looks into a `DecodingError`. It can be thrown, too, by what decodes and finds more than types
/// can say.
package struct JSONProblem: Error {
  /// Where it is, outermost first, as decoders have it: with positions from 0.
  package let path: [any CodingKey]

  /// What is wrong there.
  package let reason: String

  package init(_ path: [any CodingKey], _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// Describes what decoding threw.
  ///
  /// - Parameters:
  ///   - error: What was thrown.
  ///   - json: What was decoded, to say what is there instead.
  package init(_ error: any Error, in json: Data) {
    self.init(error) { JSONKind(at: $0, in: json) }
    guard path.isEmpty, [Self.noJSON, Self.unfitNumber].contains(reason) else { return }
    self.init([], JSONKind(at: [], in: json) == nil ? Self.noJSON : Self.unfitNumber)
  }

  /// Describes what decoding threw.
  ///
  /// - Parameters:
  ///   - error: What was thrown.
  ///   - kind: Gives the kind of value at a path; nil where that can't be told.
  package init(_ error: any Error, kind: (_ path: [any CodingKey]) -> JSONKind?) {
    switch error {
    case let problem as JSONProblem:
      self = problem
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
    self.init(context.codingPath, "JSON has no such number")
  }

  /// Where it is and what is wrong there: "todo.add.id: expected a whole number, found text".
  package var message: String {
    let place = Self.text(of: path)
    return place.isEmpty ? reason : "\(place): \(reason)"
  }

  /// A path as people write it, with positions from 1: "persons[3].age".
  package static func text(of path: [any CodingKey]) -> String {
    let steps = path.compactMap { key -> String? in
      if let position = key.intValue { return "[\(position + 1)]" }
      // What Swift calls the values of actions that have no name.
      let isUnnamed = key.stringValue.hasPrefix("_") && Int(key.stringValue.dropFirst()) != nil
      return isUnnamed ? nil : "." + ExternalText.quoted(key.stringValue)
    }
    return String(steps.joined().trimmingPrefix("."))
  }

  /// What is said of a value that has the right type, and isn't one of those that there are.
  private static let otherValue = "there is a value that this version doesn't know"

  private static let noJSON = "it isn't JSON"

  /// What is said of numbers with fractions that mustn't have any, and of those that are too great.
  private static let unfitNumber =
    "a number doesn't fit: it has a fraction where it mustn't, or is too great"

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
