import Testing

@testable import PrimereplDomain
@testable import StateStore

@Suite("The passwords of the sign-up")
struct SignUpSecretTests {
  private static let password = "hunter2"

  private let store = Store()
  private let data: StateBinding<SignUp.Data>

  init() throws {
    data = SignUp.data(in: store)
    try data[\.email].set("jane@example.com")
    try data[\.password].set(Secret(Self.password))
    try data[\.passwordConfirmation].set(Secret(Self.password))
  }

  @Test("don't show in the changes that observers get")
  func observers() throws {
    var told: [String] = []
    try store.observe("") { told.append("\($0.fields.map(\.change))") }
    try data[\.password].set(Secret("new \(Self.password)"))
    try #require(told.count == 1)
    #expect(told[0].contains("•"))
    #expect(!told[0].contains(Self.password))
  }

  @Test("don't show in the errors of the sign-up")
  func errors() throws {
    func message(_ body: () throws -> Void) -> String {
      "\((#expect(throws: SignUpError.self) { try body() }) as Any)"
    }
    let messages = [
      message { try store.send(store.state(of: SignUp.self).submission, to: SignUp.self) },
      message { try store.send(.back, to: SignUp.self) },
      message { try store.send(.done, to: SignUp.self) },
      message { try store.send(.openSheet(.topics), to: SignUp.self) },
      message {
        try store.send(
          .edit([.password(Secret(Self.password)), .topics([.testing, .testing])]), to: SignUp.self)
      },
    ]
    for message in messages { #expect(!message.contains(Self.password)) }
  }
}
