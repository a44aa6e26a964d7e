import Foundation

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
      case .list(let type, _): lists.append(RecordList(order: type.order))
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

  /// Casts a box to this type.
  ///
  /// Safe: the schema gives each feature an index, and the box at that index is always the feature's.
  static func of(_ box: AnyFeatureState) -> DeclaredFeatureState {
    unsafeDowncast(box, to: DeclaredFeatureState.self)
  }
}

extension AnyKey {
  /// The key of the version of a declaration, which no field can have.
  static let declaredVersion = AnyKey("#version")
}

// MARK: - Decoding

extension DeclaredFeature {
  /// Decodes a stored state; missing fields have their initial values, and others are ignored.
  ///
  /// - Throws: ``StoredFormError`` for a state of another version that can't be converted.
  func decodeState(from decoder: any Decoder) throws -> AnyFeatureState {
    let container = try decoder.container(keyedBy: AnyKey.self)
    let found = try container.decodeIfPresent(Int.self, forKey: .declaredVersion) ?? 1
    guard found <= version else {
      throw StoredFormError.newerDeclaration(of: name, found, known: version)
    }
    guard found < version else { return try state(in: container, decoder) }
    let stored = try JSONValue(from: decoder)
    let migrated: JSONValue?
    do {
      migrated = try rules.migrated(stored, from: found)
    } catch {
      throw StoredFormError.failedMigration(of: name, from: found, error.userMessage)
    }
    guard let json = migrated else { return try state(in: container, decoder) }
    return DeclaredFeatureState(try state(from: json), of: self)
  }

  /// Decodes a state of this version.
  ///
  /// - Throws: ``StoredFormError`` for one of another form.
  func state(from json: JSONValue) throws -> DeclaredState {
    let decoder = JSONDecoder()
    decoder.userInfo[.isJournal] = true
    return try decoder.decode(
      DeclaredStateForm.self, from: StateCoding.encoder.encode(json), configuration: self
    ).box.state
  }

  fileprivate func state(
    in container: KeyedDecodingContainer<AnyKey>, _ decoder: any Decoder
  ) throws -> DeclaredFeatureState {
    var state = initialState
    for field in fields {
      let key = AnyKey(field.name)
      guard container.contains(key) else { continue }
      do {
        let decoder = try container.superDecoder(forKey: key)
        try field.decode(from: decoder, into: &state)
      } catch {
        let problem = DocumentError(describing: error) {
          try? JSONKind(at: $0.dropFirst(decoder.codingPath.count)[...], of: decoder)
        }
        let path = [AnyKey(name)] + problem.path.dropFirst(decoder.codingPath.count)
        throw StoredFormError.otherType(
          "\(DocumentError.text(of: path)): \(problem.reason)", of: self)
      }
    }
    return DeclaredFeatureState(state, of: self)
  }
}

/// A stored state of this version of a declaration.
private struct DeclaredStateForm: DecodableWithConfiguration {
  let box: DeclaredFeatureState

  init(from decoder: any Decoder, configuration feature: DeclaredFeature) throws {
    box = try feature.state(in: decoder.container(keyedBy: AnyKey.self), decoder)
  }
}

extension DeclaredFeature.Field {
  /// Decodes the field's value, or its list's records.
  ///
  /// - Throws: `DecodingError` or ``DocumentError``; the state is then unchanged.
  func decode(from decoder: any Decoder, into state: inout DeclaredState) throws {
    switch kind {
    case .value(let type, let index):
      state.values[index] = try DeclaredValue(from: decoder, configuration: type).value
    case .list(let type, let index):
      var container = try decoder.unkeyedContainer()
      var records: [DeclaredRecord] = []
      while !container.isAtEnd {
        records.append(try container.decode(DeclaredRecord.self, configuration: type.record))
      }
      if let part = type.sortingPart { records = records.sorted(by: part) }
      do {
        state.lists[index] = try RecordList(order: type.order, records: records)
      } catch {
        throw DocumentError(decoder.codingPath, error.userMessage)
      }
    case .set(let type, let index):
      var container = try decoder.unkeyedContainer()
      var elements: [DeclaredSet.Element] = []
      while !container.isAtEnd {
        let value = try container.decode(DeclaredValue.self, configuration: type).value
        if let element = DeclaredSet.Element(value) { elements.append(element) }
      }
      state.sets[index] = DeclaredSet(elements)
    }
  }
}

extension StoredFormError {
  fileprivate static func newerDeclaration(of feature: String, _ found: Int, known: Int) -> Self {
    Self(
      "other_version",
      "\(feature) was saved by version \(found) of its declaration, and this is version \(known)")
  }

  fileprivate static func failedMigration(
    of feature: String, from version: Int, _ reason: String
  ) -> Self {
    Self("other_version", "\(feature)'s migrate fails for a state of version \(version): \(reason)")
  }

  static func otherType(_ problem: String, of feature: DeclaredFeature) -> Self {
    Self(
      "other_version",
      "\(problem); a field whose type changes needs version = \(feature.version + 1) and "
        + "migrate = function(state, from) ... end")
  }
}
