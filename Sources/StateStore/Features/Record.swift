/// A value of named parts, such as a record of a list, or what a form edits.
///
/// ``fields`` is the only list of its names: what is shown, observed and read from documents follows from it.
public protocol FieldRecord: FieldValue {
  /// The parts, in the order in which they are shown.
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
