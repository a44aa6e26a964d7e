import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("The flow of the sign-up")
struct SignUpFlowTests {
  private let store = Store()
  private let data: StateBinding<SignUp.Data>

  init() { data = SignUp.data(in: store) }

  private var state: SignUp.State { store.state(of: SignUp.self) }

  /// Goes to the next step, and returns it.
  @discardableResult
  private func next() throws -> SignUp.Step? {
    try store.send(.next, to: SignUp.self)
    return state.step
  }

  /// Goes back by one step, and returns it.
  @discardableResult
  private func back() throws -> SignUp.Step? {
    try store.send(.back, to: SignUp.self)
    return state.step
  }

  /// Goes to the summary, with a topic chosen.
  private func goToSummary() throws {
    try data[\.topics].set([.testing])
    for _ in SignUp.Step.allCases { try next() }
  }

  @Test("begins on a screen before the first step, with nothing filled in")
  func begins() {
    #expect(state.path == [])
    #expect(state.step == nil)
    #expect(state.data == SignUp.Data())
    #expect(state.sheet == nil)
    #expect(state.alert == nil)
    #expect(!state.submitted)
  }

  @Test("goes through the steps in their order")
  func goesForward() throws {
    try data[\.topics].set([.testing])
    #expect(try next() == .basics)
    #expect(try next() == .personalInfo)
    #expect(try next() == .topics)
    #expect(try next() == .summary)
    #expect(state.path == [.basics, .personalInfo, .topics, .summary])
  }

  @Test("has no step after the summary")
  func noNextStep() throws {
    try goToSummary()
    let before = state
    #expect(code { try next() } == "no_next_step")
    #expect(state == before)
  }

  @Test("goes back step by step, and not before the screen it began on")
  func goesBack() throws {
    try goToSummary()
    #expect(try back() == .topics)
    #expect(try back() == .personalInfo)
    #expect(try back() == .basics)
    #expect(try back() == nil)
    let before = state
    #expect(code { try back() } == "at_root")
    #expect(state == before)
  }

  @Test("loses nothing by going back and forward again")
  func keepsData() throws {
    try next()
    try data[\.email].set("jane@example.com")
    try data[\.password].set(Secret("sesame"))
    try next()
    try data[\.firstName].set("Jane")
    let filled = state.data
    for _ in 0..<2 { try back() }
    for _ in 0..<2 { try next() }
    #expect(state.step == .personalInfo)
    #expect(state.data == filled)
    #expect(filled.email == "jane@example.com")
    #expect(filled.password == Secret("sesame"))
    #expect(filled.firstName == "Jane")
  }

  @Test("doesn't leave the topics forward without one: an alert says so, and the path stays")
  func refusesToLeaveTopics() throws {
    for _ in 0..<3 { try next() }
    #expect(try next() == .topics)
    #expect(state.path == [.basics, .personalInfo, .topics])
    #expect(state.alert?.title == "Please choose at least one topic.")
    #expect(state.alert?.problems == nil)
  }

  @Test("leaves the topics back without one")
  func leavesTopicsBack() throws {
    for _ in 0..<4 { try next() }
    #expect(try back() == .personalInfo)
  }

  @Test("continues from the topics with one chosen, which ends the alert")
  func clearsAlert() throws {
    for _ in 0..<4 { try next() }
    try data[\.topics].set([.concurrency])
    #expect(state.alert != nil)
    #expect(try next() == .summary)
    #expect(state.alert == nil)
  }

  @Test("dismisses the alert, even if there is none")
  func dismissesAlert() throws {
    for _ in 0..<4 { try next() }
    try store.send(.dismissAlert, to: SignUp.self)
    #expect(state.alert == nil)
    #expect(state.step == .topics)
    try store.send(.dismissAlert, to: SignUp.self)
    #expect(state.alert == nil)
  }

