import PrimereplFoundation
import Synchronization

/// A value of named parts, such as a record of a list, or the value that a form edits.
///
/// ``fields`` is the only place that names them: what is shown, observed and read from documents derives from it.
public protocol FieldRecord: FieldValue {
  /// The parts in display order; a constant, as it is used for every record that is shown.
  static var fields: [RecordField<Self>] { get }
}

/// A record of a list, identified by its id.
///
/// A record of named parts is also a ``FieldRecord``; a record of a single value, such as a number, isn't.
public protocol Record: FieldValue, Codable, Equatable, Identifiable, Sendable where ID == Int {
  /// Validates a record that was read from a document or another source.
  ///
  /// Records that accept any values of their types don't implement it.
  ///
  /// - Throws: An error that describes the problem.
  func validate() throws

  /// The parts of a ``FieldRecord``: not to be implemented.
  static var recordFields: [RecordField<Self>] { get }
}

extension Record {
  /// Accepts every record.
  public func validate() throws {}

  /// None.
  public static var recordFields: [RecordField<Self>] { [] }
}

extension Record where Self: FieldRecord {
  /// Those of ``FieldRecord/fields``.
  @inlinable public static var recordFields: [RecordField<Self>] { fields }
}

/// A record whose parts have initial values.
///
/// They stand for parts that a stored or imported record lacks, because an earlier version of the program wrote it. The
/// id is never taken from them.
public protocol EvolvingRecord: Record {
  /// A record with all initial values: `Note(id: 0, text: "")`.
  static var initial: Self { get }
}

/// A named part of a record.
public struct RecordField<Root>: Sendable {
  /// The name in snake case.
  public let name: String

  /// A description in one line; may be empty.
  public let help: String

  let swiftType: any FieldValue.Type

  /// The type of the part's values.
  public var type: ValueType { swiftType.valueType }

  /// The part's key path; nil if the part can't be assigned.
  let path: (any PartialKeyPath<Root> & Sendable)?

  /// The stored property, by whose name the record's own coding knows it; nil for a computed part.
  private let property: PropertyName?

  @usableFromInline let read: @Sendable (Root) -> StateValue
  /// Reads the part from a document; nil if the part can't be assigned.
  let restore: (@Sendable (inout Root, any Decoder) throws -> Void)?
  /// Assigns a value of the part's type; nil if the part can't be assigned.
  @usableFromInline let set: (@Sendable (inout Root, StateValue) throws -> Void)?

  @usableFromInline init(
    _ name: String, _ help: String, of type: any FieldValue.Type,
    _ path: (any PartialKeyPath<Root> & Sendable)? = nil,
    property: (any AnyKeyPath & Sendable)? = nil,
    read: @escaping @Sendable (Root) -> StateValue,
    restore: (@Sendable (inout Root, any Decoder) throws -> Void)? = nil,
    set: (@Sendable (inout Root, StateValue) throws -> Void)? = nil
  ) {
    (self.name, self.help, swiftType, self.path) = (name, help, type, path)
    self.property = property.map { PropertyName(of: $0) }
    (self.read, self.restore, self.set) = (read, restore, set)
  }

  /// A part that can be assigned; its name is in snake case, and its help in one line.
  @inlinable public static func field<Value: FieldValue>(
    _ name: String, _ part: any WritableKeyPath<Root, Value> & Sendable, help: String = ""
  ) -> Self {
    Self(
      name, help, of: Value.self, part, property: part,
      read: { $0[keyPath: part].stateValue },
      restore: { $0[keyPath: part] = try Value(fromDocument: $1) },
      set: { $0[keyPath: part] = try Value(stateValue: $1) })
  }

  /// Names the mistake: only a stored property can be assigned.
  @available(
    *, unavailable,
    message: "this property can't be assigned: use .constant for a let, .derived for a computed one"
  )
  public static func field<Value: FieldValue>(
    _ name: String, _ part: any KeyPath<Root, Value> & Sendable, help: String = ""
  ) -> Self { preconditionFailure("It can't be called.") }

  /// A part that can't be assigned.
  @inlinable public static func constant<Value: FieldValue>(
    _ name: String, _ part: any KeyPath<Root, Value> & Sendable, help: String = ""
  ) -> Self {
    Self(
      name, help, of: Value.self, property: part, read: { $0[keyPath: part].stateValue })
  }

  /// A part computed from others.
  @inlinable public static func derived<Value: FieldValue>(
    _ name: String, help: String = "", _ read: @escaping @Sendable (Root) -> Value
  ) -> Self {
    Self(name, help, of: Value.self, read: { read($0).stateValue })
  }

  /// A computed property.
  @inlinable public static func derived<Value: FieldValue>(
    _ name: String, _ part: any KeyPath<Root, Value> & Sendable, help: String = ""
  ) -> Self {
    derived(name, help: help) { $0[keyPath: part] }
  }

  /// The part's value in a record, in a form that every front end can show.
  public func value(in record: Root) -> StateValue { read(record) }
}

extension FieldRecord {
  /// The index of the field that is declared with a key path; nil if none that can be assigned is.
  package static func fieldIndex(of part: PartialKeyPath<Self>) -> Int? {
    fields.firstIndex { field in
      let path: PartialKeyPath<Self>? = field.path
      return path == part
    }
  }

  /// A record of the parts.
  public static var valueType: ValueType {
    .record(
      RecordType(
        fields.map {
          RecordType.Part($0.name, $0.type, help: $0.help, isEditable: $0.path != nil)
        }, name: "\(Self.self)".inSnakeCase))
  }

