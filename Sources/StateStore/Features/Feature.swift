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

  /// The version of the state's types: 1 at first.
  ///
  /// A field that is new has its initial value in sessions of before, and one that is gone is kept there. A field that has
  /// another type or name needs another version, and ``migrate(_:from:)``.
  static var version: Int { get }

  /// Converts a saved state of an earlier version, which then begins a new history.
  ///
  /// Properties that no field shows stay as they were saved if the state as a whole can still be decoded; else they are as
  /// initially.
  ///
  /// ```swift
  /// static func migrate(_ state: inout JSONValue, from version: Int) {
  ///   if version < 2 { state.rename("amount", to: "price") }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The values that were saved, by the names of their fields, as documents have them.
  ///   - version: The version that saved them.
  /// - Throws: Why they can't be converted.
  static func migrate(_ state: inout JSONValue, from version: Int) throws
}

extension Feature {
  /// Accepts every state.
  public static func validate(_ state: inout State) throws {}

  /// 1.
  public static var version: Int { 1 }

  /// Converts nothing.
  public static func migrate(_ state: inout JSONValue, from version: Int) throws {}
}
