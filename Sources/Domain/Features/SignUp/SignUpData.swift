import PrimereplPlatform
public import StateStore

extension SignUp {
  /// A person's entries: one record for all steps.
  public struct Data: Codable, Equatable, Sendable, FieldRecord {
    /// The email address.
    public var email = ""
    /// The password.
    public var password = Secret.empty
    /// The repeated password, against typing errors.
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

    mutating func removeSecrets() {
      password = .empty
      passwordConfirmation = .empty
    }

    /// The names of the parts in scripts and files.
    public static let fields: [RecordField<Data>] = [
      .field("email", \.email, help: "The email address."),
      .field("password", \.password, help: "The password; reads as bullets."),
      .field(
        "password_confirmation", \.passwordConfirmation,
        help: "The password once more; reads as bullets."),
      .field("first_name", \.firstName, help: "The first name."),
      .field("last_name", \.lastName, help: "The last name."),
      .field("phone_number", \.phoneNumber, help: "The phone number."),
      .field(
        "topics", \.topics,
        help: "The chosen topics, a live sequence that grows at its end; assign a table of names."),
    ]

    /// Reads a record from a document, without passwords.
    public init(fromDocument decoder: any Decoder) throws {
      try self.init(fromDocument: decoder, into: Data())
    }

    /// Whether two records are the same; texts are compared byte by byte, since a letter can have several encodings.
    public static func == (left: Data, right: Data) -> Bool { left.stateValue == right.stateValue }
  }
}

extension SignUp {
  /// A change of one part of the record; the other parts stay as they are.
  public enum DataChange: Codable, Equatable, Sendable {
    /// Another email address.
    case email(String)
    /// Another password.
    case password(Secret)
    /// Another confirmation of the password.
    case passwordConfirmation(Secret)
    /// Another first name.
    case firstName(String)
    /// Another last name.
    case lastName(String)
    /// Another phone number.
    case phoneNumber(String)
    /// Other topics, in place of those chosen before.
    case topics([Topic])

    /// In the order of the record's parts.
    static func changes(from old: Data, to new: Data) -> [DataChange] {
      var changes: [DataChange] = []
      func add(_ change: DataChange, unless isSame: Bool) { if !isSame { changes.append(change) } }
      add(.email(new.email), unless: new.email.isExactly(old.email))
      add(.password(new.password), unless: new.password == old.password)
      add(
        .passwordConfirmation(new.passwordConfirmation),
        unless: new.passwordConfirmation == old.passwordConfirmation)
      add(.firstName(new.firstName), unless: new.firstName.isExactly(old.firstName))
      add(.lastName(new.lastName), unless: new.lastName.isExactly(old.lastName))
      add(.phoneNumber(new.phoneNumber), unless: new.phoneNumber.isExactly(old.phoneNumber))
      add(.topics(new.topics), unless: new.topics == old.topics)
      return changes
    }

    /// - Throws: `SignUpError.duplicateTopic`.
    func check() throws {
      guard case .topics(let topics) = self else { return }
      var seen: Set<Topic> = []
      for topic in topics where !seen.insert(topic).inserted {
        throw SignUpError.duplicateTopic(topic)
      }
    }

    func apply(to data: inout Data) {
      switch self {
      case .email(let email): data.email = email
      case .password(let password): data.password = password
      case .passwordConfirmation(let confirmation): data.passwordConfirmation = confirmation
      case .firstName(let name): data.firstName = name
      case .lastName(let name): data.lastName = name
      case .phoneNumber(let number): data.phoneNumber = number
      case .topics(let topics): data.topics = topics
      }
    }
  }
}

extension SignUp {
  /// The topics that people can choose; the raw value is the name they see.
  public enum Topic: String, CaseIterable, Codable, FieldValue, Sendable {
    /// Advanced Swift.
    case advancedSwift = "Advanced Swift"
    /// Composable Architecture.
    case composableArchitecture = "Composable Architecture"
    /// Concurrency.
    case concurrency = "Concurrency"
    /// Modern SwiftUI.
    case modernSwiftUI = "Modern SwiftUI"
    /// SwiftUI.
    case swiftUI = "SwiftUI"
    /// Testing.
    case testing = "Testing"
  }
}

// MARK: - Problems

extension SignUp {
  /// A problem that keeps a record from being accepted; the raw value is a stable word for it.
  public enum Problem: String, CaseIterable, Codable, FieldValue, Sendable {
    /// The email address doesn't look like one.
    case invalidEmail = "invalid_email"
    /// The password is missing.
    case noPassword = "no_password"
    /// The confirmation differs from the password.
    case passwordsDiffer = "passwords_differ"
    /// No topic is chosen.
    case noTopics = "no_topics"

    /// The remedy, in one sentence.
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

enum EmailAddress {
  /// Whether a text looks like an email address: one @ between some text and a domain, which has a dot and no empty
  /// labels, and no white space.
  ///
  /// Only sending a message could tell more. It compares scalars, since a combining mark must hide neither an @ nor a
  /// space.
  ///
  /// - Complexity: O(length).
  static func isPlausible(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    guard !scalars.contains(where: \.properties.isWhitespace) else { return false }
    let parts = scalars.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return false }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2 && labels.allSatisfy { !$0.isEmpty }
  }
}
