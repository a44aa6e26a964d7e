/// What is wrong with a document of a state, and where.
public struct DocumentError: Error {
  /// Where it is, such as `persons[3]`; empty for the whole.
  public let path: String

  /// What is wrong there.
  public let reason: String

  /// Makes an error.
  public init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - path: Where it is, as decoders have it: with positions from 0.
  ///   - reason: What is wrong there.
  public init(_ path: [any CodingKey], _ reason: String) {
    self.init(JSONProblem.text(of: path), reason)
  }

  init(unknown name: String, insteadOf known: [String], at path: [any CodingKey]) {
    self.init(
      path,
      "there is no \"\(ExternalText.quoted(name))\" here, but "
        + known.joined(separator: ", "))
  }

  /// Where it is and what is wrong there.
  public var message: String { path.isEmpty ? reason : "\(path): \(reason)" }
}

extension Decoder {
  /// The members of an object that has no others than those that are known.
  ///
  /// - Throws: ``DocumentError`` for another member, `DecodingError` where this is no object.
  func container(ofKnown known: [String]) throws -> KeyedDecodingContainer<AnyKey> {
    let container = try container(keyedBy: AnyKey.self)
    let names = container.allKeys.map(\.stringValue)
    if let unknown = names.filter({ name in !known.contains { $0.isExactly(name) } }).min() {
      throw DocumentError(unknown: unknown, insteadOf: known.sorted(), at: codingPath)
    }
    return container
  }
}

extension KeyedDecodingContainer<AnyKey> {
  /// Whether there is a member of a name that isn't null.
  func hasValue(_ name: String) throws -> Bool {
    let key = AnyKey(name)
    return try contains(key) && !decodeNil(forKey: key)
  }
}

/// Any name of a member.
struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
