/// What people can do with the sign-up.
public struct SignUpLogic {
  private let store: Store

  /// Makes the operations on a store's sign-up.
  public init(store: Store) {
    self.store = store
  }

  /// The record that every step edits.
  ///
  /// Setting it, or a part of it, sends one action with the parts that become others. It throws
  /// `SignUpError.duplicateTopic`.
  public var data: Binding<SignUp.Data> {
    Binding(
      get: { store.state.signUp.data },
      set: { new in
        let changes = SignUp.DataChange.changes(from: store.state.signUp.data, to: new)
        if !changes.isEmpty { try store.send(.signUp(.edit(changes))) }
      })
  }

  /// Goes to the next step, or to the first.
  ///
  /// The step of the topics isn't left without one: an alert says so.
  ///
  /// - Returns: The step that is shown.
  /// - Throws: `SignUpError.noNextStep` or `SignUpError.sheetOpen`.
  @discardableResult
  public func next() throws -> SignUp.Step? {
    try store.send(.signUp(.next))
    return store.state.signUp.step
  }

  /// Goes back by one step.
  ///
  /// - Returns: The step that is shown, or nil on the screen before the first.
  /// - Throws: `SignUpError.atRoot` or `SignUpError.sheetOpen`.
  @discardableResult
  public func back() throws -> SignUp.Step? {
    try store.send(.signUp(.back))
    return store.state.signUp.step
  }

  /// Opens a sheet on the summary.
  ///
  /// - Throws: `SignUpError.notOnSummary` or `SignUpError.sheetOpen`.
  public func edit(_ sheet: SignUp.Sheet) throws {
    try store.send(.signUp(.openSheet(sheet)))
  }

  /// Closes the sheet.
  ///
  /// The sheet of the topics isn't closed without one: an alert says so.
  ///
  /// - Throws: `SignUpError.noSheet`.
  public func done() throws {
    try store.send(.signUp(.done))
  }

  /// Puts the alert away.
  public func dismissAlert() throws {
    guard store.state.signUp.alert != nil else { return }
    try store.send(.signUp(.dismissAlert))
  }

  /// Submits the record: it is accepted, or an alert lists its problems.
  ///
  /// - Returns: Whether it was accepted.
  /// - Throws: `SignUpError.notOnSummary`, `SignUpError.sheetOpen` or
  ///   `SignUpError.alreadySubmitted`.
  @discardableResult
  public func submit() throws -> Bool {
    let problems = store.state.signUp.problems
    try store.send(
      .signUp(problems.isEmpty ? .submissionAccepted : .submissionRefused(problems)))
    return problems.isEmpty
  }

  /// Starts the whole flow over.
  public func reset() throws {
    try store.send(.signUp(.reset))
  }
}
