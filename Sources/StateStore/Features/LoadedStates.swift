import PrimereplFoundation

/// Reading the states of a session, and converting those of earlier versions.
extension StoreSchema {
  /// The states of a session, and what the program made of those of other versions.
  struct LoadedStates {
    var states: States
    /// The names of the features whose states `migrate` has converted.
    var migrations: [String] = []
    /// The paths of the values that the session lacks.
    var missing: Set<String> = []
    /// The paths of what only the session has, if that wasn't so when it was last saved.
    var gone: [String] = []
    /// Whether the types of saved values have changed.
    var hasOtherShape = false
  }

  /// Reads the states; what the session lacks has its initial value, and what the program doesn't know is kept as it is.
  ///
  /// - Throws: `StoredFormError` if a saved value isn't of its type, or a newer version has saved it; the error of `migrate`.
  /// - Complexity: O(size of the state).
  func loadedStates(from saved: SavedState) throws -> LoadedStates {
    var loaded = LoadedStates(states: initial)
    var rest = saved
    for feature in features {
      feature.renew(&loaded.states)
      try read(feature, from: &rest, into: &loaded)
    }
    // Earlier formats have values that follow from others.
    for field in fields where !field.isSaved { rest.values[field.path] = nil }
    loaded.states.unused = rest
    return loaded
  }

  /// Takes what it reads from the saved state.
  func read(
    _ feature: SchemaFeature, from saved: inout SavedState, into loaded: inout LoadedStates
  ) throws {
    let known = feature.backend.version
    let savedVersion = saved.removeValue(at: feature.versionPath).flatMap { Int($0) }
    if savedVersion != known { loaded.missing.insert(feature.versionPath) }
    let version = savedVersion ?? 1
    guard version <= known else {
      throw StoredFormError.newer(feature.name, found: version, known: known)
    }
    loaded.states.makeMutable(feature.index)
    let requests = try readRequests(of: feature, from: &saved)
    if version < known, let values = try migrated(feature, from: version, &saved) {
      loaded.migrations.append(feature.name)
      readHiddenState(of: feature, from: &saved, into: &loaded.states)
      try readMigrated(values, of: feature, from: &saved, into: &loaded.states)
    } else {
      let gone = try compareShape(of: feature, version: version, &saved, &loaded)
      do {
        try readFields(of: feature, without: gone, from: &saved, into: &loaded)
      } catch {
        throw StoredFormError.otherType(error, of: feature.name, version: version)
      }
    }
    // After the fields, as one that shows an error sets a request, too.
    for (name, state) in requests { loaded.states.slots[feature.index].setRequest(name, to: state) }
  }

  /// Compares the types of what is saved with today's, and returns the paths of the parts that are gone.
  private func compareShape(
    of feature: SchemaFeature, version: Int, _ saved: inout SavedState,
    _ loaded: inout LoadedStates
  ) throws -> [String] {
    let today = SavedShape(feature)
    loaded.states.shapes[feature.name] = today
    guard let shape = saved.removeValue(at: feature.shapePath).flatMap({ SavedShape(json: $0) })
    else {
      loaded.missing.insert(feature.shapePath)
      return []
    }
    let comparison = try today.compared(since: shape, of: feature, version: version)
    loaded.states.shapes[feature.name] = comparison.merged
    if comparison.merged != shape {
      loaded.missing.insert(feature.shapePath)
      loaded.hasOtherShape = true
    }
    // Saved with their new parts, which tables and views then show.
    loaded.missing.formUnion(comparison.incomplete.map(feature.path(ofMember:)))
    loaded.gone += comparison.gone.filter(\.isNew).map(\.path)
    return comparison.gone.map(\.path)
  }

  private func readRequests(
    of feature: SchemaFeature, from saved: inout SavedState
  ) throws -> [String: RequestState] {
    var requests: [String: RequestState] = [:]
    for request in feature.requests {
      guard let text = saved.removeValue(at: feature.path(ofRequest: request.name)) else {
        continue
      }
      requests[request.name] = try StateCoding.decoder(for: self).decode(
        RequestState.self, from: Data(text.utf8))
    }
    return requests
  }

