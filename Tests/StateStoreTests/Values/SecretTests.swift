import Foundation
import SampleFeatures
import Testing
import TestSupport

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

  @Test("is stored without its text, and restored with only whether there is one")
  func stored() async throws {
    let secrets = [Secret("hunter2"), Secret("hunter2"), Secret("sesame"), .empty]
    let data = try StateCoding.encoder.encode(secrets)
    #expect(!String(decoding: data, as: UTF8.self).contains("hunter"))
    let decoder = try StateCoding.decoder(for: StoreSchema(features: []))
    let restored = try decoder.decode([Secret].self, from: data)
    #expect(String(decoding: data, as: UTF8.self) == #"[true,true,true,""]"#)
    // Nobody knows by then which were equal.
    #expect(restored[0] == restored[1] && restored[1] == restored[2])
    #expect(restored[0] != secrets[0])
    #expect(restored.map(\.isEmpty) == [false, false, false, true])
    #expect(restored.map(\.isForgotten) == [true, true, true, false])
    #expect(restored[0].bullets == "")
    let error = await #expect(throws: SecretError.forgotten) {
      try await restored[0].withText { _ in }
    }
    #expect(error?.code == "secret_forgotten")
  }

  @Test("is still known when this process decodes what it has encoded without storing it")
  func kept() throws {
    let secrets = [Secret("hunter2"), Secret("sesame"), .empty]
    let decoder = try StateCoding.decoder(for: StoreSchema(features: []))
    decoder.userInfo[.keepsSecrets] = true
    let data = try StateCoding.keepingEncoder.encode(secrets)
    #expect(!String(decoding: data, as: UTF8.self).contains("hunter"))
    let restored = try decoder.decode([Secret].self, from: data)
    #expect(restored == secrets)
    #expect(restored.allSatisfy { !$0.isForgotten })
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

  // MARK: - In other texts

  @Test(
    "is hidden in a text, also with the escapes of addresses, JSON and Lua, and where it is cut",
    arguments: [
      ("it was Zx9/ \"open\"", "it was ••••••"),
      ("Zx9/ \"open\"Zx9/ \"open\".", "••••••••••••."),
      ("http://h/?key=Zx9%2F%20%22open%22&x", "http://h/?key=••••••&x"),
      ("http://h/?key=Zx9/%20%22open%22", "http://h/?key=••••••"),
      ("key=Zx9%2f+%22open%22&x=1+1", "key=••••••&x=1+1"),
      (#"{"key":"Zx9\/ \"open\""}"#, #"{"key":"••••••"}"#),
      (#"say("Zx9/ \"open\"")"#, #"say("••••••")"#),
      ("it was Zx9/ …", "it was ••••••…"), ("it was Zx9/...", "it was ••••••..."),
      ("it was Zx9", "it was Zx9"), ("100 % of \\ and + is 1%", "100 % of \\ and + is 1%"),
      ("", ""),
    ])
  func hidden(text: String, shown: String) {
    _ = Secret("Zx9/ \"open\"")
    #expect(Secret.hidden(in: text) == shown)
    #expect(Secret.areContained(in: text.utf8) == (text != shown))
  }

  @Test("of fewer than four bytes isn't looked for, as most texts contain it")
  func short() {
    for text in ["a", "th", "ing"] { _ = Secret(text) }
    #expect(Secret.hidden(in: "a thing") == "a thing")
    #expect(Secret.isKnown(Array("ing".utf8)))
  }

  @Test("is hidden in the state only if its text was given away")
  func used() async throws {
    let secret = Secret("Zx9Given")
    #expect(Secret.usedHidden(in: "Zx9Given") == "Zx9Given")
    try await secret.withText { _ in }
    #expect(Secret.usedHidden(in: "Zx9Given") == "••••••")
  }

  @Test("is found among thousands in time linear in the length of the text")
  func many() {
    for number in 0..<2_000 { _ = Secret("\(number * 7_919)-Zx9Many") }
    func cost(length: Int) -> Duration {
      let text = String(repeating: "123 Zx9 ", count: length / 8)
      return ThreadTime.measure { #expect(Secret.hidden(in: text) == text) }
    }
    #expect(cost(length: 400_000) < cost(length: 40_000) * 40 + .milliseconds(500))
  }
}
