import Lua
import PrimereplLoading
import SampleApp
import Scripting
import StateStore
import Testing
import TestSupport

@testable import Scenarios

/// After undo, new records have ids that the same calls don't give in a fresh app.
@MainActor
@Suite("The ids in a recorded scenario", .timeLimit(.minutes(2)))
struct RecordedIdentifierTests {
  /// An app whose scenarios can be recorded and run.
  @MainActor
  private struct Recordable {
    let app: ScenarioApp
    private let state: LuaState
    private let session: ScriptedApp

    init(_ app: ScenarioApp) throws {
      self.app = app
      state = try LuaState()
      session = try ScriptedApp(
        in: state, store: Store(app.schema), modules: app.modules,
        environment: .sample(documents: DocumentAccess()))
      session.enableScenarioExport()
    }

    /// An app in Lua.
    init(_ source: String) throws {
      let folder = try TemporaryFolder()
      let declared = try DeclaredApp(files: [folder.write(source, to: "app.lua")])
      let schema = try StoreSchema(features: [], declared: declared.features, derived: [])
      try declared.connect(to: schema)
      try self.init(
        ScenarioApp(
          schema: schema, modules: declared.modules,
          environment: {
            ScriptEnvironment(
              clock: $0.clock, stubs: $0.stubs,
              documents: DocumentAccess(network: .refusedInScenario))
          }))
    }

    func run(_ source: String) async throws {
      _ = try await state.run(state.load(source, name: .text("test")))
    }

    /// Records the history with pinned expectations, and runs the scenario.
    func recorded(
      pinning expressions: [String] = []
    ) async throws -> (text: String, failures: [String]) {
      var expectations: [PinnedExpectation] = []
      for expression in expressions {
        let value = try state.load("return \(expression)", name: .text("test")).call().first ?? .nil
        expectations.append(try session.expectation(of: expression, being: value))
      }
      let text = try await session.scenario(named: "recorded", expectations: expectations).text
      let file = try FileRun(text, of: app)
      return (text, try await file.run("recorded").failures?.map(\.message) ?? [])
    }

    /// Whether the script that `store.export` writes makes the same state in another app.
    func isRecreatedByScript() async throws -> Bool {
      let folder = try TemporaryFolder()
      let path = folder.path(of: "state.lua")
      try await run("store.export(\(path.luaLiteral))")
      let other = try Recordable(app)
      try await other.run(folder.read("state.lua"))
      return StateDocument.json(of: session.store.states, app.schema)
        == StateDocument.json(of: other.session.store.states, app.schema)
    }
  }

  private static let cart = """
    feature "cart" {
      state = {
        items = list { name = "", quantity = editable(1) },
        notes = list { text = "", item = 0 },
        selected = optional "integer",
      },
      actions = {
        add = function(state, name) return state.items:append { name = name } end,
        add_first = function(state, name) return state.items:insert(1, { name = name }) end,
        drop = function(state, id) state.items:remove(id) end,
        take = function(state, which) state.items:remove(which) end,
        drop_all = function(state, ids)
          for _, id in ipairs(ids) do state.items:remove(id) end
        end,
        set_both = action {
          "id: integer", "quantity: integer",
          function(state, id, quantity) state.items:get(id).quantity = quantity end,
        },
        note = action {
          "item_id: integer", "text: string",
          function(state, item, text)
            state.notes:append { text = state.items:get(item).name .. text, item = item }
          end,
        },
        remove_note = function(state, id) state.notes:remove(id) end,
        select = function(state, item) state.selected = state.items:get(item).id end,
        drop_selected = function(state)
          state.items:remove(state.selected)
          state.selected = nil
        end,
        lock = action {
          "id: integer", "password: secret", function(state, id) state.items:get(id).quantity = 7 end,
        },
        buy = function(state, id, quantity)
          local item = state.items:get(id)
          item.quantity = item.quantity + quantity
        end,
        drop_named = function(state, text)
          state.items:remove(math.tointeger(tonumber((text:match("%d+")))))
        end,
      },
    }
    """

  @Test("are in what was pinned of any type")
  func pinned() async throws {
    let app = try Recordable(
      """
      feature "work" {
        state = {
          clients = list { name = "" }, tasks = list { title = "", client = reference "clients" },
          days = map("integer", "integer"), ages = map("string", "integer"), tags = set "string",
        },
        actions = {
          fill = function(state)
            local client = state.clients:append { name = "C" }
            state.tasks:append { title = "T", client = client }
            state.days[7], state.ages.ann = 8, 30
            state.tags:add "b"
          end,
        },
      }
      """)
    try await app.run("work.fill() store.undo() work.fill()")
    let recorded = try await app.recorded(
      pinning: [
        "app.work.tasks", "app.work.tasks[1]", "app.work.days", "app.work.ages", "app.work.tags",
      ])
    #expect(recorded.failures == [], "\(recorded.text)")
  }

  /// After this, the item "c" has the id 3, and would have 2 in the scenario.
  private static let start = "cart.add('a') cart.add('b') store.undo() cart.add('c') "

