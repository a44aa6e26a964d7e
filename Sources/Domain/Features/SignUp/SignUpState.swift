extension SignUp {
  /// What the sign-up remembers.
  public struct State: Codable, Equatable, Sendable {
    /// The record that every step edits.
    public internal(set) var data = Data()
    /// The steps that were gone to, the one that is shown last; empty on the screen before them.
    public internal(set) var path: [Step] = []
    /// The sheet that is open on the summary, or nil.
    public internal(set) var sheet: Sheet?
    /// The alert that is shown, or nil.
    public internal(set) var alert: Alert?
    /// Whether the record was submitted and accepted.
    public internal(set) var submitted = false

    /// Makes the state the sign-up starts with.
    public init() {}

    /// The step that is shown, or nil on the screen before the first.
    public var step: Step? { path.last }

    /// What keeps the record from being accepted, in the order of the steps.
    ///
    /// - Complexity: O(length of the texts).
    public var problems: [Problem] {
      var problems: [Problem] = []
      if !EmailAddress.isPlausible(data.email) { problems.append(.invalidEmail) }
      if data.password.isEmpty {
        problems.append(.noPassword)
      } else if data.password != data.passwordConfirmation {
        problems.append(.passwordsDiffer)
      }
      if data.topics.isEmpty { problems.append(.noTopics) }
      return problems
    }
  }
}
