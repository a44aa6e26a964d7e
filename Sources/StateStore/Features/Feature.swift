import Foundation

/// A part of an app: its state, its actions, and the reducer that applies them.
///
/// Features are enums without cases: namespaces for a state, its actions and its reducer. A ``StoreSchema`` lists them.
public protocol Feature: SendableMetatype {
  /// The feature's state.
  associatedtype State: Codable & Equatable & Sendable

  /// Everything that can happen to the feature.
  associatedtype Action: Codable & Equatable & Sendable

  /// The services that the feature's requests ask: the type of the value that the program gives, or one to which it can be
  /// cast, such as `any Payments`.
  associatedtype Services: Sendable = NoServices

  /// The codes of the feature's errors.
  associatedtype ErrorCode: FeatureErrorCode = NoErrorCode

  /// The name in snake case, used in paths, documents, files and scripts.
  static var name: String { get }

  /// The initial state.
  static var initial: State { get }

  /// Applies an action to the state.
  ///
  /// A reducer is pure: the same state and action always give the same result. Ids and fetched data arrive in the
  /// action. If it throws, the store restores the state, whatever the reducer changed before.
  ///
  /// - Throws: Why the action can't be applied.
  static func reduce(_ state: inout State, _ action: Action) throws

  /// The parts of the state that can be shown and observed, in display order.
  static var fields: [Field<Self>] { get }

  /// Validates a state that was read from a document, and fills in what documents omit.
  ///
  /// Features that accept any values of their fields' and records' types don't implement it.
  ///
  /// - Throws: ``DocumentError``, with a path relative to the feature, or any other error.
  static func validate(_ state: inout State) throws

  /// Converts the stored form of another version of the program to this version's.
  ///
  /// It is called only for a state or an action that can't be decoded although missing parts have their initial values:
  /// for example, one whose case has another name now. Features whose types haven't changed in such a way don't
  /// implement it.
  ///
  /// ```swift
  /// static func migrate(_ json: inout JSONValue, _ part: StoredPart) {
  ///   if part == .action { json.rename("tick", to: "pin") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - json: The stored form.
  ///   - part: The kind of value that is stored.
  /// - Throws: Why it can't be converted.
  static func migrate(_ json: inout JSONValue, _ part: StoredPart) throws
}

/// The parts of a feature that a session stores.
public enum StoredPart: Sendable {
  /// An action.
  case action
  /// A state.
  case state
}

extension Feature {
  /// Accepts every state.
  public static func validate(_ state: inout State) throws {}

  /// Converts nothing.
  public static func migrate(_ json: inout JSONValue, _ part: StoredPart) throws {}
}

/// How states and actions are encoded for storage.
enum StateCoding {
  /// Sorts keys, so that equal values have the same text.
  static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.userInfo[.isJournal] = true
    return encoder
  }()

  /// Whether two values have the same encoding, which omits the texts of secrets.
  ///
  /// - Complexity: O(size of the encodings).
  static func areSame<Value: Encodable>(_ left: Value, _ right: Value) throws -> Bool {
    try encoder.encode(left) == encoder.encode(right)
  }

  static func decoder(for schema: StoreSchema) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[.schema] = schema
    decoder.userInfo[.isJournal] = true
    return decoder
  }
}

extension CodingUserInfoKey {
  static let schema = CodingUserInfoKey("schema")
}

extension Decoder {
  /// The schema whose states and actions are decoded.
  var schema: StoreSchema {
    get throws {
      guard let schema = userInfo[.schema] as? StoreSchema else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: codingPath, debugDescription: "The decoder knows no schema."))
      }
      return schema
    }
  }
}
