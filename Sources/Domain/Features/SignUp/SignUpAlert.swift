extension SignUp {
  /// A message that stays until it is dismissed, or what it asks for is done.
  public enum Alert: Codable, Equatable, Sendable {
    /// The topics can't be left without one.
    case noTopics
    /// The submission was refused for these problems, at least one.
    case problems([Problem])

    /// What the alert says: a line for each problem.
    public var title: String {
      switch self {
      case .noTopics: Problem.noTopics.sentence
      case .problems(let problems): problems.map(\.sentence).joined(separator: "\n")
      }
    }

    /// The problems of a refused submission, or nil.
    public var problems: [Problem]? {
      switch self {
      case .noTopics: nil
      case .problems(let problems): problems
      }
    }

    static let shape: StateShape = ["title": .value, "problems": .list(of: .value)]

    var value: StateValue {
      [
        "title": .text(title),
        "problems": problems.map { .list($0.map { .text($0.rawValue) }) } ?? .none,
      ]
    }
  }
}
