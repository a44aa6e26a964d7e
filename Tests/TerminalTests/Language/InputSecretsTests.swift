import Lua
import Scripting
import StateStore
import Testing
import TestSupport

@testable import PrimereplTerminal

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

  // MARK: - Names

  private static func secrets() throws -> InputSecrets {
    let app = try ScriptedApp(
      in: LuaState(),
      declaring: """
        feature "safe" {
          state = { code = editable(secret), users = list { name = "", pin = editable(secret) } },
          actions = {
            login = action { "user: string", "code: secret", function() end },
            add = action { "code: secret", function() end },
          },
          requests = { unlock = request { "code: secret", ask = function() end } },
        }
        feature "cart" { state = { n = 0 }, actions = { add = function(state, name) end } }
        """)
    return InputSecrets(of: app)
  }

  @Test(
    "are those that name a function or a field that gets a secret, run or not",
    arguments: [
      "safe.login('u', 'x')", "safe.login{user = 'u'}", "safe.login 'x'", "safe.unlock [[x]]",
      "safe['login']('u', 'x')", "app.safe.login('u', 'x')", "f = safe.login", "login('u', 'x')",
      "s:login('u', 'x')", "function go() safe.unlock('x') end", "safe.login(\n'u',\n'x')",
      ".time safe.login('u', 'x')", "safe.login('u' 'x')", "safe.login('u, x)", "s.add('x')",
      "safe.code = 'x'", "safe.users[1].pin = 'x'", "u.pin, n = 'x', 1", "safe.put { pin = 'x' }",
      "safe['code'] = 'x'",
    ])
  func names(input: String) throws { #expect(try Self.secrets().mayBe(in: input)) }

  @Test(
    "aren't those that name others",
    arguments: [
      "cart.add('pen 7')", "safe.users[1].name = 'pen 7'", "x = 1", "print('login')", "#safe.users",
      "err.code == 'pen 7'", "safe.users[1]", "",
    ])
  func otherNames(input: String) throws { #expect(try !Self.secrets().mayBe(in: input)) }

  @Test(
    "are those that failed with a name like one, and only those",
    arguments: ["safe.logn('u', 'x')", "saef.login('u', 'x')", "safe.lgoin 'x'", "safe.cod = 'x'"])
  func misspelled(input: String) throws {
    #expect(try Self.secrets().mayBe(in: input, hasFailed: true))
    #expect(try !Self.secrets().mayBe(in: "cart.ad('pen 7')", hasFailed: false))
    #expect(try !Self.secrets().mayBe(in: "cart.add(nil)", hasFailed: true))
  }

  @Test(
    "are those with a string that is a secret by now, however it is written",
    arguments: [
      "p = 'Zx9Known'", "p = \"\\90x9Known\"", #"p = '\x5Ax9\z   Known'"#, #"p = '\u{5A}x9Known'"#,
      "p = [==[Zx9Known]==]", "p = [[\nZx9Known]]", "p = 'Zx9' .. 'Known'", "-- Zx9Known",
      "p = 'Zx9Known", "p = 'my Zx9Known'", "p = 'Qx'", #"p = "\81x""#, "#'Zx9Known'",
    ])
  func texts(input: String) throws {
    for text in ["Zx9Known", "Qx"] { _ = Secret(text) }
    #expect(try Self.secrets().mayBe(in: input))
    #expect(try !Self.secrets().mayBe(in: "p = 'Qxy'"))
  }
}
