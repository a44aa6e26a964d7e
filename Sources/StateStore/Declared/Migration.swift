import Foundation

extension StoreSchema {
  /// The states of a session that earlier versions of its declared features wrote, converted by their `migrate`.
  ///
  /// The actions of such a session can't be repeated: what they did is known only from the values that they led to.
  ///
  /// - Parameters:
  ///   - values: The session's values by the paths of their fields.
  ///   - versions: The versions of the declarations that wrote it, by the features' names; 1 for others.
  /// - Returns: The states; nil if no feature has a newer version that can convert them.
  /// - Throws: Why a state can't be converted.
  package func migratedStates(
    _ values: [String: JSONValue], from versions: [String: Int]
  ) throws -> States? {
    var declaredStates: [Int: DeclaredState] = [:]
    var hasMigrated = false
    for feature in features {
      guard let declared = feature.backend as? DeclaredFeature else { continue }
      let own = values.filter { $0.key.hasPrefix(feature.name + ".") }
      guard !own.isEmpty else { continue }
      var json = JSONValue.object(
        Dictionary(own.map { (String($0.key.dropFirst(feature.name.count + 1)), $0.value) }) {
          first, _ in first
        })
      let version = versions[feature.name] ?? 1
      if declared.version > version,
        let migrated = try declared.rules.migrated(json, from: version)
      {
        json = migrated
        hasMigrated = true
      }
      guard hasMigrated || declared.version <= version else { return nil }
      declaredStates[feature.index] = try declared.state(from: json)
    }
    guard hasMigrated else { return nil }
    var states = try StateDocument.states(
      from: StateCoding.encoder.encode(document(of: values)), self)
    for (index, state) in declaredStates {
      guard let declared = features[index].backend as? DeclaredFeature else { continue }
      states.slots[index] = DeclaredFeatureState(state, of: declared)
    }
    return states
  }

  /// A document with the values of the fields of Swift types.
  private func document(of values: [String: JSONValue]) -> JSONValue {
    var document: [String: JSONValue] = [:]
    for feature in features where !(feature.backend is DeclaredFeature) {
      let hasWhole = feature.fields.contains(where: \.name.isEmpty)
      var members: [String: JSONValue] = [:]
      for field in feature.fields where field.restore != nil {
        guard let value = values[field.path] else { continue }
        if hasWhole {
          document[field.path] = value
        } else {
          members[field.name] = value
        }
      }
      if !members.isEmpty { document[feature.name] = .object(members) }
    }
    return .object(document)
  }
}

extension JSONValue {
  /// The versions of the declarations that wrote a stored action or history, by the features' names; 1 isn't named.
  package var declaredVersions: [String: Int] {
    var versions: [String: Int] = [:]
    collectVersions(&versions)
    return versions
  }

  private func collectVersions(_ versions: inout [String: Int]) {
    switch self {
    case .list(let elements): for element in elements { element.collectVersions(&versions) }
    case .object(let members):
      // An action with the name of its feature.
      if case .text(let feature)? = members["feature"],
        case .object(let action)? = members["action"]
      {
        for content in action.values { content.noteVersion(of: feature, &versions) }
      }
      for (name, value) in members {
        value.noteVersion(of: name, &versions)
        value.collectVersions(&versions)
      }
    default: break
    }
  }

  private func noteVersion(of feature: String, _ versions: inout [String: Int]) {
    guard case .integer(let version)? = self[AnyKey.declaredVersion.stringValue] else { return }
    versions[feature] = Swift.max(versions[feature] ?? 1, version)
  }
}
