import Foundation
import Testing

@testable import Domain
@testable import StateStore

@Suite("Secret")
struct SecretTests {
  private struct Account: Codable, Equatable {
    var name = "Ann"
    var password = Secret("hunter2")
  }

  @Test("shows a bullet for each character, and nothing else, however it is printed")
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
    #expect("\(account.password)" == "•••••••")
    #expect(Secret("é👩‍👩‍👧").bullets == "••")
  }

  @Test("is compared by its text")
  func equality() {
    #expect(Secret("a") == Secret("a"))
    #expect(Secret("a") != Secret("b"))
    #expect(Secret("").isEmpty)
    #expect(!Secret(" ").isEmpty)
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
