import PrimereplDomain
import Scripting
import StateStore
import Testing

@testable import PrimereplBridge

@MainActor
@Suite("Actions of the sign-up as Lua text")
struct SignUpActionTextTests {
  @Test(
    "are what a script would write",
    arguments: [
      (SignUp.Action.next, "signup.next()"), (.back, "signup.back()"),
      (.openSheet(.personalInfo), #"signup.edit("personal_info")"#), (.done, "signup.done()"),
      (.dismissAlert, "signup.dismiss_alert()"), (.reset, "signup.reset()"),
      (.edit([.email("j@e.com")]), #"signup.data.email = "j@e.com""#),
      (.edit([.firstName("\"J\"\n")]), #"signup.data.first_name = "\"J\"\n""#),
      (.edit([.lastName("Doe")]), #"signup.data.last_name = "Doe""#),
      (.edit([.phoneNumber("1")]), #"signup.data.phone_number = "1""#),
      (
        .edit([.topics([.testing, .modernSwiftUI])]),
        #"signup.data.topics = {"Testing", "Modern SwiftUI"}"#
      ),
      (.edit([.topics([])]), "signup.data.topics = {}"),
    ])
  func texts(action: SignUp.Action, text: String) throws {
    #expect(try BridgeTexts.text(of: action, in: SignUp.self) == text)
  }

  @Test("show the result of a submission")
  func submissions() throws {
    #expect(
      try BridgeTexts.text(of: SignUp.Action.submissionAccepted, in: SignUp.self)
        == "signup.submit() --> accepted")
    #expect(
      try BridgeTexts.text(
        of: SignUp.Action.submissionRefused([.invalidEmail, .noTopics]), in: SignUp.self)
        == "signup.submit() --> refused: invalid_email, no_topics")
  }

  @Test("show a bullet for each character of a password, and nothing else of it")
  func passwords() throws {
    let action = SignUp.Action.edit([
      .email("j@e.com"), .password(Secret("hunter2")), .passwordConfirmation(Secret("hunter")),
    ])
    #expect(
      try BridgeTexts.text(of: action, in: SignUp.self)
        == #"signup.data.email = "j@e.com"; signup.data.password = "•••••••"; "#
        + #"signup.data.password_confirmation = "••••••""#)
  }
}