  @Test(
    "opens a sheet on the summary, which edits the same record", arguments: SignUp.Sheet.allCases)
  func opensSheet(sheet: SignUp.Sheet) throws {
    try goToSummary()
    try store.send(.openSheet(sheet), to: SignUp.self)
    #expect(state.sheet == sheet)
    #expect(state.step == .summary)
    try data[\.lastName].set("Doe")
    #expect(state.data.lastName == "Doe")
    try store.send(.done, to: SignUp.self)
    #expect(state.sheet == nil)
    #expect(state.data.lastName == "Doe")
  }

  @Test("opens a sheet nowhere else", arguments: 0..<4)
  func opensNoSheet(steps: Int) throws {
    for _ in 0..<steps { try next() }
    let before = state
    #expect(code { try store.send(.openSheet(.topics), to: SignUp.self) } == "not_on_summary")
    #expect(state == before)
  }

  @Test("is about the sheet alone while one is open")
  func sheetFirst() throws {
    try goToSummary()
    try store.send(.openSheet(.personalInfo), to: SignUp.self)
    let before = state
    #expect(code { try next() } == "sheet_open")
    #expect(code { try back() } == "sheet_open")
    #expect(code { try store.send(state.submission, to: SignUp.self) } == "sheet_open")
    #expect(code { try store.send(.openSheet(.topics), to: SignUp.self) } == "sheet_open")
    #expect(code { try store.send(.openSheet(.personalInfo), to: SignUp.self) } == "sheet_open")
    #expect(state == before)
  }

  @Test("doesn't close the sheet of the topics without one: the same alert, and the sheet stays")
  func refusesToCloseSheet() throws {
    try goToSummary()
    try store.send(.openSheet(.topics), to: SignUp.self)
    try data[\.topics].set([])
    try store.send(.done, to: SignUp.self)
    #expect(state.sheet == .topics)
    #expect(state.alert == .noTopics)
    try store.send(.dismissAlert, to: SignUp.self)
    #expect(state.sheet == .topics)
    try store.send(.done, to: SignUp.self)
    #expect(state.alert == .noTopics)
    try data[\.topics].set([.swiftUI])
    try store.send(.done, to: SignUp.self)
    #expect(state.sheet == nil)
    #expect(state.alert == nil)
  }

  @Test("closes the sheet of the personal info with or without topics")
  func closesOtherSheet() throws {
    try goToSummary()
    try data[\.topics].set([])
    try store.send(.openSheet(.personalInfo), to: SignUp.self)
    try store.send(.done, to: SignUp.self)
    #expect(state.sheet == nil)
    #expect(state.alert == nil)
  }

  @Test("refuses functions of the sheet if none is open")
  func noSheet() throws {
    #expect(code { try store.send(.done, to: SignUp.self) } == "no_sheet")
    try goToSummary()
    #expect(code { try store.send(.done, to: SignUp.self) } == "no_sheet")
  }

  @Test("starts over, wherever it is")
  func resets() throws {
    try goToSummary()
    try store.send(state.submission, to: SignUp.self)
    try store.send(.openSheet(.topics), to: SignUp.self)
    try store.send(.reset, to: SignUp.self)
    #expect(state == SignUp.State())
    #expect(try next() == .basics)
  }

  @Test("is separate in each store")
  func sharesNothing() throws {
    let other = Store()
    try other.send(.next, to: SignUp.self)
    #expect(state == SignUp.State())
    #expect(other.state(of: SignUp.self).step == .basics)
  }

  @Test("reports changes to observers by these paths")
  func reports() throws {
    var seen: [[String]] = []
    try store.observe("signup") { change in seen.append(change.fields.map(\.path)) }
    try next()
    try data[\.email].set("jane@example.com")
    for _ in 0..<3 { try next() }
    #expect(
      seen == [
        ["signup.path", "signup.step"], ["signup.data"], ["signup.path", "signup.step"],
        ["signup.path", "signup.step"], ["signup.alert"],
      ])
  }
}
