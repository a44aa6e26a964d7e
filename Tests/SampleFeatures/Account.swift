package import StateStore

/// A form with a secret and a list of values.
package enum Account: Feature {
  package struct State: Codable, Equatable, Sendable {
    package var profile = Profile()
    package var isSubmitted = false
  }

  package struct Profile: FieldRecord, Codable, Equatable, Sendable {
    package var lastName: String
    package var password: Secret
    package var topics: [Topic]

    package init(lastName: String = "", password: Secret = .empty, topics: [Topic] = []) {
      (self.lastName, self.password, self.topics) = (lastName, password, topics)
    }

    /// Reads a profile; parts that a document lacks are empty.
    package init(fromDocument decoder: any Decoder) throws {
      try self.init(fromDocument: decoder, into: Profile())
    }

    package static let fields: [RecordField<Profile>] = [
      .field("last_name", \.lastName), .field("password", \.password), .field("topics", \.topics),
    ]
  }

  package enum Topic: String, CaseIterable, Codable, FieldValue, Sendable {
    case testing = "Testing"
    case concurrency = "Concurrency"
  }

  package enum Action: Codable, Equatable, Sendable {
    case edit(Profile)
    case submit
  }

  package static let name = "account"
  package static var initial: State { State() }
  package static let fields: [Field<Account>] = [
    .value("profile", \.profile), .value("submitted", \.isSubmitted),
  ]

  package static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .edit(let profile):
      try check(profile)
      state.profile = profile
    case .submit:
      state.isSubmitted = true
      state.profile.password = .empty
    }
  }

  package static func validate(_ state: inout State) throws { try check(state.profile) }

  private static func check(_ profile: Profile) throws {
    guard Set(profile.topics).count == profile.topics.count else {
      throw AccountError.duplicateTopic
    }
  }

  package enum ErrorCode: String, FeatureErrorCode { case duplicateTopic }
}

package typealias AccountError = FeatureError<Account>

extension AccountError {
  package static let duplicateTopic = Self(.duplicateTopic, "A topic is there twice.")
}
