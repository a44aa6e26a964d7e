public import StateStore
extension SignUp {
  /// A part of the record that becomes another; the other parts stay as they are.
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

    /// What makes one record another, part by part; nothing where they are the same.
    static func changes(from old: Data, to new: Data) -> [DataChange] {
      func change<Part>(
        _ part: KeyPath<Data, Part>, _ change: (Part) -> DataChange,
        unless isSame: (Part, Part) -> Bool
      ) -> DataChange? {
        isSame(old[keyPath: part], new[keyPath: part]) ? nil : change(new[keyPath: part])
      }
      func text(_ part: KeyPath<Data, String>, _ text: (String) -> DataChange) -> DataChange? {
        change(part, text) { $0.isExactly($1) }
      }
      return [
        text(\.email, DataChange.email),
        change(\.password, DataChange.password, unless: ==),
        change(\.passwordConfirmation, DataChange.passwordConfirmation, unless: ==),
        text(\.firstName, DataChange.firstName),
        text(\.lastName, DataChange.lastName),
        text(\.phoneNumber, DataChange.phoneNumber),
        change(\.topics, DataChange.topics, unless: ==),
      ].compactMap(\.self)
    }

    /// Throws where the record can't become that.
    ///
    /// - Throws: `SignUpError.duplicateTopic`.
    func check() throws {
      guard case .topics(let topics) = self else { return }
      var seen: Set<Topic> = []
      for topic in topics where !seen.insert(topic).inserted {
        throw SignUpError.duplicateTopic(topic)
      }
    }

    /// The change as a journal has it.
    var withoutSecrets: DataChange {
      switch self {
      case .password: .password(.empty)
      case .passwordConfirmation: .passwordConfirmation(.empty)
      default: self
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