  /// The stored properties that no field shows, here and in the values of fields.
  public static var unlistedProperties: [String] {
    var paths: [any AnyKeyPath & Sendable] = []
    var inParts: [String] = []
    for field in fields {
      guard let path = field.propertyPath else { continue }
      paths.append(path)
      for property in field.swiftType.unlistedProperties {
        inParts.append("\(field.name).\(property)")
      }
    }
    return StateStore.unlistedProperties(of: Self.self, paths) + inParts
  }

  /// The parts with their values.
  @inlinable public var stateValue: StateValue {
    .record(Self.fields.map { StateValue.Member(name: $0.name, value: $0.read(self)) })
  }

  /// Reads the parts that a document contains; the others keep their values from a given record.
  ///
  /// - Throws: ``DocumentError`` for an unknown part, or the error of reading a part.
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
  /// Decodes the value, with the names of its fields in place of those of its properties.
  ///
  /// Parts that the document lacks have the values of an ``EvolvingRecord``.
  public init(fromDocument decoder: any Decoder) throws {
    let initial = (Self.self as? any EvolvingRecord.Type)?.initial
    // The form of a value has the names of fields in all of its records.
    let isForm = decoder.userInfo[.keepsSecrets] != nil
    let hasOwnNames = Self.fields.allSatisfy {
      $0.codedName == $0.name && !(isForm && $0.hasRecords)
    }
    if hasOwnNames, isForm || initial == nil {
      do {
        self = try Self(from: decoder)
        return
      } catch DecodingError.keyNotFound where initial != nil {
        // It lacks a part, which has its initial value.
      }
    }
    let container = try decoder.container(ofKnown: Self.fields.map(\.name))
    var members = try initial.map { try DocumentCoding.json(of: $0) } ?? .object([:])
    members["id"] = nil
    for field in Self.fields where container.contains(AnyKey(field.name)) {
      let value =
        isForm
        ? try field.encoding(in: container)
        : try container.decode(JSONValue.self, forKey: AnyKey(field.name))
      // Its own coding knows a part by its property's name, or by another that it declares.
      for name in [field.name, field.codedName] { members[name] = value }
    }
    let json = try DocumentCoding.encoder.encode(members)
    do {
      self = try DocumentCoding.decoder(within: decoder).decode(Self.self, from: json)
    } catch {
      let problem = DocumentError(describing: error, in: json)
      throw DocumentError(decoder.codingPath + Self.documentPath(problem.path), problem.reason)
    }
  }

  /// A path in the value's own coding, with the name that a document has for its first part.
  private static func documentPath(_ path: [any CodingKey]) -> [any CodingKey] {
    guard let first = path.first, first.intValue == nil else { return path }
    let field = fields.first { $0.codedName == first.stringValue }
    return [AnyKey(field?.name ?? first.stringValue)] + path.dropFirst()
  }
}

extension RecordField {
  /// The name by which the value's own coding knows the part.
  fileprivate var codedName: String { property?.text ?? name.inCamelCase }

  /// The part of a form in the record's own coding.
  fileprivate func encoding(in container: KeyedDecodingContainer<AnyKey>) throws -> JSONValue {
    let key = AnyKey(name)
    func encoding<Value: FieldValue>(of type: Value.Type) throws -> JSONValue? {
      let value = try container.decode(DocumentValue<Value>.self, forKey: key).value
      return try (value as? any Encodable).map { try DocumentCoding.json(of: $0) }
    }
    return try (property != nil && hasRecords ? encoding(of: swiftType) : nil)
      ?? container.decode(JSONValue.self, forKey: key)
  }

  /// Whether its values are, or have, records, whose own coding may have other names.
  fileprivate var hasRecords: Bool { type.record != nil || type.element?.record != nil }

  fileprivate var propertyPath: (any AnyKeyPath & Sendable)? { property?.path }
}

extension String {
  /// Converts a name from snake case: "last_name" becomes "lastName".
  var inCamelCase: String {
    let words = split(separator: "_")
    return words.prefix(1).joined() + words.dropFirst().map(\.capitalized).joined()
  }

  /// Converts a name to snake case: "lastName" becomes "last_name", and "lastID" "last_id".
  package var inSnakeCase: String {
    let letters = Array(self)
    return letters.indices.reduce(into: "") { name, index in
      let letter = letters[index]
      let beginsWord =
        letter.isUppercase && index > 0
        && (!letters[index - 1].isUppercase
          || index + 1 < letters.count && letters[index + 1].isLowercase)
      name += (beginsWord ? "_" : "") + letter.lowercased()
    }
  }
}

/// The name of a key path's property, which takes long to find and is rarely needed.
private final class PropertyName: Sendable {
  let path: any AnyKeyPath & Sendable
  /// Nil before it is first asked for.
  private let found = Mutex<String??>(nil)

  init(of path: any AnyKeyPath & Sendable) { self.path = path }

  var text: String? {
    found.withLock { found in
      if let found { return found }
      let name = path.propertyName
      found = .some(name)
      return name
    }
  }
}

extension AnyKeyPath {
  /// The name of the property to which the path leads, or of the first one on its way; nil if it is computed.
  package var propertyName: String? {
    // Documented by SE-0369: "\\Note.text".
    let parts = debugDescription.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2, !parts[1].hasPrefix("<") else { return nil }
    return String(parts[1].prefix { $0 != "?" && $0 != "!" })
  }
}
