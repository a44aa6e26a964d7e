import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("The record of the sign-up")
struct SignUpDataTests {
  private let store = Store()
  private let data: StateBinding<SignUp.Data>

  init() { data = SignUp.data(in: store) }

  /// A record with something in every part.
  private static var full: SignUp.Data {
    var data = SignUp.Data()
    data.email = "jane@example.com"
    data.password = Secret("sesame")
    data.passwordConfirmation = Secret("sesam")
    data.firstName = "Jane"
    data.lastName = "Doe"
    data.phoneNumber = "555 0100"
    data.topics = [.testing, .swiftUI]
    return data
  }

  /// The actions that are sent while something is done.
  private func actions(during body: () throws -> Void) throws -> [StoreAction] {
    var actions: [StoreAction] = []
    let subscription = store.observeActions { actions.append($0.action) }
    defer { subscription.cancel() }
    try body()
    return actions
  }

  @Test("treats the decomposed form of a letter as a change of the composed one")
  func decomposed() throws {
    try data[\.firstName].set("\u{E9}")
    try data[\.firstName].set("e\u{301}")
    #expect(store.state(of: SignUp.self).data.firstName.utf8.count == 3)
    let secrets = try actions {
      try data[\.password].set(Secret("\u{E9}"))
      try data[\.password].set(Secret("e\u{301}"))
    }
    #expect(secrets.count == 2)
  }

  @Test("sends only the changed parts")
  func sendsChanges() throws {
    let whole = try actions { try data.set(Self.full) }
    #expect(
      whole == [
        .signUp(
          .edit([
            .email("jane@example.com"), .password(Secret("sesame")),
            .passwordConfirmation(Secret("sesam")), .firstName("Jane"), .lastName("Doe"),
            .phoneNumber("555 0100"), .topics([.testing, .swiftUI]),
          ]))
      ])
    #expect(store.state(of: SignUp.self).data == Self.full)
    let part = try actions { try data[\.lastName].set("Roe") }
    #expect(part == [.signUp(.edit([.lastName("Roe")]))])
  }

  @Test("has no changes between a record and itself")
  func noChanges() {
    #expect(SignUp.DataChange.changes(from: Self.full, to: Self.full) == [])
  }

  @Test("distinguishes passwords of the same length")
  func samePasswordLength() throws {
    try data[\.password].set(Secret("sesame"))
    try data[\.password].set(Secret("emases"))
    #expect(store.state(of: SignUp.self).data.password == Secret("emases"))
  }

  @Test("keeps both of two edits of different parts")
  func merges() throws {
    var state = SignUp.State()
    try SignUp.reduce(&state, .edit([.email("jane@example.com")]))
    try SignUp.reduce(&state, .edit([.phoneNumber("555 0100")]))
    #expect(state.data.email == "jane@example.com")
    #expect(state.data.phoneNumber == "555 0100")
  }

  @Test("has each topic once: duplicates are refused with the whole edit")
  func duplicateTopics() throws {
    try data[\.topics].set([.testing])
    let before = store.states
    let changes: [SignUp.DataChange] = [
      .firstName("Jane"), .topics([.testing, .swiftUI, .testing]),
    ]
    #expect(code { try store.send(.edit(changes), to: SignUp.self) } == "duplicate_topic")
    #expect(store.states == before)
  }

  @Test(
    "is shown with its passwords as secrets, whose changes are reported although they look the same"
  )
  func shown() throws {
    try data.set(Self.full)
    #expect(
      store.snapshot["signup"]?["data"] == [
        "email": .text("jane@example.com"), "password": .secret(Self.full.password),
        "password_confirmation": .secret(Self.full.passwordConfirmation),
        "first_name": .text("Jane"),
        "last_name": .text("Doe"), "phone_number": .text("555 0100"),
        "topics": .list([.text("Testing"), .text("SwiftUI")]),
      ])
    var reports = 0
    try store.observe("signup.data.password") { _ in reports += 1 }
    try data[\.password].set(Secret("abc123"))
    try data[\.password].set(Secret("xyz789"))
    #expect(reports == 2)
  }

  @Test("accepts any text")
  func anyText() throws {
    for text in ["", " ", "\0", "é\u{301}", String(repeating: "x", count: 10 * 1024 * 1024)] {
      try data[\.firstName].set(text)
      #expect(store.state(of: SignUp.self).data.firstName == text)
    }
  }
}
