import Foundation
import Testing
import TestSupport

@Suite("Secrets of an app in Lua")
struct SecretTests {
  private let app: AppFolder

  init() throws {
    app = try AppFolder()
    _ = try app.folder.write(
      """
      feature "safe" {
        state = { code = secret, reply = "" },
        actions = { lock = action { "code: secret", function(state, code) state.code = code end } },
        requests = {
          fails = request { "key: secret", ask = function(_, key) fail("bad", "wrong: " .. key) end },
          gets = request { "key: secret", ask = function(_, key)
            return http.get("http://127.0.0.1:1/?key=" .. key)
          end },
          echoes = request { "key: secret", ask = function(_, key) return "hello " .. key end,
            done = function(state, answer) state.reply = answer end },
        },
      }
      """, to: "safe.lua")
  }

  private func run(_ arguments: String...) async throws -> CommandOutput {
    try await app.runner.run(["--app", "safe.lua", "--bare"] + arguments)
  }

  @Test("that came back in failures and answers are in no file and no output")
  func files() async throws {
    let files = ["s.sqlite", "x.json", "x.lua", "x.scenario.lua"]
    let result = try await run(
      "--state", "s.sqlite", "-e",
      """
      for _, name in ipairs { "fails", "gets", "echoes" } do
        print(safe.fails_error, safe.gets_error, pcall(safe[name], "Zx9/Secret"))
      end
      for _, ending in ipairs { "json", "lua", "scenario.lua" } do store.export("x." .. ending) end
      safe.fails("Zx9/Secret")
      """)
    #expect(result.status == .exited(1))
    #expect(result.error.contains("wrong: ••••••") && result.output.contains("hello ••••••"))
    for text in try [result.output, result.error] + files.map(contents) {
      #expect(!text.contains("Zx9"))
    }
    let scenario = try await run("test", "x.scenario.lua")
    #expect(scenario.status == .exited(0), "\(scenario.output)")
  }

  private func contents(of file: String) throws -> String {
    String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: app.folder.path(of: file))), as: UTF8.self
    )
  }

  @Test(
    "are in no message of an error, nor in the line of code that is shown with it",
    arguments: [
      "safe.lock('Zx9Secret') error('bad: Zx9Secret')",
      "safe.lock('Zx9Secret') local x = nil + 1", "safe.lock(nil + 1, 'Zx9Secret')",
      "safe.lokc('Zx9Secret')", "safe.lock('Zx9Secret') load([[error('x', 'Zx9Secret')]])()",
      "safe.lock('Zx9Secret') error { text = 'Zx9Secret' }",
      "task.spawn(function() safe.lock('Zx9Secret') error('Zx9Secret') end)",
    ])
  func messages(code: String) async throws {
    _ = try app.folder.write("local function f()\n  \(code)\nend\nf()\n", to: "script.lua")
    let result = try await run("script.lua")
    #expect(result.status == .exited(1))
    #expect(result.error != "" && !result.error.contains("Zx9"), "\(result.error)")
  }

  @Test("of a letter leave messages as they are")
  func short() async throws {
    let result = try await run("-e", "safe.lock('a') error('a bad day', 0)")
    #expect(result.error.hasPrefix("primerepl: a bad day"))
  }

  @Test("are in no report of tests")
  func reports() async throws {
    _ = try app.folder.write(
      """
      scenario("fails", function()
        safe.lock("Zx9Secret") expect.equal(safe.reply, "x")
      end)
      scenario("is refused", function() safe.fails("Zx9Other") end)
      """, to: "x.scenario.lua")
    let formats = ["pretty", "tap", "junit", "json", "html"]
    let result = try await app.runner.run(
      ["--app", "safe.lua", "--bare", "test", "x.scenario.lua"]
        + formats.flatMap { ["--report", "\($0)=\($0)"] })
    #expect(result.status == .exited(1))
    for report in try formats.map(contents) {
      #expect(report.contains("••••••") && !report.contains("Zx9"), "\(report)")
    }
  }
}
