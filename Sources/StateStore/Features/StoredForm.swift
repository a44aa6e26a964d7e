import PrimereplFoundation

/// Decodes the stored state of a feature with properties that no field shows, perhaps of another version of the program: a
/// missing property has the value of the initial state.
struct StoredForm<F: Feature> {
  func state(from decoder: any Decoder) throws -> F.State {
    do {
      return try F.State(from: decoder)
    } catch DecodingError.keyNotFound {
      let initial = try JSONValue(encoding: F.initial)
      var json = try JSONValue(from: decoder)
      let decoder = StateCoding.decoder(for: try decoder.schema)
      while true {
        do {
          return try decoder.decode(F.State.self, from: StateCoding.encoder.encode(json))
        } catch DecodingError.keyNotFound(let key, let context) {
          guard json.complete(key.stringValue, at: context.codingPath[...], from: initial) else {
            throw DecodingError.keyNotFound(key, context)
          }
        }
      }
    }
  }
}

extension JSONValue {
  /// Adds a member that the object at a path lacks, and returns whether it is there now.
  fileprivate mutating func complete(
    _ name: String, at path: ArraySlice<any CodingKey>, from initial: JSONValue?
  ) -> Bool {
    guard let key = path.first else {
      guard self[name] == nil, let value = initial?[name] else { return false }
      self[name] = value
      return true
    }
    guard var member = self[key.stringValue] else { return false }
    defer { self[key.stringValue] = member }
    return member.complete(name, at: path.dropFirst(), from: initial?[key.stringValue])
  }
}

/// Why a saved state can't be read.
typealias StoredFormError = PlainError<StoreSchema.LoadedStates>

extension StoredFormError {
  static func newer(_ feature: String, found: Int, known: Int) -> Self {
    Self(
      "newer_version",
      "\(feature) was saved by version \(found) of the app, and this is version \(known)")
  }

  static func otherType(_ error: any Error, of feature: String, version: Int) -> Self {
    let problem = DocumentError(describing: error)
    return Self(
      "other_type",
      "\(problem.message); a field that has another type or name now needs version = \(version + 1) and "
        + "migrate = function(state, from) ... end in \(feature)")
  }

  static func failedMigration(of feature: String, from version: Int, _ reason: String) -> Self {
    Self(
      "failed_migration", "\(feature)'s migrate fails for a state of version \(version): \(reason)")
  }

  static func badMigration(of feature: String, _ reason: String) -> Self {
    Self("failed_migration", "what \(feature)'s migrate gives isn't a state: \(reason)")
  }
}
