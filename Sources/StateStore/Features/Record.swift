import Foundation

/// A value of named parts, such as a record of a list, or what a form edits.
///
/// ``fields`` is the only list of its names: what is shown, observed and read from documents follows from it.
public protocol FieldRecord: FieldValue {
  /// The parts, in the order in which they are shown; a constant, as it is used for every record that is shown.
  static var fields: [RecordField<Self>] { get }
}

/// A record of a list, which is known by its id.
///
/// Records of named parts are ``FieldRecord``s, too; one of a single value, such as a number, isn't.
public protocol Record: FieldValue, Codable, Equatable, Identifiable, Sendable where ID == Int {
  /// Checks a record that was read from a document or another source.
  ///
  /// Records that can have any values of their types leave it out.
  ///
  /// - Throws: What is wrong with it.
  func validate() throws
}

extension Record {
  /// Does nothing, as the record can have any values of their types.
  public func validate() throws {}
}

/// A named part of a record.
public struct RecordField<Root>: Sendable {
  /// The name in snake case.
  public let name: String

  /// What there can be in it.
  public let shape: StateShape

  @usableFromInline let read: @Sendable (Root) -> StateValue
  /// Reads it from a document; nil for a part that can't be assigned.
  let restore: (@Sendable (inout Root, any Decoder) throws -> Void)?

  @usableFromInline init(
    name: String, shape: StateShape, read: @escaping @Sendable (Root) -> StateValue,
    restore: (@Sendable (inout Root, any Decoder) throws -> Void)?
  ) {
    (self.name, self.shape, self.read, self.restore) = (name, shape, read, restore)
  }

  /// A part that can be assigned.
  @inlinable public static func field<Value: FieldValue>(
    _ name: String, _ part: any WritableKeyPath<Root, Value> & Sendable
  ) -> Self {
    Self(
      name: name, shape: Value.shape, read: { $0[keyPath: part].stateValue },
      restore: { $0[keyPath: part] = try Value(fromDocument: $1) })
  }

  /// A part that stays as it is.
  @inlinable public static func constant<Value: FieldValue>(
    _ name: String, _ part: any KeyPath<Root, Value> & Sendable
  ) -> Self {
    Self(
      name: name, shape: Value.shape, read: { $0[keyPath: part].stateValue }, restore: nil)
  }

  /// A part that follows from others.
  @inlinable public static func derived<Value: FieldValue>(
    _ name: String, _ read: @escaping @Sendable (Root) -> Value
  ) -> Self {
    Self(name: name, shape: Value.shape, read: { read($0).stateValue }, restore: nil)
  }
}

extension FieldRecord {
  /// The parts by their names.
  public static var shape: StateShape {
    .record(fields.map { StateShape.Member(name: $0.name, shape: $0.shape) })
  }

  /// The parts with their values.
  @inlinable public var stateValue: StateValue {
    .record(Self.fields.map { StateValue.Member(name: $0.name, value: $0.read(self)) })
  }

  /// Reads the parts that there are, in place of those of a record.
  ///
  /// - Throws: ``DocumentError`` for a part that there isn't, or what reading the parts throws.
  public init(fromDocument decoder: any Decoder, into start: Self) throws {
    self = start
    let container = try decoder.container(ofKnown: Self.fields.map(\.name))
    for field in Self.fields {
      guard let restore = field.restore, try container.hasValue(field.name) else { continue }
      try restore(&self, container.superDecoder(forKey: AnyKey(field.name)))
    }
  }
}

extension FieldRecord where Self: Decodable {
  /// Reads the value as it is encoded, with the names of its parts in snake case.
  public init(fromDocument decoder: any Decoder) throws {
    guard Self.fields.contains(where: { $0.name.contains("_") }) else {
      try self.init(from: decoder)
      return
    }
    let container = try decoder.container(ofKnown: Self.fields.map(\.name))
    var members: [String: JSONValue] = [:]
    for key in container.allKeys {
      members[key.stringValue.inCamelCase] = try container.decode(JSONValue.self, forKey: key)
    }
    do {
      let json = try StateCoding.encoder.encode(JSONValue.object(members))
      self = try JSONDecoder().decode(Self.self, from: json)
    } catch {
      let problem = JSONProblem(error) { try? JSONKind(at: $0[...].inSnakeCase, of: decoder) }
      throw DocumentError(decoder.codingPath + problem.path[...].inSnakeCase, problem.reason)
    }
  }
}

extension String {
  /// A name in snake case as Swift has it: "last_name" is "lastName".
  fileprivate var inCamelCase: String {
    let words = split(separator: "_")
    return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
  }

  /// A name of Swift in snake case: "lastName" is "last_name".
  package var inSnakeCase: String {
    reduce(into: "") { name, letter in
      name += letter.isUppercase ? (name.isEmpty ? "" : "_") + letter.lowercased() : "\(letter)"
    }
  }
}

extension ArraySlice<any CodingKey> {
  /// The same path with the first name in snake case.
  fileprivate var inSnakeCase: ArraySlice<any CodingKey> {
    guard let first, first.intValue == nil else { return self }
    return [AnyKey(first.stringValue.inSnakeCase)] + dropFirst()
  }
}
