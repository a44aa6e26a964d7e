import Lua
public import PrimereplDomain
public import Scripting
public import StateStore

extension SignUp: ScriptableFeature {
  /// The module's purpose.
  public static let help = "A sign-up: steps that edit one record, and submit it."

  /// Adds the record, the steps, the sheets and the submission.
  public static func describe(_ module: FeatureModule<SignUp>) {
    module.addRecord(of: module.store)
    module.addSteps(of: module.store)
    module.addSubmission(of: module.store)
  }
}

extension FeatureModule<SignUp> {
  fileprivate func addRecord(of store: Store) {
    let record = record(\.data)
    property(
      "data", help: "The record that every step edits; assign its fields.",
      example: "signup.data.email = \"jane@example.com\""
    ) { record }
    let topics = SignUp.Topic.allCases.map(\.rawValue)
    property(
      "topics", help: "The names of the available topics.",
      example: "print(table.concat(signup.topics, \", \"))"
    ) { topics }
  }

  fileprivate func addSteps(of store: Store) {
    function(
      "next", help: "Goes to the next step and returns it; from the topics only with one chosen.",
      example: "print(signup.next()) --> basics"
    ) { () in
      try store.send(.next, to: SignUp.self)
      return store.state(of: SignUp.self).step?.rawValue
    }
    function(
      "back", help: "Goes back one step and returns the step; nil before the first.",
      example: "signup.back()"
    ) { () in
      try store.send(.back, to: SignUp.self)
      return store.state(of: SignUp.self).step?.rawValue
    }
    action("reset", help: "Starts the whole flow over.", example: "signup.reset()") { () in .reset }
    action(
      "edit", "step",
      help: "Opens a sheet on the summary, to edit \"personal_info\" or \"topics\".",
      example: "signup.edit(\"topics\")"
    ) { (step: String) in .openSheet(try SignUp.Sheet(named: step)) }
    action(
      "done", help: "Closes the sheet; that of the topics only with one chosen.",
      example: "signup.done()"
    ) { () in .done }
  }

  fileprivate func addSubmission(of store: Store) {
    function(
      "submit",
      help: "Submits the record and returns whether it was accepted; an alert says why not.",
      example: "if not signup.submit() then print(signup.alert.title) end"
    ) { () in
      let submission = store.state(of: SignUp.self).submission
      try store.send(submission, to: SignUp.self)
      return submission == .submissionAccepted
    }
    function("dismiss_alert", help: "Closes the alert.", example: "signup.dismiss_alert()") {
      () in
      if store.state(of: SignUp.self).alert != nil {
        try store.send(.dismissAlert, to: SignUp.self)
      }
    }
  }
}

extension SignUp {
  /// The code that repeats an action which edits the record, or is named otherwise than its function.
  public static func call(repeating action: Action, showing secret: (Secret) -> String) -> String? {
    switch action {
    case .edit(let changes): changes.map { $0.code(showing: secret) }.joined(separator: "; ")
    case .openSheet(let sheet): "signup.edit(\(sheet.rawValue.luaLiteral))"
    case .submissionRefused(let problems):
      "signup.submit() --> refused: \(problems.map(\.rawValue).joined(separator: ", "))"
    case .submissionAccepted: "signup.submit() --> accepted"
    default: nil
    }
  }
}

extension SignUp.DataChange {
  /// The assignment that makes the change.
  fileprivate func code(showing shown: (Secret) -> String) -> String {
    switch self {
    case .email(let email): assignment("email", email.luaLiteral)
    case .password(let password): assignment("password", shown(password).luaLiteral)
    case .passwordConfirmation(let confirmation):
      assignment("password_confirmation", shown(confirmation).luaLiteral)
    case .firstName(let name): assignment("first_name", name.luaLiteral)
    case .lastName(let name): assignment("last_name", name.luaLiteral)
    case .phoneNumber(let number): assignment("phone_number", number.luaLiteral)
    case .topics(let topics): assignment("topics", topics.luaLiteral)
    }
  }

  private func assignment(_ field: String, _ value: String) -> String {
    "signup.data.\(field) = \(value)"
  }
}
