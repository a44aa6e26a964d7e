import Foundation
import SampleFeatures
import Testing

@testable import StateStore

@Suite("Secret")
struct SecretTests {
  private struct Account: Codable, Equatable {
    var name = "Ann"
    var password = Secret("hunter2")
  }

  @Test("shows bullets, and nothing else, however it is printed")
  func printed() {
    let account = Account()
    var dumped = ""
    dump(account, to: &dumped)
    for text in [
      "\(account)", String(describing: account), String(reflecting: account), dumped,
      "\(account.password)", String(reflecting: account.password),
      "\(Mirror(reflecting: account.password).children.map { "\($0)" })",
    ] {
      #expect(!text.contains("hunter"))
    }
    #expect("\(account.password)" == "••••••")
    #expect("\(Secret("x"))" == "••••••")
    #expect(Secret("é👩‍👩‍👧").bullets == "••")
  }

  @Test("is compared by its text")
  func equality() {
    #expect(Secret("a") == Secret("a"))
    #expect(Secret("a") != Secret("b"))
    #expect(Secret("").isEmpty)
    #expect(!Secret(" ").isEmpty)
  }

  @Test("gives its text only to async code")
  func use() async throws {
    #expect(try await Secret("hunter2").withText { $0.count } == 7)
    #expect(try await Secret.empty.withText { $0 } == "")
  }

  @Test("is stored without its text, and restored with only its emptiness and equality")
  func stored() async throws {
    let secrets = [Secret("hunter2"), Secret("hunter2"), Secret("sesame"), .empty]
    let data = try StateCoding.encoder.encode(secrets)
    #expect(!String(decoding: data, as: UTF8.self).contains("hunter"))
    let decoder = try StateCoding.decoder(for: StoreSchema(features: []))
    let restored = try decoder.decode([Secret].self, from: data)
    #expect(restored == secrets)
    #expect(restored[0] == restored[1] && restored[1] != restored[2])
    #expect(restored.map(\.isEmpty) == [false, false, false, true])
    #expect(restored.map(\.isForgotten) == [true, true, true, false])
    #expect(restored[0].bullets == "")
    await #expect(throws: SecretError.forgotten) { try await restored[0].withText { _ in } }
  }

  @Test("is encoded as the empty text, and decoded as the empty secret")
  func coding() throws {
    let data = try JSONEncoder().encode(Account())
    #expect(String(decoding: data, as: UTF8.self).contains(#""password":"""#))
    let decoded = try JSONDecoder().decode(Account.self, from: data)
    #expect(decoded == Account(password: .empty))
    let written = Data(#"{"name": "Ann", "password": "hunter2"}"#.utf8)
    #expect(try JSONDecoder().decode(Account.self, from: written).password == .empty)
  }
}
