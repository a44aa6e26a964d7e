import Foundation

/// Decodes stored states and actions of a feature, perhaps those of another version of the program.
///
/// A missing part takes its initial value: that of the feature's initial state or, in a record, that of an
/// ``EvolvingRecord``. Anything else is for ``Feature/migrate(_:_:)``.
struct StoredForm<F: Feature>: Sendable {
  /// The feature's lists, for the initial values of their records.
  let lists: [StateList]

  func state(from decoder: any Decoder) throws -> F.State {
    try decode(.state, from: decoder) { try JSONValue(encoding: F.initial) }
  }

  func action(from decoder: any Decoder) throws -> any FeatureActionBox {
    let action: StoredAction<F> = try decode(.action, from: decoder) { nil }
    return action.box
  }

  private func decode<Value: Decodable>(
    _ part: StoredPart, from decoder: any Decoder, initial: () throws -> JSONValue?
  ) throws -> Value {
    do {
      return try Value(from: decoder)
    } catch {
      let completion = Completion(
        initial: try initial(), records: try lists.compactMap { try $0.records?.initialRecord() },
        decoder: StateCoding.decoder(for: try decoder.schema))
      var json = try JSONValue(from: decoder)
      do {
        return try completion.decode(json)
      } catch {
        let stored = json
        try F.migrate(&json, part)
        guard json != stored else {
          throw StoredFormError.unknown(error, in: json, part, of: F.name)
        }
      }
      do {
        return try completion.decode(json)
      } catch {
        throw StoredFormError.unknown(error, in: json, part, of: F.name)
      }
    }
  }
}

/// Decodes an action, or the step of a request.
private struct StoredAction<F: Feature>: Decodable {
  let box: any FeatureActionBox

  init(from decoder: any Decoder) throws {
    for request in try decoder.schema.feature(named: F.name)?.requests ?? [] {
      if let event = try request.event(decoder) {
        box = event
        return
      }
    }
    box = FeatureAction<F>(try F.Action(from: decoder))
  }
}

/// Decodes values from JSON in which parts are missing.
private struct Completion {
  let initial: JSONValue?
  let records: [JSONValue]
  let decoder: JSONDecoder

  /// - Complexity: O(size of the JSON · names that are missing).
  func decode<Value: Decodable>(_ json: JSONValue) throws -> Value {
    var json = json
    while true {
      do {
        return try decoder.decode(Value.self, from: StateCoding.encoder.encode(json))
      } catch DecodingError.keyNotFound(let key, let context) {
        let isCompleted = json.complete(
          key.stringValue, at: context.codingPath[...], from: initial, records)
        guard isCompleted else { throw DecodingError.keyNotFound(key, context) }
      }
    }
  }
}

extension JSONValue {
  /// Adds a missing member, in all elements of the lists on the way to it.
  ///
  /// - Parameters:
  ///   - name: The member's name.
  ///   - path: The path to the object that lacks it.
  ///   - initial: The initial value of this value, if it is known.
  ///   - records: The initial values of records. They have an id, and all members of the records that they are for.
  /// - Returns: Whether an object got the member.
  fileprivate mutating func complete(
    _ name: String, at path: ArraySlice<any CodingKey>, from initial: JSONValue?,
    _ records: [JSONValue]
  ) -> Bool {
    let models = (initial.map { [$0] } ?? []) + records.filter(isRecord(like:))
    for model in models {
      if let value = model.value(at: path)?[name], add(name, value, at: path) { return true }
    }
    guard let key = path.first else { return false }
    if case .list(var elements) = self {
      var isCompleted = false
      for index in elements.indices {
        let isElementCompleted = elements[index].complete(
          name, at: path.dropFirst(), from: nil, records)
        isCompleted = isCompleted || isElementCompleted
      }
      self = .list(elements)
      return isCompleted
    }
    guard var member = self[key.stringValue] else { return false }
    defer { self[key.stringValue] = member }
    return member.complete(name, at: path.dropFirst(), from: initial?[key.stringValue], records)
  }

  private func isRecord(like record: JSONValue) -> Bool {
    guard case .object(let members) = self, members["id"] != nil else { return false }
    return members.keys.allSatisfy { record[$0] != nil }
  }

  fileprivate func value(at path: ArraySlice<any CodingKey>) -> JSONValue? {
    guard let key = path.first else { return self }
    if case .list(let elements) = self, let index = key.intValue, elements.indices.contains(index) {
      return elements[index].value(at: path.dropFirst())
    }
    return self[key.stringValue]?.value(at: path.dropFirst())
  }

  /// Adds a member to the object at a path without positions, and returns whether there is one that lacked it.
  private mutating func add(
    _ name: String, _ value: JSONValue, at path: ArraySlice<any CodingKey>
  ) -> Bool {
    guard let key = path.first else {
      guard case .object = self, self[name] == nil else { return false }
      self[name] = value
      return true
    }
    guard var member = self[key.stringValue] else { return false }
    defer { self[key.stringValue] = member }
    return member.add(name, value, at: path.dropFirst())
  }
}

/// Why a stored state or action can't be decoded.
typealias StoredFormError = PlainError<StoredPart>

extension StoredFormError {
  /// - Parameters:
  ///   - error: The error of decoding.
  ///   - json: The stored form.
  ///   - part: The kind of value that is stored.
  ///   - feature: The feature's name.
  /// - Returns: The error.
  fileprivate static func unknown(
    _ error: any Error, in json: JSONValue, _ part: StoredPart, of feature: String
  ) -> Self {
    if part == .action, case DecodingError.typeMismatch(_, let context) = error,
      context.codingPath.isEmpty, case .object(let members) = json, let name = members.keys.first
    {
      return Self(
        "other_version", "\(feature) has no action \"\(name.shortenedForMessage)\" in this version"
      )
    }
    let problem = DocumentError(describing: error) { json.value(at: $0[...])?.kind }
    let place = DocumentError.text(of: [AnyKey(feature)] + problem.path)
    return Self("other_version", "\(place): \(problem.reason)")
  }
}
