public import Domain
public import Lua
public import Scripting
import StateStore

extension SignUp: ScriptableFeature {
  /// What the module is for.
  public static let help = "A sign-up: steps that edit one record, and submit it."

  /// The codes of its errors.
  public static let errorCodes = [
    "at_root", "no_next_step", "sheet_open", "no_sheet", "not_on_summary", "not_editable",
    "already_submitted", "unknown_topic",
  ]

  /// The classes of the module's record and of its topics.
  public static var objectTypes: [any LuaExposed.Type] {
    [LiveRecord<Data>.self, SignUpTopics.self]
  }

  /// Adds the record, the steps, the sheets and the submission.
  public static func describe(_ module: FeatureModule<SignUp>) {
    let logic = SignUpLogic(store: module.store)
    module.addRecord(logic)
    module.addSteps(of: module.store, logic)
    module.addSheet(of: module.store, logic)
    module.addSubmission(of: module.store, logic)
  }
}

extension FeatureModule<SignUp> {
  fileprivate func addRecord(_ logic: SignUpLogic) {
    let record = LiveRecord(logic.data)
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

  fileprivate func addSteps(of store: Store, _ logic: SignUpLogic) {
    property(
      "path", help: "The steps visited: basics, personal_info, topics, summary.",
      example: "print(table.concat(signup.path, \" > \"))"
    ) { store.state(of: SignUp.self).path.map(\.rawValue) }
    property(
      "step", help: "The step that is shown; nil before the first.", example: "print(signup.step)"
    ) { store.state(of: SignUp.self).step?.rawValue }
    function(
      "next", help: "Goes to the next step and returns it; from the topics only with one chosen.",
      example: "print(signup.next()) --> basics"
    ) { () in try logic.next()?.rawValue }
    function(
      "back", help: "Goes back one step and returns the step; nil before the first.",
      example: "signup.back()"
    ) { () in try logic.back()?.rawValue }
    function("reset", help: "Starts the whole flow over.", example: "signup.reset()") {
      () in try store.send(.reset, to: SignUp.self)
    }
  }

  fileprivate func addSheet(of store: Store, _ logic: SignUpLogic) {
    function(
      "edit", "step",
      help: "Opens a sheet on the summary, to edit \"personal_info\" or \"topics\".",
      example: "signup.edit(\"topics\")"
    ) { (step: String) in try store.send(.openSheet(SignUp.Sheet(named: step)), to: SignUp.self) }
    property(
      "sheet", help: "The sheet that is open on the summary; or nil.",
      example: "print(signup.sheet)"
    ) { store.state(of: SignUp.self).sheet?.rawValue }
    function(
      "done", help: "Closes the sheet; that of the topics only with one chosen.",
      example: "signup.done()"
    ) { () in try store.send(.done, to: SignUp.self) }
  }

  fileprivate func addSubmission(of store: Store, _ logic: SignUpLogic) {
    function(
      "submit",
      help: "Submits the record and returns whether it was accepted; an alert says why not.",
      example: "if not signup.submit() then print(signup.alert.title) end"
    ) { () in try logic.submit() }
    property(
      "submitted", help: "Whether the record was submitted and accepted.",
      example: "print(signup.submitted)"
    ) { store.state(of: SignUp.self).submitted }
    property(
      "alert", help: "The alert that is shown, with its title and perhaps problems; or nil.",
      example: "print(signup.alert.title)"
    ) { store.state(of: SignUp.self).alert }
    function("dismiss_alert", help: "Closes the alert.", example: "signup.dismiss_alert()") {
      () in try logic.dismissAlert()
    }
  }
}

extension SignUp.Alert: LuaPushable {}

extension SignUp {
  /// How a recorded scenario repeats an action, with placeholders for passwords.
  public static func replay(of action: Action, _ secrets: SecretPlaceholders) -> ActionReplay {
    switch action {
    case .edit(let changes):
      .code(changes.map { $0.luaText { secrets.text(for: $0) } }.joined(separator: "; "))
    case .submissionRefused, .submissionAccepted: .code("signup.submit()")
    default: .code(luaText(of: action))
    }
  }

  /// An action as Lua text; passwords are bullets.
  public static func luaText(of action: Action) -> String {
    switch action {
    case .next: "signup.next()"
    case .back: "signup.back()"
    case .edit(let changes): changes.map { $0.luaText(showing: \.bullets) }.joined(separator: "; ")
    case .openSheet(let sheet): "signup.edit(\(sheet.rawValue.luaLiteral))"
    case .done: "signup.done()"
    case .dismissAlert: "signup.dismiss_alert()"
    case .submissionRefused(let problems):
      "signup.submit() --> refused: \(problems.map(\.rawValue).joined(separator: ", "))"
    case .submissionAccepted: "signup.submit() --> accepted"
    case .reset: "signup.reset()"
    }
  }
}

extension SignUp.DataChange {
  /// The assignment that makes the change, with passwords as they are to be shown.
  fileprivate func luaText(showing shown: (Secret) -> String) -> String {
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
