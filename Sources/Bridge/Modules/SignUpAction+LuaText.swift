public import Domain
import Scripting
internal import StateStore

extension SignUp {
  /// An action as Lua text; passwords are bullets.
  public static func luaText(of action: Action) -> String {
    switch action {
    case .next: "signup.next()"
    case .back: "signup.back()"
    case .edit(let changes): changes.map(\.luaText).joined(separator: "; ")
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
  /// The assignment that makes the change.
  fileprivate var luaText: String {
    switch self {
    case .email(let email): assignment("email", email.luaLiteral)
    case .password(let password): assignment("password", password.bullets.luaLiteral)
    case .passwordConfirmation(let confirmation):
      assignment("password_confirmation", confirmation.bullets.luaLiteral)
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
