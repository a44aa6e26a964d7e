public import Foundation

/// The states as a JSON document that people read and write, with the names that front ends show.
///
/// Missing parts get their initial values. Derived values are written but not read; pending requests and secrets are
/// neither written nor read.
public enum StateDocument {
  /// The maximum size in bytes of a document that is read from a file: about a million records.
  package static let maximumSize = 1 << 30

  private static let format = 1
  private static let formatName = "format"

  /// Encodes states as a document.
  public static func json(of states: States, _ schema: Schema) -> String {
    let leaves = schema.fields.map { field in
      let value: StateValue =
        if case .value(let access) = field.content { access.write(states) } else {
          field.value(in: states)
        }
      return (path: field.path[...], value: value)
    }
    guard case .record(let members) = StateValue(leaves: leaves) else {
      preconditionFailure("The fields of an app have names.")
    }
    let format = StateValue.Member(name: formatName, value: .integer(format))
    let all = members.flatMap { member in
      let names = schema.feature(named: member.name)?.document.names.dropFirst() ?? []
      let beside = leaves.filter { names.contains(String($0.path)) }
      return [member] + beside.map { StateValue.Member(name: String($0.path), value: $0.value) }
    }
    return StateValue.record([format] + all).prettyJSON
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - json: The document.
  ///   - schema: The features.
  /// - Returns: The states.
  /// - Throws: ``DocumentError``.
  public static func states(from json: Data, _ schema: Schema) throws(DocumentError) -> States {
    let decoder = JSONDecoder()
    decoder.userInfo[.schema] = schema
    do {
      return try decoder.decode(Content.self, from: json).states
    } catch {
      throw DocumentError(describing: error, in: json)
    }
  }

  private struct Content: Decodable {
    let states: States

    init(from decoder: any Decoder) throws {
      let schema = try decoder.schema
      let names = [formatName] + schema.features.flatMap(\.document.names)
      let container = try decoder.container(ofKnown: names)
      if try container.hasValue(formatName) {
        let found = try container.decode(Int.self, forKey: AnyKey(formatName))
        guard found == format else {
          throw DocumentError(
            formatName,
            "this version reads format \(format): \(found) may be that of a newer version")
        }
      }
      var states = schema.initial
      for feature in schema.features {
        feature.renew(&states)
        try feature.document.read(container, schema, &states)
      }
      self.states = states
    }
  }
}

/// How the state of a feature is read from a document.
struct FeatureDocument: Sendable {
  /// The feature's members of a document: its own, and for a list, the paths of the feature's other fields.
  let names: [String]

  let read: @Sendable (KeyedDecodingContainer<AnyKey>, Schema, inout States) throws -> Void

  init<F: Feature>(_ fields: [Field<F>], at index: Int) {
    let fields = fields.filter { !$0.isHidden }
    let whole = fields.first { $0.name.isEmpty }
    let parts = fields.filter { !$0.name.isEmpty }
    let beside = whole == nil ? [] : parts.filter { $0.restore != nil }
    names = [F.name] + beside.map { "\(F.name).\($0.name)" }
    read = { container, schema, states in
      if let whole {
        try Self.restore([(whole, F.name)], from: container, index, &states)
        try Self.restore(
          beside.map { ($0, "\(F.name).\($0.name)") }, from: container, index, &states)
      } else if try container.hasValue(F.name) {
        let derived = schema.derivedFields(of: F.name)
        let own = try container.superDecoder(forKey: AnyKey(F.name)).container(
          ofKnown: parts.map(\.name) + derived.map(\.name))
        try Self.restore(parts.map { ($0, $0.name) }, from: own, index, &states)
        for (name, restore) in derived where try own.hasValue(name) {
          try restore?(&states, own.superDecoder(forKey: AnyKey(name)))
        }
      }
      try Self.validate(F.self, index, &states)
    }
  }

  private static func restore<F: Feature>(
    _ fields: [(Field<F>, String)], from container: KeyedDecodingContainer<AnyKey>, _ index: Int,
    _ states: inout States
  ) throws {
    for (field, name) in fields {
      guard let restore = field.restore, try container.hasValue(name) else { continue }
      let decoder = try container.superDecoder(forKey: AnyKey(name))
      try states.update(F.self, at: index) { try restore(&$0, decoder) }
    }
  }

  private static func validate<F: Feature>(
    _ feature: F.Type, _ index: Int, _ states: inout States
  ) throws {
    do {
      try states.update(feature, at: index) { try F.validate(&$0) }
    } catch let error as DocumentError {
      throw DocumentError([AnyKey(F.name)] + error.path, error.reason)
    } catch {
      throw DocumentError(F.name, "\(error)")
    }
  }
}

extension Field {
  /// Reads the field from a document; nil for a field that isn't read.
  fileprivate var restore: (@Sendable (inout F.State, any Decoder) throws -> Void)? {
    switch content {
    case .value(_, let restore): restore
    case .list(let list): list.restore
    case .hidden: nil
    }
  }
}