  private func readFields(
    of feature: SchemaFeature, without gone: [String], from saved: inout SavedState,
    into loaded: inout LoadedStates
  ) throws {
    var isIncomplete = false
    if feature.backend.hasHiddenState {
      if let text = saved.removeValue(at: feature.statePath) {
        try reading(text, at: feature.name) {
          loaded.states.slots[feature.index] = try decoded(text, feature.backend.decodeState)
        }
      } else {
        loaded.missing.insert(feature.statePath)
        isIncomplete = true
      }
    }
    let box = loaded.states.slots[feature.index]
    var hasValues = false
    for field in feature.fields {
      guard field.isSaved else { continue }
      let elements = field.isList ? saved.removeList(at: field.path) : nil
      let text =
        elements.map { "[\($0.joined(separator: ","))]" } ?? saved.removeValue(at: field.path)
      guard let text else {
        loaded.missing.insert(field.path)
        continue
      }
      try reading(text, at: field.path) { try field.restore(from: text, in: box) }
      hasValues = true
      let prefix = field.path + (field.isList ? "[]." : ".")
      if gone.contains(where: { $0.hasPrefix(prefix) }) {
        try saved.unknownParts.follow(
          from: nil, to: JSONValue(text: text), at: field.path, of: field.type)
      }
    }
    // Properties that no field shows may follow from the fields, as in documents.
    if isIncomplete, hasValues { try feature.validate(&loaded.states) }
  }

  /// Calls a closure that reads a text, whose errors then begin with a path.
  private func reading(_ text: String, at path: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch {
      let problem = DocumentError(describing: error, in: Data(text.utf8))
      throw DocumentError(
        path.split(separator: ".").map { AnyKey(String($0)) } + problem.path, problem.reason)
    }
  }

  func decoded<Value>(
    _ text: String, _ decode: @escaping (any Decoder) throws -> Value
  ) throws -> Value {
    try StateCoding.decoder(for: self).decode(
      ConvertedValue<Value>.self, from: Data(text.utf8), configuration: decode
    ).value
  }

  // MARK: - Migrating

  /// The values that `migrate` makes of a feature's saved ones, by the names of fields; nil if there is no `migrate`, or
  /// nothing was saved.
  private func migrated(
    _ feature: SchemaFeature, from version: Int, _ saved: inout SavedState
  ) throws -> [String: JSONValue]? {
    var own: [String: JSONValue] = [:]
    for (path, text) in saved.values {
      guard let name = feature.member(at: path) else { continue }
      own[name] = try JSONValue(text: text)
    }
    for (path, texts) in saved.lists {
      guard let name = feature.member(at: path) else { continue }
      own[name] = try JSONValue(text: "[\(texts.joined(separator: ","))]")
    }
    guard !own.isEmpty else { return nil }
    let result: JSONValue?
    do {
      result = try feature.backend.migrated(.object(own), from: version)
    } catch {
      throw StoredFormError.failedMigration(of: feature.name, from: version, error.userMessage)
    }
    guard let result else { return nil }
    guard case .object(let values) = result else {
      throw StoredFormError.failedMigration(
        of: feature.name, from: version, "it gives no table of fields")
    }
    // What the app doesn't have, and `migrate` leaves as it is, is kept.
    let fields = Set(feature.fields.map(\.path))
    for (name, value) in own {
      let path = feature.path(ofMember: name)
      if fields.contains(path) || values[name] != value { saved.remove(path) }
    }
    saved.values[feature.shapePath] = nil
    return values
  }

  /// Reads the properties that no field shows; they are as initially if the whole state can't be read any more.
  private func readHiddenState(
    of feature: SchemaFeature, from saved: inout SavedState, into states: inout States
  ) {
    guard let text = saved.removeValue(at: feature.statePath), feature.backend.hasHiddenState else {
      return
    }
    do {
      states.slots[feature.index] = try decoded(text, feature.backend.decodeState)
    } catch {
      // `migrate` knows only fields, some of which have another type now.
    }
  }

  private func readMigrated(
    _ values: [String: JSONValue], of feature: SchemaFeature, from saved: inout SavedState,
    into states: inout States
  ) throws {
    states.shapes[feature.name] = SavedShape(feature)
    let box = states.slots[feature.index]
    do {
      for field in feature.fields where !field.showsRequest {
        let name = field.name.isEmpty ? feature.name : field.name
        guard field.isSaved, let value = values[name], value != .null else { continue }
        // Lua has no empty list.
        let isEmpty = value == .object([:]) && field.type.element != nil
        let text = isEmpty ? "[]" : value.savedJSON
        try reading(text, at: name) { try field.restore(from: text, in: box) }
        saved.unknownParts.follow(from: nil, to: value, at: field.path, of: field.type)
      }
      try feature.backend.validate(box)
    } catch {
      throw StoredFormError.badMigration(of: feature.name, error.userMessage)
    }
  }
}

// MARK: - States with properties that no field shows

extension Feature {
  /// Decodes a stored state, perhaps of another version of the program: a missing property has its initial value.
  static func storedState(from decoder: any Decoder) throws -> State {
    do {
      return try State(from: decoder)
    } catch DecodingError.keyNotFound {
      let initial = try JSONValue(encoding: Self.initial)
      var json = try JSONValue(from: decoder)
      let decoder = StateCoding.decoder(for: try decoder.schema)
      while true {
        do {
          return try decoder.decode(State.self, from: StateCoding.encoder.encode(json))
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

// MARK: - Errors

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
