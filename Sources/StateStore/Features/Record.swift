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

  /// What it is for, in one line; empty where that isn't said.
  public let help: String

  /// What there can be in it.
  public let shape: StateShape

  /// The type of its values.
  package let valueType: any FieldValue.Type

  /// Where it is in the record; nil for a part that can't be assigned.
  package let path: (any PartialKeyPath<Root> & Sendable)?

  @usableFromInline let read: @Sendable (Root) -> StateValue
  /// Reads it from a document; nil for a part that can't be assigned.
  let restore: (@Sendable (inout Root, any Decoder) throws -> Void)?
  private let part: any Sendable

  @usableFromInline init<Value>(
    _ name: String, _ help: String, _ part: RecordPart<Root, Value>,
    read: @escaping @Sendable (Root) -> StateValue,
    restore: (@Sendable (inout Root, any Decoder) throws -> Void)? = nil
  ) {
    (self.name, self.help, self.part) = (name, help, part)
    (shape, valueType, path) = (Value.shape, Value.self, part.path)
    (self.read, self.restore) = (read, restore)
  }

  /// A part that can be assigned.
  ///
  /// - Parameters:
  ///   - name: Its name in snake case.
  ///   - part: Where it is in the record.
  ///   - help: What it is for, in one line.
  /// - Returns: The field.
  @inlinable public static func field<Value: FieldValue>(
    _ name: String, _ part: any WritableKeyPath<Root, Value> & Sendable, help: String = ""
  ) -> Self {
    Self(
      name, help, RecordPart(read: { $0[keyPath: part] }, path: part),
      read: { $0[keyPath: part].stateValue },
      restore: { $0[keyPath: part] = try Value(fromDocument: $1) })
  }

  /// A part that stays as it is; the parameters are those of `field(_:_:help:)`.
  @inlinable public static func constant<Value: FieldValue>(
    _ name: String, _ part: any KeyPath<Root, Value> & Sendable, help: String = ""
  ) -> Self {
    Self(
      name, help, RecordPart(read: { $0[keyPath: part] }),
      read: { $0[keyPath: part].stateValue })
  }

  /// A part that follows from others; the parameters are those of `field(_:_:help:)`, but for what reads it.
  @inlinable public static func derived<Value: FieldValue>(
    _ name: String, help: String = "", _ read: @escaping @Sendable (Root) -> Value
  ) -> Self {
    Self(name, help, RecordPart(read: read), read: { read($0).stateValue })
  }

  /// Its value in a record, in a form that every front end can show.
  public func value(in record: Root) -> StateValue { read(record) }

  /// The part, where its values are of a type.
  package func part<Value>(of type: Value.Type) -> RecordPart<Root, Value>? {
    part as? RecordPart<Root, Value>
  }
}

/// A part of a record with the type of its values.
@usableFromInline package struct RecordPart<Root, Value: FieldValue>: Sendable {
  package let read: @Sendable (Root) -> Value
  /// Where it is in the record; nil for a part that can't be assigned.
  package let path: (any WritableKeyPath<Root, Value> & Sendable)?

  @usableFromInline init(
    read: @escaping @Sendable (Root) -> Value,
    path: (any WritableKeyPath<Root, Value> & Sendable)? = nil
  ) {
    (self.read, self.path) = (read, path)
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
      let problem = DocumentError(describing: error) {
        try? JSONKind(at: $0[...].inSnakeCase, of: decoder)
      }
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
