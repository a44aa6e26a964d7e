import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("Submitting the sign-up")
struct SignUpSubmissionTests {
  private let store = Store()
  private let data: StateBinding<SignUp.Data>

  init() throws {
    data = SignUp.data(in: store)
    try data[\.topics].set([.testing])
    for _ in SignUp.Step.allCases { try store.send(.next, to: SignUp.self) }
  }

  private var state: SignUp.State { store.state(of: SignUp.self) }

  /// Fills in acceptable data.
  private func fill() throws {
    try data[\.email].set("jane@example.com")
    try data[\.password].set(Secret("sesame"))
    try data[\.passwordConfirmation].set(Secret("sesame"))
  }

  /// Submits the record, and returns whether it was accepted.
  @discardableResult
  private func submit() throws -> Bool {
    try store.send(state.submission, to: SignUp.self)
    return state.submitted
  }

  @Test("accepts a record without problems, and wipes the passwords, but nothing else")
  func accepts() throws {
    try fill()
    var expected = state.data
    #expect(try submit())
    #expect(state.submitted)
    #expect(state.alert == nil)
    expected.password = .empty
    expected.passwordConfirmation = .empty
    #expect(state.data == expected)
    #expect(state.data.email == "jane@example.com")
  }

  @Test("lists every problem in one alert")
  func refuses() throws {
    try data[\.topics].set([])
    #expect(try !submit())
    #expect(!state.submitted)
    #expect(state.alert == .problems([.invalidEmail, .noPassword, .noTopics]))
    #expect(
      state.alert?.title == """
        Please enter an email address, such as jane@example.com.
        Please choose a password.
        Please choose at least one topic.
        """)
  }

  @Test("keeps the passwords of a refused record")
  func keepsPasswords() throws {
    try fill()
    try data[\.email].set("jane")
    try submit()
    #expect(state.data.password == Secret("sesame"))
    #expect(state.data.passwordConfirmation == Secret("sesame"))
  }

  @Test(
    "accepts a password only with the same confirmation",
    arguments: [
      ("", "", SignUp.Problem.noPassword), ("", "sesame", .noPassword),
      ("sesame", "", .passwordsDiffer), ("sesame", "Sesame", .passwordsDiffer),
      ("sesame", "sesame ", .passwordsDiffer), ("sesame", "emases", .passwordsDiffer),
    ])
  func passwords(password: String, confirmation: String, problem: SignUp.Problem) throws {
    try fill()
    try data[\.password].set(Secret(password))
    try data[\.passwordConfirmation].set(Secret(confirmation))
    #expect(try !submit())
    #expect(state.alert == .problems([problem]))
  }

  @Test("can be repeated after a correction, which ends the alert")
  func tryAgain() throws {
    try submit()
    try fill()
    #expect(state.alert != nil)
    #expect(try submit())
    #expect(state.alert == nil)
  }

  @Test("is done once")
  func once() throws {
    try fill()
    try submit()
    let before = state
    #expect(code { try submit() } == "already_submitted")
    #expect(state == before)
  }

  @Test("is done on the summary only", arguments: 1...4)
  func onSummaryOnly(steps: Int) throws {
    try fill()
    for _ in 0..<steps { try store.send(.back, to: SignUp.self) }
    let before = state
    #expect(code { try submit() } == "not_on_summary")
    #expect(state == before)
  }

  @Test("is replayed by the action alone, without the passwords that a restored state has lost")
  func replays() throws {
    var restored = state
    try SignUp.reduce(&restored, .submissionAccepted)
    #expect(restored.submitted)
    restored = state
    try SignUp.reduce(&restored, .submissionRefused([.passwordsDiffer]))
    #expect(restored.alert == .problems([.passwordsDiffer]))
  }

  @Test("isn't refused without a reason")
  func noProblems() throws {
    let before = state
    #expect(code { try store.send(.submissionRefused([]), to: SignUp.self) } == "no_problems")
    #expect(state == before)
  }

  @Test(
    "accepts plausible email addresses",
    arguments: [
      "a@b.c", "jane@example.com", "jane.doe+list@mail.example.co.uk", "jané@exämple.de",
      "\"jane\"@example.com", "日本@例え.jp",
    ])
  func plausible(email: String) throws {
    try fill()
    try data[\.email].set(email)
    #expect(state.problems == [])
  }

  @Test(
    "refuses other email addresses",
    arguments: [
      "", " ", "jane", "@", "jane@", "@example.com", "jane@example", "jane@.com", "jane@example.",
      "jane@example..com", "jane@.", "jane@@example.com", "ja@ne@example.com", "jane@example.com ",
      " jane@example.com", "jane doe@example.com", "jane@exam\u{A0}ple.com", "jane@example.com\n",
      "jane@example.com\r\n", "jane\u{2028}@example.com",
      // A mark on a space makes it no other character than white space.
      "jane \u{301}doe@example.com",
      // A mark on an @ doesn't hide it.
      "ja@\u{301}ne@example.com",
    ])
  func implausible(email: String) throws {
    try fill()
    try data[\.email].set(email)
    #expect(state.problems == [.invalidEmail])
  }
}
