public import StateStore

extension SignUp {
  /// What a person fills in: one record for all steps.
  public struct Data: Codable, Equatable, Sendable, FieldRecord {
    /// The email address.
    public var email = ""
    /// The password.
    public var password = Secret.empty
    /// The password once more, against slips of the hand.
    public var passwordConfirmation = Secret.empty
    /// The first name.
    public var firstName = ""
    /// The last name.
    public var lastName = ""
    /// The phone number.
    public var phoneNumber = ""
    /// The chosen topics, each once, in the order they were chosen.
    public var topics: [Topic] = []

    /// Makes an empty record.
    public init() {}

    /// Forgets the passwords.
    mutating func removeSecrets() {
      password = .empty
      passwordConfirmation = .empty
    }

    /// What scripts and files call the parts.
    public static let fields: [RecordField<Data>] = [
      .field("email", \.email), .field("password", \.password),
      .field("password_confirmation", \.passwordConfirmation),
      .field("first_name", \.firstName), .field("last_name", \.lastName),
      .field("phone_number", \.phoneNumber), .field("topics", \.topics),
    ]

    /// Reads what a document says of the record; passwords aren't read.
    public init(fromDocument decoder: any Decoder) throws {
      try self.init(fromDocument: decoder, into: Data())
    }

    /// Whether two records are the same; texts are by their bytes, of which a letter can have several.
    public static func == (left: Data, right: Data) -> Bool { left.stateValue == right.stateValue }
  }
}
