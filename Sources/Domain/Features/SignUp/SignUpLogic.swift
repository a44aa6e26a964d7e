public import StateStore

/// The operations on the sign-up.
public struct SignUpLogic {
  private let store: Store

  /// Makes the operations on a store's sign-up.
  public init(store: Store) {
    self.store = store
  }

  /// The record that every step edits.
  ///
  /// Setting it, or a part of it, sends one action with the parts that changed. It throws
  /// `SignUpError.duplicateTopic`.
  public var data: StateBinding<SignUp.Data> {
    StateBinding(
      get: { store.state(of: SignUp.self).data },
      set: { new in
        let changes = SignUp.DataChange.changes(from: store.state(of: SignUp.self).data, to: new)
        if !changes.isEmpty { try store.send(.edit(changes), to: SignUp.self) }
      })
  }

  /// Goes to the next step, or to the first.
  ///
  /// The topics step can't be left without a topic: an alert says so.
  ///
  /// - Returns: The step that is shown.
  /// - Throws: `SignUpError.noNextStep` or `SignUpError.sheetOpen`.
  @discardableResult
  public func next() throws -> SignUp.Step? {
    try store.send(.next, to: SignUp.self)
    return store.state(of: SignUp.self).step
  }

  /// Goes back by one step.
  ///
  /// - Returns: The step that is shown, or nil on the screen before the first.
  /// - Throws: `SignUpError.atRoot` or `SignUpError.sheetOpen`.
  @discardableResult
  public func back() throws -> SignUp.Step? {
    try store.send(.back, to: SignUp.self)
    return store.state(of: SignUp.self).step
  }

  /// Dismisses the alert.
  public func dismissAlert() throws {
    guard store.state(of: SignUp.self).alert != nil else { return }
    try store.send(.dismissAlert, to: SignUp.self)
  }

  /// Submits the record: it is accepted, or an alert lists its problems.
  ///
  /// - Returns: Whether it was accepted.
  /// - Throws: `SignUpError.notOnSummary`, `SignUpError.sheetOpen` or `SignUpError.alreadySubmitted`.
  @discardableResult
  public func submit() throws -> Bool {
    let problems = store.state(of: SignUp.self).problems
    try store.send(
      problems.isEmpty ? .submissionAccepted : .submissionRefused(problems), to: SignUp.self)
    return problems.isEmpty
  }
}
