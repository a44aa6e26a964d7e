package import Scripting
package import StateStore

/// One record with secrets, edited field by field, and a derived field.
package enum SignUp: ScriptableFeature {
  package struct Data: Codable, Equatable, Sendable, FieldRecord, ScriptableRecord {
    package var email = ""
    package var password = Secret.empty
    package var passwordConfirmation = Secret.empty
    package var firstName = ""

    package init() {}
    package init(fromDocument decoder: any Decoder) throws {
      try self.init(fromDocument: decoder, into: Data())
    }

    package static let fields: [RecordField<Data>] = [
      .field("email", \.email, help: "The email address."),
      .field("password", \.password, help: "The password; reads as bullets."),
      .field("password_confirmation", \.passwordConfirmation, help: "The password once more."),
      .field("first_name", \.firstName, help: "The first name."),
    ]
    package static let luaTypeName = "signup.data"
    package static let luaExampleName = "signup.data"
    package var luaText: String { "the data of \(email)" }
  }

  package enum Step: String, CaseIterable, Codable, FieldValue {
    case basics, password, summary
  }

  package struct State: Codable, Equatable, Sendable {
    package var data = Data()
    package var path: [Step] = []
    package var submitted = false
    package var alert: String?
  }

  package enum Change: Codable, Equatable, Sendable {
    case email(String), firstName(String), password(Secret), passwordConfirmation(Secret)
  }

  package enum Action: Codable, Equatable, Sendable {
    case next
    case edit([Change])
    case submit
  }

  package static let name = "signup"
  package static let help = "A sign-up: steps that edit one record, and submit it."
  package static var initial: State { State() }
  package enum ErrorCode: String, FeatureErrorCode { case noNextStep }
  package static let fields: [Field<SignUp>] = [
    .value("path", \.path, help: "The steps."),
    .derived("step", help: "The step; or nil.", \.path.last),
    .value("data", \.data, set: { .edit(changes(from: $0, to: $1)) }),
    .value("alert", \.alert, help: "The problem; or nil."),
    .value("submitted", \.submitted, help: "Is it?"),
  ]

  package static func reduce(_ state: inout State, _ action: Action) throws {
    switch action {
    case .next:
      guard let next = Step.allCases.dropFirst(state.path.count).first else {
        throw FeatureError<SignUp>(.noNextStep, "There is no next step.")
      }
      state.path.append(next)
    case .edit(let changes):
      for change in changes {
        switch change {
        case .email(let email): state.data.email = email
        case .firstName(let name): state.data.firstName = name
        case .password(let password): state.data.password = password
        case .passwordConfirmation(let password): state.data.passwordConfirmation = password
        }
      }
    case .submit:
      state.submitted = state.data.password == state.data.passwordConfirmation
      state.alert = state.submitted ? nil : "The passwords differ."
    }
  }

  package static func call(repeating action: Action, showing secret: (Secret) -> String) -> String?
  {
    guard case .edit(let changes) = action else { return nil }
    return changes.map { change in
      let (field, text) =
        switch change {
        case .email(let email): ("email", email)
        case .firstName(let name): ("first_name", name)
        case .password(let password): ("password", secret(password))
        case .passwordConfirmation(let password): ("password_confirmation", secret(password))
        }
      return "signup.data.\(field) = \(text.luaLiteral)"
    }.joined(separator: "; ")
  }

  package static func describe(_ module: FeatureModule<SignUp>) {
    module.action("next", help: "Goes on.", example: "signup.next()") { () in .next }
    module.action("submit", help: "Submits the record.", example: "signup.submit()") { () in
      .submit
    }
  }

  private static func changes(from old: Data, to new: Data) -> [Change] {
    [
      new.email == old.email ? nil : .email(new.email),
      new.firstName == old.firstName ? nil : .firstName(new.firstName),
      new.password == old.password ? nil : .password(new.password),
      new.passwordConfirmation == old.passwordConfirmation
        ? nil : .passwordConfirmation(new.passwordConfirmation),
    ].compactMap(\.self)
  }
}
