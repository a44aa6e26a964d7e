public import StateStore

extension SignUp {
  /// The steps, in the order of the flow; their names are in snake case.
  public enum Step: String, CaseIterable, Codable, FieldValue, Sendable {
    /// The email address and the password.
    case basics
    /// The names and the phone number.
    case personalInfo = "personal_info"
    /// The choice of topics.
    case topics
    /// All of it, to look over and submit.
    case summary

    /// The step after one, or the first; nil after the last.
    static func following(_ step: Step?) -> Step? {
      switch step {
      case nil: .basics
      case .basics: .personalInfo
      case .personalInfo: .topics
      case .topics: .summary
      case .summary: nil
      }
    }
  }
}
