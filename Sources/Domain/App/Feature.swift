/// A part of the app: what it remembers, what can happen to it, and what then becomes of it.
///
/// Features are enums without cases: the name under which a state, its actions and its reducer
/// stand together. To add one, write its files and add it in `App`.
public protocol Feature {
  /// What the feature remembers.
  associatedtype State: Codable & Equatable & Sendable

  /// Everything that can happen to it.
  associatedtype Action: Codable & Equatable & Sendable

  /// Changes the state as the action says.
  ///
  /// Reducers are pure: the same state and action always give the same state. Ids and fetched data
  /// arrive in the action. They check first and change after.
  ///
  /// - Throws: Why the action can't be done; then the state is unchanged.
  static func reduce(_ state: inout State, _ action: Action) throws

  /// The action that ends the request for which the state awaits an answer, where nobody will answer it any more; nil where
  /// none is awaited.
  ///
  /// Features without requests leave it out.
  static func givingUpRequest(of state: State) -> Action?

  /// The pieces of the state that can be shown and observed.
  static var fields: [Field<State>] { get }

  /// Whether a list of the state has noted edits.
  ///
  /// It is asked after every action, and so names the lists, which is faster than to find them by `fields`. Features without
  /// lists leave it out, and `discardEdits`.
  static func hasEdits(in state: State) -> Bool

  /// Forgets what the lists of the state noted of their edits.
  static func discardEdits(in state: inout State)
}

extension Feature {
  /// Nil, as the feature has no requests.
  public static func givingUpRequest(of state: State) -> Action? { nil }

  /// False, as the state has no lists.
  public static func hasEdits(in state: State) -> Bool { false }

  /// Does nothing, as the state has no lists.
  public static func discardEdits(in state: inout State) {}
}
