import TestSupport
import Testing

@testable import Console

@MainActor
@Suite("Inputs that may contain a password")
struct InputSecretsTests {
  @Test(
    "are those with the word, and those with an address that names a user",
    arguments: [
      "signup.data.password = 'x'", "PassWord", "http://user:secret@example.com", "HTTPS:secret@x",
      "x = 1\ny = 'ftp://me:secret@host'",
    ])
  func secrets(text: String) { #expect(text.mayShowPassword) }

  @Test(
    "aren't those with an @ elsewhere",
    arguments: ["", "x = 1", "a@b -- see http://example.com", "http://example.com\n@", "pass word"])
  func others(text: String) { #expect(!text.mayShowPassword) }

  @Test("are recognized in time linear in the length")
  func long() {
    func cost(length: Int) -> Duration {
      let slashes = String(repeating: "/", count: length)
      return ThreadTime.measure {
        #expect(!slashes.mayShowPassword)
        #expect((slashes + "@").mayShowPassword)
      }
    }
    #expect(cost(length: 200_000) < cost(length: 20_000) * 40 + .milliseconds(500))
  }
}