  @Test(
    "are those of the session: a call is undone before, as there",
    arguments: [
      ("cart.drop(3)", "cart.drop(3)"), ("cart.buy(3, 3)", "cart.buy(3, 3)"),
      ("cart.take(3)", "cart.take(3)"), ("cart.drop_all({3, 1})", "cart.drop_all({3, 1})"),
      ("cart.items[2].quantity = 3", "cart.items:get(3).quantity = 3"),
      ("cart.select(3) cart.drop_selected()", "cart.drop_selected()"),
      ("cart.note(1, 'x') store.undo() cart.note(3, 'y')", #"cart.note(3, "y")"#),
      (
        "cart.note(1, 'x') store.undo() cart.note(1, 'y') cart.note(1, 'z') cart.remove_note(3)",
        "cart.remove_note(3)"
      ),
      ("cart.lock(3, 'geheim')", #"cart.lock(3, "secret 1")"#),
      ("cart.drop_named('item 3') cart.add('d')", #"cart.drop_named("item 3")"#),
    ])
  func arguments(code: String, expected: String) async throws {
    let app = try Recordable(Self.cart)
    try await app.run(Self.start + code)
    let (text, failures) = try await app.recorded()
    #expect(failures == [])
    #expect(text.contains(expected), "\(text)")
    #expect(text.contains("  cart.add(\"c\")\n  store.undo()\n"), "\(text)")
    #expect(!text.contains("store.import"), "\(text)")
  }

  @Test(
    "are imported if undone calls don't give them; without secrets, a call that fails then, too")
  func secrets() async throws {
    let app = try Recordable(
      """
      feature "safe" {
        state = { code = secret, open = false, items = list { name = "" } },
        actions = {
          add = function(state, name) state.items:append { name = name } end,
          add_two = function(state)
            for _ = 1, 2 do state.items:append { name = "x" } end
          end,
          lock = action { "code: secret", function(state, code) state.code = code end },
          open_it = function(state)
            if state.code.is_empty then fail("no_code", "no code") end
            state.open = true
          end,
        },
      }
      """)
    try await app.run(
      "safe.lock('geheim') safe.add('a') store.undo() safe.add_two() safe.open_it() safe.add('c')")
    let (text, failures) = try await app.recorded()
    #expect(failures == [])
    for call in ["add_two", "open_it"] {
      #expect(text.contains("The state after safe.\(call)() in the recorded session"), "\(text)")
    }
    #expect(text.contains(#"["safe.open"] = true"#), "\(text)")
  }

  @Test(
    "are as recorded, whatever a call accepts: lists with nulls, names, numbers",
    arguments: [
      "{json.null, 2}", "{json.null}", "json.null", "{a = json.null}", "{{json.null, {json.null}}}",
      "{}", "{{}, {}}", "{fooBar = 1, ['a b'] = {}}", "{['1'] = 1}", "{['#ids'] = {1}}", "2.0",
      "-0.0", "1e308", "math.mininteger", "'a\\0b\\u{A0}'", "json.decode('[]')", "true",
    ])
  func values(value: String) async throws {
    let app = try Recordable(
      """
      local function text(value)
        if type(value) ~= "table" then return tostring(value) end
        local parts = {}
        for key, value in pairs(value) do parts[#parts + 1] = tostring(key) .. "=" .. text(value) end
        return "{" .. table.concat(parts, ",") .. "}"
      end
      feature "box" {
        state = { seen = "" },
        actions = { put = function(state, value) state.seen = text(value) end },
      }
      """)
    try await app.run("box.put(\(value)) box.put(1) box.put(\(value))")
    let (text, failures) = try await app.recorded()
    #expect(failures == [])
    #expect(!text.contains("store.import"), "\(text)")
  }

  /// Lua code of random calls, from a generator in Lua with a seed.
  private static func calls(_ seed: Int, _ actions: String) -> String {
    """
    math.randomseed(\(seed))
    local function one(list) return list[math.random(#list)] end
    local actions = { \(actions) }
    for _ = 1, 40 do
      local choice = math.random(10)
      if choice == 1 then pcall(store.undo, math.random(3))
      elseif choice == 2 then pcall(store.redo)
      elseif choice == 3 then pcall(store.jump, math.random(0, 40))
      else pcall(one(actions)) end
    end
    """
  }

  private static let callsInLua = """
    function() cart.add("x") end, function() cart.add("y") end,
    function() cart.add_first("z") end, function() cart.drop(one(cart.items).id) end,
    function() cart.take(one(cart.items).id) end,
    function() cart.drop_all { one(cart.items).id, one(cart.items).id } end,
    function() one(cart.items).quantity = math.random(5) end,
    function() cart.set_both(one(cart.items).id, math.random(5)) end,
    function() cart.note(one(cart.items).id, "n") end,
    function() cart.remove_note(one(cart.notes).id) end,
    function() cart.select(one(cart.items).id) end, function() cart.drop_selected() end,
    function() cart.drop_named("no " .. one(cart.items).id) end,
    function() store.reset() end
    """

  private static let callsInSwift = """
    function() todo.add("x") end, function() todo.add("y") end,
    function() todo.complete(one(todo.items).id) end,
    function() todo.reopen(one(todo.items).id) end,
    function() todo.rename(one(todo.items).id, "z") end,
    function() one(todo.items).text = "u" end, function() todo.remove(one(todo.items).id) end,
    function() persons.add { name = "Ann", age = 30 } end,
    function() persons.edit(one(persons).id, { age = 31 }) end,
    function() persons.remove(one(persons).id) end
    """

  @Test(
    "make it pass after any actions, undo, redo and jumps", arguments: ["Lua", "Swift"], 1...4)
  func random(language: String, seed: Int) async throws {
    let isLua = language == "Lua"
    let app = try isLua ? Recordable(Self.cart) : Recordable(.sample)
    try await app.run(Self.calls(seed, isLua ? Self.callsInLua : Self.callsInSwift))
    let (text, failures) = try await app.recorded()
    #expect(failures == [], "\(text)")
    #expect(try await app.isRecreatedByScript())
  }
}
