public import StateStore

extension SignUp {
  /// What can keep a record from being accepted; the raw value is a stable word for it.
  public enum Problem: String, CaseIterable, Codable, FieldValue, Sendable {
    /// The email address doesn't look like one.
    case invalidEmail = "invalid_email"
    /// There is no password.
    case noPassword = "no_password"
    /// The confirmation isn't the password.
    case passwordsDiffer = "passwords_differ"
    /// No topic is chosen.
    case noTopics = "no_topics"

    /// What to do about it, in one sentence.
    public var sentence: String {
      switch self {
      case .invalidEmail: "Please enter an email address, such as jane@example.com."
      case .noPassword: "Please choose a password."
      case .passwordsDiffer: "Please confirm the password: the two are not the same."
      case .noTopics: "Please choose at least one topic."
      }
    }
  }
}
