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
      names.add(field.type, named: String(field.path.split(separator: ".").last ?? ""))
    }
    for feature in features {
      for call in feature.backend.calls
      where call.parameters.parts.contains(where: { $0.type.hasSecrets }) {
        names.functions[feature.name, default: []].insert(call.name)
        for part in call.parameters.parts {
          if part.type.required == .secret { continue }
          names.add(part.type, named: part.name)
        }
      }
    }
    return names
  }
}

extension SecretNames {
  fileprivate mutating func add(_ type: ValueType, named name: String) {
    if type.required == .secret { parts.insert(name) }
    if let element = type.element { add(element, named: name) }
    for part in type.record?.parts ?? [] { add(part.type, named: part.name) }
  }
}
