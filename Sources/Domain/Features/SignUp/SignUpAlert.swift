public import StateStore

extension SignUp {
  /// A message that stays until it is dismissed, or what it asks for is done.
  public enum Alert: Codable, Equatable, Sendable, FieldRecord {
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

    /// What scripts and files call the parts.
    public static let fields: [RecordField<Alert>] = [
      .derived("title", \.title), .derived("problems", \.problems),
    ]

    /// Reads which problems the alert tells of.
    public init(fromDocument decoder: any Decoder) throws {
      let document = try Document(fromDocument: decoder, into: Document())
      guard document.problems?.isEmpty != true else {
        throw DocumentError(decoder.codingPath, "an alert tells of at least one problem")
      }
      self = document.problems.map(Alert.problems) ?? .noTopics
    }

    private struct Document: FieldRecord {
      var title: String?
      var problems: [Problem]?

      static let fields: [RecordField<Document>] = [
        .field("title", \.title), .field("problems", \.problems),
      ]

      init() {}
      init(fromDocument decoder: any Decoder) throws {
        try self.init(fromDocument: decoder, into: Document())
      }
    }
  }
}
