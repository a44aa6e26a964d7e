import PrimereplFoundation

/// The state of a declared feature.
struct DeclaredState: Equatable, Sendable {
  /// The values, lists and sets, at the places that the feature's fields name.
  var values: [StateValue] = []
  var lists: [RecordList<DeclaredRecord>] = []
  var sets: [DeclaredSet] = []

  /// Makes the initial state.
  init(_ fields: [DeclaredFeature.Field]) {
    for field in fields {
      switch field.kind {
      case .value: values.append(field.initial)
      case .list(let list): lists.append(RecordList(order: list.order))
      case .set: sets.append(DeclaredSet())
      }
    }
  }
}

extension DeclaredState {
  /// Whether the values and sets are those of another state, and weren't assigned since.
  func hasSameValues(as other: DeclaredState) -> Bool {
    haveSameBits(values, other.values) && haveSameBits(sets, other.sets)
  }
}

/// The box of a declared feature's state.
final class DeclaredFeatureState: AnyFeatureState, @unchecked Sendable {
  // Unchecked: only reducers change it, through a draft.
  @exclusivity(unchecked) var state: DeclaredState
  let declaration: DeclaredFeature

  init(_ state: DeclaredState, of feature: DeclaredFeature, requests: [String: RequestState] = [:])
  {
    (self.state, declaration) = (state, feature)
    super.init(of: feature, requests: requests)
  }

  /// Safe: the schema gives each feature an index, and the box at that index is always the feature's.
  static func of(_ box: AnyFeatureState) -> DeclaredFeatureState {
    unsafeDowncast(box, to: DeclaredFeatureState.self)
  }
}

// MARK: - Decoding

extension DeclaredFeature {
  /// Decodes a stored state; missing fields have their initial values, and others are ignored.
  func decodeState(from decoder: any Decoder) throws -> AnyFeatureState {
    let container = try decoder.container(keyedBy: AnyKey.self)
    var state = initialState
    for field in fields {
      let key = AnyKey(field.name)
      guard container.contains(key) else { continue }
      try field.decode(from: container.superDecoder(forKey: key), into: &state)
    }
    return DeclaredFeatureState(state, of: self)
  }
}

extension DeclaredFeature.Field {
  /// If it throws, the state is unchanged.
  func decode(from decoder: any Decoder, into state: inout DeclaredState) throws {
    switch kind {
    case .value(let type, let index):
      state.values[index] = try DeclaredValue(from: decoder, configuration: type).value
    case .list(let list): state.lists[list.index] = try list.records(from: decoder)
    case .set(let type, let index):
      var container = try decoder.unkeyedContainer()
      var elements: [SortKey] = []
      while !container.isAtEnd {
        let value = try container.decode(DeclaredValue.self, configuration: type).value
        if let element = SortKey(value) { elements.append(element) }
      }
      state.sets[index] = DeclaredSet(elements)
    }
  }
}

extension DeclaredList {
  func records(from decoder: any Decoder) throws -> RecordList<DeclaredRecord> {
    var container = try decoder.unkeyedContainer()
    var records: [DeclaredRecord] = []
    while !container.isAtEnd {
      records.append(try container.decode(DeclaredRecord.self, configuration: record))
    }
    return try filled(with: records, at: decoder.codingPath)
  }

  /// The records in JSON text if they are plain; nil if a decoder has to read it.
  func records(inPlain text: String) -> RecordList<DeclaredRecord>? {
    guard let records = PlainRecordReader.records(in: text, of: record) else { return nil }
    do {
      return try filled(with: records, at: [])
    } catch {
      return nil
    }
  }

  /// Throws for two records that can't be in one list.
  private func filled(
    with records: [DeclaredRecord], at path: [any CodingKey]
  ) throws(DocumentError) -> RecordList<DeclaredRecord> {
    let records = sortingPart.map { records.sorted(by: $0) } ?? records
    if isMap,
      let same = zip(records, records.dropFirst()).first(where: { $0.values[0] == $1.values[0] })
    {
      throw DocumentError(path, "two values have the key \(same.0.values[0].kindPhrase)")
    }
    do {
      return try RecordList(order: order, records: records)
    } catch {
      throw DocumentError(path, error.userMessage)
    }
  }
}

extension States {
  package func box(ofDeclared name: String) -> AnyFeatureState? {
    slots.first { $0 is DeclaredFeatureState && $0.name == name }
  }
}
