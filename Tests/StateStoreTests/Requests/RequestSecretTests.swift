import SampleFeatures
import Testing

@testable import StateStore

@Suite("A request that uses a secret")
@MainActor
struct RequestSecretTests {
  private struct Failure: CodedError {
    let code = "refused"
    let message: String
  }

  private struct PlainFailure: Error, CustomStringConvertible {
    let text: String

    var description: String { text }
  }

  /// A feature that shows what its service answered.
  private enum Vault: Feature {
    struct Reply: Codable, Equatable, Sendable {
      var text = ""
      var notes: [String: String] = [:]
      var token = Secret.empty
      var count = 0
    }

    struct State: Codable, Equatable, Sendable {
      var reply = Reply()
    }

    enum Action: Codable, Equatable, Sendable { case clear }

    static let name = "vault"
    static var initial: State { State() }
    static let fields: [Field<Vault>] = [.hidden(\.reply), .request(open)]

    static func reduce(_ state: inout State, _ action: Action) { state = State() }

    typealias Services = @Sendable (String) throws -> Reply

    static let open = Request<Vault, Secret, Reply>(
      "open",
      ask: { context in try await context.question.withText { try context.services($0) } },
      done: { state, reply in state.reply = reply })
  }

  private let store: Store

  init() throws { store = try Store(StoreSchema(features: [Vault.self])) }

  private func open(
    _ secret: String, _ service: @escaping @Sendable (String) throws -> Vault.Reply
  ) async throws -> Vault.Reply {
    try await store.ask(Vault.open, Secret(secret), in: ServiceContext(service))
  }

  @Test("keeps no text of it in a failure, and throws none")
  func failure() async throws {
    await #expect(throws: SecretError("refused", "•••••• is wrong")) {
      try await open("Zx9Failed") { throw Failure(message: "\($0) is wrong") }
    }
    #expect(store.error(of: Vault.open) == "•••••• is wrong")
  }

  @Test("hides others in a failure, too, which the code that asked may have known")
  func otherSecret() async throws {
    _ = Secret("Zx9Elsewhere")
    await #expect(throws: SecretError("refused", "no host ••••••")) {
      try await open("Zx9Here") { _ in throw Failure(message: "no host Zx9Elsewhere") }
    }
    #expect(store.error(of: Vault.open) == "no host ••••••")
  }

  @Test("hides it in an error that has no code, too")
  func plainFailure() async throws {
    await #expect(throws: SecretError.self) {
      try await open("Zx9Plain") { throw PlainFailure(text: $0) }
    }
    #expect(store.error(of: Vault.open)?.contains("Zx9") == false)
  }

  @Test(
    "throws the service's own error if that doesn't name the secret, or it has a letter or two",
    arguments: ["Zx9Other": "It is wrong.", "a": "That was a bad idea."])
  func otherFailure(secret: String, message: String) async throws {
    await #expect(throws: Failure.self) {
      try await open(secret) { _ in throw Failure(message: message) }
    }
    #expect(store.error(of: Vault.open) == message)
  }

  @Test("hides it anywhere in an answer, whose other parts stay as they are")
  func answer() async throws {
    let token = Secret("Zx9Token")
    let reply = try await open("Zx9/Answer") { text in
      Vault.Reply(
        text: "hello \(text)!", notes: [text: "a\(text)", "b": "c"], token: token, count: 3)
    }
    #expect(
      reply
        == Vault.Reply(
          text: "hello ••••••!", notes: ["••••••": "a••••••", "b": "c"], token: token, count: 3))
    #expect(!reply.token.isForgotten)
    #expect(store.state(of: Vault.self).reply == reply)
  }

  @Test("leaves others in an answer, which is data and may have the same words")
  func otherInAnswer() async throws {
    _ = Secret("Zx9September")
    let reply = try await open("Zx9Asked") { _ in Vault.Reply(text: "in Zx9September") }
    #expect(reply.text == "in Zx9September")
    #expect(store.state(of: Vault.self).reply == reply)
  }
}
