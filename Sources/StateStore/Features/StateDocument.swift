public import PrimereplFoundation

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
  public static func json(of states: States, _ schema: StoreSchema) -> String {
    json(of: states, schema) { () throws(Never) in }
  }

  /// Encodes states as a document; `checkStop` is called now and then, and throws to stop.
  package static func json<Failure>(
    of states: States, _ schema: StoreSchema, checkStop: @escaping () throws(Failure) -> Void
  ) throws(Failure) -> String {
    try value(of: states, schema, checkStop: checkStop).json(isPretty: true, checkStop: checkStop)
      + "\n"
  }

  package static func value<Failure>(
    of states: States, _ schema: StoreSchema, checkStop: () throws(Failure) -> Void
  ) throws(Failure) -> StateValue {
    var leaves: [(path: Substring, value: StateValue)] = []
    for field in schema.fields where !field.isListView {
      try checkStop()
      leaves.append(
        (field.path[...], field.isAwaiting ? .boolean(false) : field.value(in: states)))
    }
    guard case .record(let members) = StateValue(leaves: leaves) else {
      preconditionFailure("The fields of an app have names.")
    }
    let format = StateValue.Member(name: formatName, value: .integer(format))
    let all = members.flatMap { member in
      let names = schema.feature(named: member.name)?.documentNames.dropFirst() ?? []
      let beside = leaves.filter { names.contains(String($0.path)) }
      return [member] + beside.map { StateValue.Member(name: String($0.path), value: $0.value) }
    }
    return .record([format] + all)
  }

  /// Reads a document.
  public static func states(from json: Data, _ schema: StoreSchema) throws(DocumentError) -> States
  {
    let decoder = DocumentCoding.decoder
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
      let names = [formatName] + schema.features.flatMap(\.documentNames)
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
        try feature.read(container, schema, &states)
      }
      self.states = states
    }
  }
}

extension AnyField {
  /// Gives a field that is saved the value in JSON text, in a box with one owner.
  func restore(from text: String, in box: AnyFeatureState) throws {
    if let list, list.restorePlain(box, text) { return }
    guard let restore else { return }
    try DocumentCoding.read(text: text) { try restore(box, $0) }
  }
}

extension SchemaFeature {
  /// The fields that documents have beside a field that is shown under the feature's own name.
  private var fieldsBeside: [AnyField] {
    guard fields.contains(where: \.name.isEmpty) else { return [] }
    return fields.filter { !$0.name.isEmpty && $0.restore != nil }
  }

  /// The feature's members of a document: its own, and those beside it.
  fileprivate var documentNames: [String] {
    [name] + fieldsBeside.map(\.path)
  }

  fileprivate func read(
    _ document: KeyedDecodingContainer<AnyKey>, _ schema: StoreSchema, _ states: inout States
  ) throws {
    if let whole = fields.first(where: \.name.isEmpty) {
      try restore(whole, name, from: document, &states)
      for field in fieldsBeside { try restore(field, field.path, from: document, &states) }
    } else if try document.hasValue(name) {
      let derived = schema.derivedFields(of: name)
      let own = try document.superDecoder(forKey: AnyKey(name)).container(
        ofKnown: fields.map(\.name) + derived.map(\.name))
      for field in fields { try restore(field, field.name, from: own, &states) }
      for (name, restore) in derived where try own.hasValue(name) {
        try restore?(&states, own.superDecoder(forKey: AnyKey(name)))
      }
    }
    try validate(&states)
  }

  /// Reads a field, unless its member is missing or null.
  private func restore(
    _ field: AnyField, _ key: String, from container: KeyedDecodingContainer<AnyKey>,
    _ states: inout States
  ) throws {
    guard let restore = field.restore, try container.hasValue(key) else { return }
    let decoder = try container.superDecoder(forKey: AnyKey(key))
    states.makeMutable(index)
    do {
      try restore(states.slots[index], decoder)
    } catch {
      throw DocumentError.placingNumber(of: error, at: decoder.codingPath)
    }
  }
}
