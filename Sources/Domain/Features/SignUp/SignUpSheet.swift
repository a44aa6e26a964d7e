public import StateStore

extension SignUp {
  /// The steps that can be edited in a sheet on the summary; their names are those of the steps.
  public enum Sheet: String, CaseIterable, Codable, FieldValue, Sendable {
    /// The names and the phone number.
    case personalInfo = "personal_info"
    /// The choice of topics.
    case topics
  }
}
