import Foundation

/// A part of an app: what it remembers, what can happen to it, and what then becomes of it.
///
/// Features are enums without cases: the name under which a state, its actions and its reducer stand together. A ``Schema``
/// is a list of them.
public protocol Feature: SendableMetatype {
  /// What the feature remembers.
  associatedtype State: Codable & Equatable & Sendable

  /// Everything that can happen to it.
  associatedtype Action: Codable & Equatable & Sendable

  /// The name in snake case, under which paths, documents, files and scripts know the feature.
  static var name: String { get }

  /// The state in which the feature starts.
  static var initial: State { get }

  /// Changes the state as the action says.
  ///
  /// Reducers are pure: the same state and action always give the same state. Ids and fetched data arrive in the action. They
  /// check first and change after.
  ///
  /// - Throws: Why the action can't be done; then the state is unchanged.
  static func reduce(_ state: inout State, _ action: Action) throws

  /// The pieces of the state that can be shown and observed, in the order in which they are shown.
  static var fields: [Field<Self>] { get }

  /// The action that ends the request for which the state awaits an answer, where nobody will answer it any more; nil where
  /// none is awaited.
  ///
  /// Features without requests leave it out.
  static func recovery(of state: State) -> Action?

  /// Checks a state that was read from a document, and completes what documents leave out.
  ///
  /// Features whose fields and records can have any values of their types leave it out.
  ///
  /// - Throws: ``DocumentError``, whose path begins in the feature, or any other error.
  static func validate(_ state: inout State) throws
}

extension Feature {
  /// Nil, as the feature has no requests.
  public static func recovery(of state: State) -> Action? { nil }

  /// Does nothing, as the state can be any of its type.
  public static func validate(_ state: inout State) throws {}
}

/// How states and actions are encoded where they are kept.
enum StateCoding {
  /// Encodes so that what is equal has the same text.
  static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()

  /// Whether two are the same when they are written down, where secrets aren't.
  ///
  /// - Complexity: O(size of what is encoded).
  static func areSame<Value: Encodable>(_ left: Value, _ right: Value) throws -> Bool {
    try encoder.encode(left) == encoder.encode(right)
  }

  /// A decoder that knows the features of a schema.
  static func decoder(for schema: Schema) -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.userInfo[.schema] = schema
    return decoder
  }
}

extension CodingUserInfoKey {
  /// Of the ``Schema`` whose states and actions are decoded.
  static let schema = CodingUserInfoKey("schema")
}

extension CodingUserInfoKey {
  fileprivate init(_ name: String) {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("Every text is such a key.")
    }
    self = key
  }
}

extension Decoder {
  /// The schema whose states and actions are decoded.
  var schema: Schema {
    get throws {
      guard let schema = userInfo[.schema] as? Schema else {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: codingPath, debugDescription: "The decoder knows no schema."))
      }
      return schema
    }
  }
}
