extension SignUp {
  /// What a person fills in: one record for all steps.
  public struct Data: Codable, Equatable, Sendable {
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

    static let shape: StateShape = [
      "email": .value, "password": .value, "password_confirmation": .value, "first_name": .value,
      "last_name": .value, "phone_number": .value, "topics": .list(of: .value),
    ]

    /// The record as it is shown, with bullets for the passwords.
    var value: StateValue {
      [
        "email": .text(email),
        "password": .secret(password),
        "password_confirmation": .secret(passwordConfirmation),
        "first_name": .text(firstName),
        "last_name": .text(lastName),
        "phone_number": .text(phoneNumber),
        "topics": .list(topics.map { .text($0.rawValue) }),
      ]
    }

    /// Whether two records are the same; texts are by their bytes, of which a letter can have several.
    public static func == (left: Data, right: Data) -> Bool { left.value == right.value }
  }
}
