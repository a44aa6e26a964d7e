extension Decoder {
  /// The members of an object that has no others than those that are known.
  ///
  /// - Throws: `StateDocumentProblem` for another member, `DecodingError` where this is no object.
  func container<Key: CodingKey & CaseIterable>(
    ofKnown type: Key.Type
  ) throws -> KeyedDecodingContainer<Key> {
    let known = Key.allCases.map(\.stringValue)
    let names = try container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    if let unknown = names.filter({ name in !known.contains { $0.isExactly(name) } }).min() {
      throw StateDocumentProblem(unknown: unknown, insteadOf: known.sorted(), at: codingPath)
    }
    return try container(keyedBy: type)
  }
}

extension KeyedDecodingContainer {
  /// A case by its name, or nil where there is none.
  ///
  /// - Throws: `StateDocumentProblem` for the name of no case, `DecodingError` where this is no text.
  func caseIfPresent<Case: CaseIterable & RawRepresentable<String>>(
    of type: Case.Type, forKey key: Key
  ) throws -> Case? {
    try decodeIfPresent(String.self, forKey: key).map {
      try Case(name: $0, at: codingPath + [key])
    }
  }

  /// Cases by their names; none where there is no list.
  ///
  /// - Throws: `StateDocumentProblem` for the name of no case, `DecodingError` where these are no texts.
  func casesIfPresent<Case: CaseIterable & RawRepresentable<String>>(
    of type: Case.Type, forKey key: Key
  ) throws -> [Case]? {
    try decodeIfPresent([String].self, forKey: key)?.map {
      try Case(name: $0, at: codingPath + [key])
    }
  }
}

extension CaseIterable where Self: RawRepresentable<String> {
  fileprivate init(name: String, at path: [any CodingKey]) throws {
    guard let named = Self(named: name) else {
      throw StateDocumentProblem(
        unknown: name, insteadOf: Self.allCases.map(\.rawValue), at: path)
    }
    self = named
  }
}

extension StateDocumentProblem {
  fileprivate init(unknown name: String, insteadOf known: [String], at path: [any CodingKey]) {
    self.init(
      path,
      "there is no \"\(ExternalText.quoted(name))\" here, but "
        + known.joined(separator: ", "))
  }
}

private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
