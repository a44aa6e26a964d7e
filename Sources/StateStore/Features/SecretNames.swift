/// The names by which code gives secrets to an app.
package struct SecretNames: Sendable {
  /// The functions that have a secret among their parameters, by their modules.
  package fileprivate(set) var functions: [String: Set<String>] = [:]
  /// The fields, and the parts of records, that are secrets.
  package fileprivate(set) var parts: Set<String> = []
}

extension StoreSchema {
  /// The names of what the features declare as a secret; those of functions only of features that are declared at run
  /// time.
  package var secretNames: SecretNames {
    var names = SecretNames()
    for field in fields {
      names.add(field.shape, named: String(field.path.split(separator: ".").last ?? ""))
    }
    for feature in features.compactMap(\.declared) {
      for call in feature.actions + feature.requests.map(\.call)
      where call.parameters.shape.hasSecrets {
        names.functions[feature.name, default: []].insert(call.name)
        for part in call.parameters.parts {
          if case .secret = part.type.shape { continue }
          names.add(part.type.shape, named: part.name)
        }
      }
    }
    return names
  }
}

extension SecretNames {
  fileprivate mutating func add(_ shape: StateShape, named name: String) {
    switch shape {
    case .value: break
    case .secret: parts.insert(name)
    case .list(let element): add(element, named: name)
    case .record(let members): for member in members { add(member.shape, named: member.name) }
    }
  }
}
