import Foundation
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

  /// Every way in which Swift writes a value out.
  private static func texts(of value: some Encodable) throws -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [
      "\(value)", String(describing: value), String(reflecting: value), dumped,
      String(decoding: try JSONEncoder().encode(value), as: UTF8.self),
      String(
        decoding: try PropertyListEncoder().encode(["value": value]), as: UTF8.self),
    ]
  }

  private static let actions: [StoreAction] = [
    .signUp(.edit([.password(Secret(password))])),
    .signUp(
      .edit([.email("jane@example.com"), .passwordConfirmation(Secret(password)), .lastName("Doe")])
    ),
  ]

  @Test("don't show in any text of the state")
  func state() throws {
    for text in try Self.texts(of: store.state(of: SignUp.self)) {
      #expect(text.contains("jane@example.com"))
      #expect(!text.contains(Self.password))
    }
    let snapshot = "\(store.snapshot)"
    #expect(snapshot.contains("••••••"))
    #expect(!snapshot.contains(Self.password))
  }

  @Test("don't show in any text of an action", arguments: actions)
  func action(action: StoreAction) throws {
    for text in try Self.texts(of: action) { #expect(!text.contains(Self.password)) }
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

  @Test("are lost when a state or an action is decoded, and nothing else is")
  func restored() throws {
    let data = try JSONEncoder().encode(store.states)
    let restored = try StateCoding.decoder(for: App.schema).decode(States.self, from: data)
    var expected = store.state(of: SignUp.self).data
    expected.password = .empty
    expected.passwordConfirmation = .empty
    #expect(restored.signUp.data == expected)

    let actions = try StateCoding.decoder(for: App.schema).decode(
      [StoreAction].self, from: JSONEncoder().encode(Self.actions))
    #expect(
      actions == [
        .signUp(.edit([.password(.empty)])),
        .signUp(
          .edit([.email("jane@example.com"), .passwordConfirmation(.empty), .lastName("Doe")])),
      ])
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
