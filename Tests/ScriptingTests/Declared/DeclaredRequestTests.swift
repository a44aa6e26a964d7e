import Lua
import StateStore
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("Requests that are declared in Lua", .timeLimit(.minutes(2)))
struct DeclaredRequestTests {
  private let till: DeclaredFixture

  init() throws { till = try DeclaredFixture(Self.source) }

  /// Each service answers its argument when the task that it gets says so.
  private static let source = """
    local function ask(_, amount)
      while not _G.open[amount] do task.sleep(0) end
      if amount < 0 then fail("no_money", "There is no money.") end
      return amount
    end
    local function done(state, amount) state.paid = state.paid + amount end

    feature "till" {
      state = { paid = 0, note = editable "" },
      requests = {
        each = request { "amount: integer", ask = ask, done = done },
        last = request { "amount: integer", latest = true, ask = ask, done = done },
        only = request { "amount: integer", exclusive = true, ask = ask, done = done },
      },
    }
    """

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- change the state by each answer, and are pending until the last one
      open = {}
      local tasks = {}
      for i = 1, 200 do tasks[i] = task.spawn(till.each, i) end
      for i = 200, 2, -1 do open[i] = true tasks[i]:await() end
      local pending, paid = till.each_pending, till.paid
      open[1] = true
      return pending, paid, tasks[1]:await(), till.each_pending, till.paid
      --> true 20099 1 false 20100
      -- that fail or are cancelled leave those beside them alone
      open = {}
      local failing, cancelled, good =
        task.spawn(till.each, -1), task.spawn(till.each, 1), task.spawn(till.each, 2)
      open[-1] = true
      local _, reason = pcall(failing.await, failing)
      cancelled:cancel()
      pcall(cancelled.await, cancelled)
      open[2] = true
      good:await()
      return reason.code, till.paid, till.each_pending, till.each_error
      --> no_money 2 false The request was cancelled.
      -- of which only the latest counts have the effect of its answer
      open = {}
      local first, second = task.spawn(till.last, 1), task.spawn(till.last, 2)
      open[1] = true
      local answer = first:await()
      local paid, pending = till.paid, till.last_pending
      open[2] = true
      second:await()
      return answer, paid, pending, till.paid, till.last_pending --> 1 0 true 2 false
      -- that are exclusive are refused while one is pending, and only then
      open = {}
      local first = task.spawn(till.only, 1)
      local _, refused = pcall(till.only, 2)
      store.undo()
      open[1], open[2] = true, true
      first:await()
      store.redo()
      local pending = till.only_pending
      till.only(2)
      store.undo()
      till.only(2)
      return refused.code, pending, till.paid, till.only_pending --> request_pending false 2 false
      """))
  func scripts(example: LuaCase) async throws { try await till.check(example) }

  @Test(
    "fail with the message and code of an error object, and its place",
    arguments: [
      ("error { code = 'late', message = 'Too late.' }", "late", "shop.lua:3: Too late."),
      (
        "error {}", "runtime_error",
        "shop.lua:3: x.ask raised a table instead of a message; write error(\"message\") or "
          + "fail(\"code\", \"message\")"
      ),
      (
        "return print", "bad_result",
        "shop.lua:2: x.ask can't have this answer: the value can't be written as JSON: it is a function"
      ),
    ])
  func placed(code: String, expectedCode: String, expected: String) async throws {
    let app = try DeclaredFixture(
      """
      feature "x" {
        requests = { ask = request { ask = function()
          \(code) end } },
      }
      """)
    let text = try await app.run(
      "local _, e = pcall(x.ask) return e.code, e.message, x.ask_error == e.message")
    #expect(text.hasPrefix("\(expectedCode) "))
    #expect(text.hasSuffix("/\(expected) true"))
  }

  @Test(
    "end when they were answered while undone, whatever leads back to them",
    arguments: [
      "store.redo()", "store.redo() till.note = 'a'", "till.note = 'a'", "store.jump(1)",
      "store.reset()", "till.note = 'a' store.undo() store.redo()",
    ])
  func lost(code: String) async throws {
    #expect(
      try await till.run(
        """
        open = {}
        local waiting = task.spawn(till.each, 1)
        store.undo()
        open[1] = true
        waiting:await()
        \(code)
        return till.each_pending, till.paid
        """) == "false 0")
  }
}
