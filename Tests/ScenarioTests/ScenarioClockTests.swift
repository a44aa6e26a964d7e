import Lua
import SampleApp
import Scenarios
import Scripting
import Testing

@MainActor
@Suite("An app on the virtual clock")
struct ScenarioClockTests {
  private let clock = VirtualClock()
  private let state: LuaState
  private let app: ScriptedApp

  init() throws {
    state = try LuaState()
    try clock.drive(state) {}
    app = try ScriptedApp(in: state, environment: .sample(clock: clock))
  }

  /// The results of a function, as `inspect` writes them.
  private func text(of source: String) async throws -> String {
    let chunk = try state.load(
      "local function test() \(source) end return inspect({ test() })", name: .text("test"))
    let results = try await state.run(chunk)
    guard case .string(let text)? = results.first else { return "nothing" }
    return text.description
  }

  @Test("lets clock.advance do what falls due until then")
  func advance() async throws {
    let text = try await text(
      of: """
        local t = task.spawn(todo.fetch)
        clock.advance(1.5)
        local loading, now = todo.loading, clock.now()
        clock.advance(0.5)
        return loading, now, todo.loading, #todo.items, t.status
        """)
    #expect(text == #"{ true, 1.5, false, 2, "done" }"#)
  }

  @Test(
    "counts in nanoseconds, so that fractions that add up to a deadline reach it",
    arguments: [
      ("3", "2.9, 0.1"), ("0.3", "0.1, 0.1, 0.1"), ("0.1 + 0.2", "0.3"), ("86400", "86399.9, 0.1"),
    ])
  func fractions(deadline: String, steps: String) async throws {
    let text = try await text(
      of: """
        local t = task.spawn(task.sleep, \(deadline))
        local u = task.spawn(pcall, task.timeout, \(deadline), task.sleep, 86400)
        for _, step in ipairs { \(steps) } do clock.advance(step) end
        return clock.now() == tonumber(("%.9g"):format(\(deadline))), t.status, u.status
        """)
    #expect(text == #"{ true, "done", "done" }"#)
  }

  @Test(
    "refuses to go back, or beyond any sense",
    arguments: ["-1", "0/0", "math.huge", "1e10"])
  func refused(seconds: String) async throws {
    let error = await #expect(throws: LuaError.self) {
      _ = try await text(of: "clock.advance(\(seconds))")
    }
    #expect(error?.code == "number_out_of_range")
    #expect(clock.elapsed == .zero)
  }
}
