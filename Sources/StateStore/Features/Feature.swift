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
