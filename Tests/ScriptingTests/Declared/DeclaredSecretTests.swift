import Lua
import Testing

@testable import Scripting

@MainActor
@Suite("Secrets of declared features")
struct DeclaredSecretTests {
  private let fixture: DeclaredFixture

  init() throws {
    fixture = try DeclaredFixture(
      """
      feature "safe" {
        state = { tries = 0, users = list { name = "", pin = secret } },
        actions = { put = action { "user: table", function(state, user) state.users:append(user) end } },
        requests = {
          fails = request { "key: secret", ask = function(_, key) fail("bad", "wrong: " .. key) end },
          raises = request { "key: secret", ask = function(_, key) error("wrong: " .. key) end },
          raises_object = request { "key: secret", ask = function(_, key)
            error { message = "wrong: " .. key }
          end },
          gets = request { "key: secret", ask = function(_, key)
            return http.get("http://127.0.0.1:1/?key=" .. key)
          end },
          echoes = request { "key: secret", ask = function(_, key)
            return { text = "hello " .. key, [key] = { key } }
          end, done = function(state, answer) state.tries = #answer.text end },
        },
      }
      """)
  }

  @Test(
    "are in no failure: neither in the state and the history, nor in what scripts catch",
    arguments: ["fails", "raises", "raises_object", "gets"])
  func failures(request: String) async throws {
    let caught = try await fixture.run(
      "local _, e = pcall(safe.\(request), 'Zx9Secret') return tostring(e), safe.\(request)_error")
    #expect(caught.contains("••••••") && !caught.contains("Zx9"))
    #expect(try fixture.lastAction().contains("••••••"))
    #expect(try !fixture.lastAction().contains("Zx9"))
  }

  @Test("are in no answer")
  func answers() async throws {
    #expect(
      try await fixture.run("local a = safe.echoes('Zx9Secret') return a.text, a['••••••'][1]")
        == "hello •••••• ••••••")
    #expect(
      try fixture.lastAction()
        == #"safe.echoes() --> {text = "hello ••••••", ["••••••"] = {"••••••"}}"#)
  }

  @Test("aren't named by the error for a value of another type, such as a number")
  func otherType() async {
    let message = await fixture.failure("safe.put { name = 'Ann', pin = 123456 }")
    #expect(message.hasSuffix("pin: expected string, found a value of another type"))
  }
}
