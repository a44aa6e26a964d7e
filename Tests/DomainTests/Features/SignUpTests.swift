import Testing

@testable import PrimereplDomain
@testable import StateStore

/// What `Examples/scenarios/signup.scenario.lua` doesn't show.
@Suite("Sign-up")
struct SignUpTests {
  /// A record on the summary that is accepted.
  private let summary: SignUp.State

  init() {
    var state = SignUp.State()
    state.path = SignUp.Step.allCases
    state.data.email = "jane@example.com"
    state.data.password = Secret("sesame")
    state.data.passwordConfirmation = Secret("sesame")
    state.data.topics = [.testing]
    summary = state
  }

  // MARK: - Changes of the record

  @Test("has the changes of the parts that differ, also only in their bytes")
  func changes() {
    var other = SignUp.Data()
    other.email = "jane@example.com"
    other.password = Secret("\u{E9}")
    other.firstName = "\u{E9}"
    #expect(
      SignUp.DataChange.changes(from: SignUp.Data(), to: other) == [
        .email("jane@example.com"), .password(Secret("\u{E9}")), .firstName("\u{E9}"),
      ])
    var decomposed = other
    decomposed.password = Secret("e\u{301}")
    decomposed.firstName = "e\u{301}"
    #expect(SignUp.DataChange.changes(from: other, to: decomposed).count == 2)
    #expect(SignUp.DataChange.changes(from: other, to: other) == [])
  }

  @Test("reports a password that looks like the one before")
  func similarPasswords() throws {
    let store = Store()
    var reports = 0
    try store.observe("signup.data.password") { _ in reports += 1 }
    for password in ["sesame", "emases"] {
      try store.send(.edit([.password(Secret(password))]), to: SignUp.self)
    }
    #expect(reports == 2)
  }

  // MARK: - Submission

  @Test(
    "accepts a password only with the same confirmation",
    arguments: [
      ("", "", SignUp.Problem.noPassword), ("", "sesame", .noPassword),
      ("sesame", "", .passwordsDiffer), ("sesame", "sesame ", .passwordsDiffer),
      ("sesame", "emases", .passwordsDiffer),
    ])
  func passwords(password: String, confirmation: String, problem: SignUp.Problem) {
    var state = summary
    state.data.password = Secret(password)
    state.data.passwordConfirmation = Secret(confirmation)
    #expect(state.problems == [problem])
  }

  @Test("accepts plausible email addresses", arguments: ["\"jane\"@example.com", "日本@例え.jp"])
  func plausible(email: String) {
    var state = summary
    state.data.email = email
    #expect(state.problems == [])
  }

  @Test(
    "refuses other email addresses",
    arguments: [
      "@", "jane@.com", "jane@example.", "jane@@example.com", "jane@example.com ",
      " jane@example.com", "jane@exam\u{A0}ple.com", "jane@example.com\r\n",
      "jane\u{2028}@example.com",
      // A mark on a space makes it no other character than white space.
      "jane \u{301}doe@example.com",
      // A mark on an @ doesn't hide it.
      "ja@\u{301}ne@example.com",
    ])
  func implausible(email: String) {
    var state = summary
    state.data.email = email
    #expect(state.problems == [.invalidEmail])
  }

  @Test("is submitted by the action alone, without the passwords that a restored state has lost")
  func replays() throws {
    var state = summary
    state.data.removeSecrets()
    try SignUp.reduce(&state, .submissionRefused([.passwordsDiffer]))
    #expect(state.alert == SignUp.Alert(problems: [.passwordsDiffer]))
    try SignUp.reduce(&state, .submissionAccepted)
    #expect(state.submitted)
  }

  @Test("isn't refused without a reason")
  func noProblems() {
    var state = summary
    #expect(code { try SignUp.reduce(&state, .submissionRefused([])) } == "no_problems")
  }
}
