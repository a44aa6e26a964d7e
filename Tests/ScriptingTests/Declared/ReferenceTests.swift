import Lua
import StateStore
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("References of features that are declared in Lua")
struct ReferenceTests {
  private let app: DeclaredFixture

  init() throws {
    app = try DeclaredFixture(
      """
      feature "tracker" {
        state = {
          projects = list { name = "", rate = 0 },
          entries = list { project = reference "projects", minutes = 0 },
          notes = list { text = "", project = editable(reference { "projects", on_remove = "clear" }) },
          tasks = list {
            name = "", project = reference { "projects", on_remove = "remove" },
            parent = reference { "tasks", on_remove = "remove" },
          },
          peers = list { project = reference { "projects", on_remove = "remove" }, peer = reference "peers" },
          owners = map("string", reference { "projects", on_remove = "clear" }),
          current = editable(reference { "projects", on_remove = "clear" }),
          fixed = reference "projects",
        },
        derived = {
          cost = function(state)
            return state.entries:sum(function(e) return e.minutes * e.project.rate end)
          end,
          of = derived {
            "project: reference(projects)",
            function(state, p) return p.name .. state.entries:sum(function(e) return e.project == p and e.minutes or 0 end) end,
          },
          by_id = group("entries", function(e) return e.project and e.project.id end, { minutes = sum(function(e) return e.minutes end) }),
          with_project = count("entries", function(e) return e.project end),
          by_project = group("entries", function(e) return e.project end, { count = count() }),
          by_name = group("entries", function(e) return e.project.name end, { minutes = sum(function(e) return e.minutes end) }),
        },
        actions = {
          add = action { "name: string", "[rate: integer]", function(state, name, rate)
            return state.projects:append { name = name, rate = rate }
          end },
          log = action { "project: reference(projects)", "[minutes: integer]", function(state, project, minutes)
            return state.entries:append { project = project, minutes = minutes or #project.name }
          end },
          move = action { "id: integer", "[project: any]", function(state, id, project)
            state.entries:get(id).project = project
          end },
          note = action { "[project: reference(projects)]", function(state, project)
            return state.notes:append { text = "n", project = project }
          end },
          task = action { "[project: reference(projects)]", "[parent: reference(tasks)]", function(state, project, parent)
            return state.tasks:append { project = project, parent = parent }
          end },
          chain = action { "n: integer", function(state, n)
            local last
            for _ = 1, n do last = state.tasks:append { parent = last } end
            state.tasks[1].parent = last
          end },
          fix = action { "project: reference(projects)", function(state, project) state.fixed = project end },
          drop = action { "id: integer", function(state, id) state.projects:remove(id) end },
          drop_task = action { "id: integer", function(state, id) state.tasks:remove(id) end },
          drop_all = function(state) state.projects:clear() end,
          drop_where = action { "name: string", function(state, name)
            return state.projects:remove_where(function(p) return p.name == name end)
          end },
          try_drop = action { "id: integer", function(state, id)
            local is_removed = pcall(state.projects.remove, state.projects, id)
            return is_removed
          end },
          clear_tasks = function(state) state.tasks:clear() end,
          pair = action { "project: reference(projects)", function(state, project)
            local first = state.peers:append { project = project }
            local second = state.peers:append { project = project, peer = first }
            first.peer = second
          end },
          swap = action { "id: integer", function(state, id)
            for _, e in ipairs(state.entries) do e.project = nil end
            state.projects:remove(id)
          end },
          own = action { "key: string", "project: reference(projects)", function(state, key, project)
            state.owners[key] = project
          end },
          unown = action { "key: string", function(state, key) state.owners[key] = nil end },
          all = function(state)
            local names = {}
            for _, e in ipairs(state.entries) do names[#names + 1] = e.project and e.project.name or "-" end
            return table.concat(names, " ")
          end,
        },
        requests = {
          ask = request {
            "project: reference(projects)", ask = function(tracker, project) return project.name .. project.id end,
            asked = function(state, project) state.current = project end, done = function(state, answer) end,
          },
        },
        functions = {
          bill = func { "project: reference(projects)", function(tracker, project)
            return project == tracker.projects[1], project.name
          end },
        },
      }
      feature "other" {
        derived = {
          name = function(state, app) return app.tracker.current and app.tracker.current.name end,
          owner = function(state, app) return app.tracker.owners.car end,
        },
      }
      """)
    try app.state.load(
      "function fill() tracker.add('a') tracker.log(1, 1) tracker.note() end"
    ).call()
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- read as the live record, which is the same object
      local site = tracker.add("site", 60)
      local e = tracker.log(site, 5)
      return e.project == site, rawequal(e.project, tracker.projects[1]), e.project.name, tracker.cost
      --> true true site 300
      -- take a record or an id, in actions, and where scripts assign
      local a, b = tracker.add("a"), tracker.add("b")
      local e = tracker.log(b.id, 1)
      local n = tracker.note(a)
      local first = n.project.name
      n.project = b; local second = n.project.name
      n.project = a.id; tracker.current = n.project
      tracker.move(e.id, a.id)
      return first, second, n.project.name, tracker.current.name, e.project.name --> a b a a a
      -- are nil without a record, and can be cleared
      local n = tracker.note()
      local before = n.project
      n.project = tracker.add("a"); n.project = nil
      tracker.current = 1; tracker.current = nil
      return before, n.project, tracker.current, tracker.fixed --> nil nil nil nil
      -- that refuse a removal leave all as it was, also if code catches that
      local a = tracker.add("a")
      tracker.note(a) tracker.task(a) tracker.log(a, 1) tracker.current = a
      local is_removed = tracker.try_drop(1)
      return is_removed, #tracker.projects, tracker.notes[1].project.name, #tracker.tasks, tracker.current.name
      --> false 1 a 1 a
      -- of records that go together don't keep each other
      tracker.pair(tracker.add("a")) tracker.drop(1)
      tracker.chain(3) tracker.clear_tasks()
      return #tracker.projects, #tracker.peers, #tracker.tasks --> 0 0 0
      -- in maps are the records of the list, and go with their keys
      tracker.own("car", tracker.add("a"))
      local is_same = rawequal(tracker.owners.car, tracker.projects[1])
      tracker.drop(1)
      return is_same, #tracker.owners, next({}), json.encode(tracker.owners) --> true 0 nil {}
      -- of other features are records, and their maps tables, in derived values that read the app
      tracker.current = tracker.add("a")
      local before = other.name
      tracker.own("car", 1) tracker.current = tracker.add("b")
      return before, other.name, other.owner --> a b 1
      -- go in circles
      tracker.chain(20000)
      local t = tracker.tasks[1]
      local text = json.encode(t)
      local parent = t.parent.id
      tracker.drop_task(7)
      return parent, text, #tracker.tasks --> 20000 {"id":1,"name":"","parent":20000} 0
      -- are records in actions, derived values, requests and functions
      local a = tracker.add("site", 2)
      tracker.log(a)
      return tracker.entries[1].minutes, tracker.all(), tracker.of(a), tracker.bill(1), tracker.ask(a), tracker.current.name
      --> 4 site site4 true site1 site
      -- follow changes of the record, and of which one it is, in derived values
      local a, b = tracker.add("a", 2), tracker.add("b", 3)
      tracker.log(a, 10)
      local costs = { tracker.cost }
      tracker.move(1, b.id); costs[2] = tracker.cost
      store.undo(); costs[3] = tracker.cost
      store.undo(2); costs[4] = #tracker.entries
      return table.concat(costs, " ") --> 20 30 20 0
      -- refuse records that aren't there
      fill() tracker.log(9, 1)
      --> …tracker.log.project: tracker.projects has no record with the id 9…
      fill() tracker.current = 9 --> …tracker.current: tracker.projects has no record with the id 9…
      fill() tracker.notes[1].project = 9
      --> …tracker.notes: project: tracker.projects has no record with the id 9…
      fill() tracker.move(1, 9)
      --> …tracker.entries: project: tracker.projects has no record with the id 9…
      fill() tracker.bill(9) --> …No record has the id 9…
      fill() tracker.of(9) --> …tracker.projects has no record with the id 9…
      -- refuse values that are no records of their list
      fill() tracker.log('a')
      --> …(project: a record of tracker.projects or its id expected, got "a")…
      fill() tracker.log(tracker.entries[1])
      --> …project: expected a record of tracker.projects or its id, found a table…
      fill() tracker.notes[1].project = tracker.entries[1]
      --> …tracker.notes[1].project: expected a record of tracker.projects or its id, found a table…
      fill() tracker.log(1.5) --> …a record of tracker.projects or its id expected, got 1.5…
      -- are cleared, or removed, with their record, if they are declared so
      local a, b = tracker.add("a"), tracker.add("b")
      tracker.note(a) tracker.note(b) tracker.current = a
      local t = tracker.task(a) tracker.task(b, t) tracker.task(b)
      local function state()
        local first, second = tracker.notes[1].project, tracker.notes[2].project
        return #tracker.notes .. (first and first.name or "-") .. second.name
          .. (tracker.current and tracker.current.name or "-") .. #tracker.tasks
      end
      tracker.drop(a.id)
      local dropped = state() .. tracker.tasks[1].id
      store.undo()
      local undone = state() .. tracker.tasks[2].parent.id
      store.redo()
      return dropped, undone, state() --> 2-b-13 2aba31 2-b-1
      -- give functions of queries only the ids of other records
      local a = tracker.add('a') tracker.log(a, 3) tracker.log(a, 4)
      return tracker.by_id[1].minutes, tracker.with_project, tracker.by_project[1].count --> 7 2 2
      local a = tracker.add('a') tracker.log(a, 3) tracker.log(a, 4) return tracker.by_name.a
      --> …a function of a query reads its own record, and only the ids of others…
      """))
  func scripts(example: LuaCase) async throws { try await app.check(example) }

  @Test("refuse to lose their record, and say who refers to it")
  func refusing() async throws {
    try await app.run("tracker.add('a') tracker.log(1, 1) tracker.log(1, 2)")
    for code in ["tracker.drop(1)", "tracker.drop_all()", "tracker.drop_where('a')"] {
      let failure = await app.failure(code)
      #expect(
        failure.contains(
          "tracker.projects: record 1 can't be removed: 2 records of tracker.entries refer to it by project"
        ), "\(failure)")
    }
    #expect(try await app.run("return #tracker.projects, #tracker.entries") == "1 2")
    try await app.run("tracker.swap(1) tracker.add('b') tracker.fix(2)")
    #expect(await app.failure("tracker.drop(2)").contains("tracker.fixed refers to it"))
  }

  @Test("aren't left dangling, nor maps with a key twice, by taking back what others built on")
  func takenBack() async throws {
    func refusal(_ numbers: ClosedRange<Int>) -> String {
      do {
        try app.store.takeBack(numbers)
        return "taken back"
      } catch {
        return error.userMessage
      }
    }
    try await app.run("tracker.add('a') tracker.log(1, 1)")
    #expect(refusal(1...1).contains("1 record of tracker.entries refers to it by project"))
    try await app.run("tracker.add('b') tracker.note(2) tracker.add('c')")
    #expect(refusal(3...3).contains("there are references to it since"))
    try await app.run("tracker.note(3).project = nil tracker.drop(3)")
    #expect(refusal(7...7).contains("tracker.projects has no record with the id 3"))
    try await app.run(
      "tracker.own('car', 1) tracker.own('car', 2) tracker.unown('car') tracker.own('car', 1)")
    #expect(refusal(11...11).contains("tracker.owners[\"car\"] has been changed since"))
  }

  @Test("refuse records of other apps")
  func otherApp() async throws {
    try await app.run("tracker.add('a') tracker.note() other = store.new() other.tracker.add('b')")
    for code in [
      "tracker.log(other.tracker.projects[1], 1)", "tracker.current = other.tracker.projects[1]",
      "tracker.notes[1].project = other.tracker.projects[1]",
    ] {
      let failure = await app.failure(code)
      #expect(failure.contains("a record of tracker.projects or its id"), "\(failure)")
    }
  }

  @Test("are ids in JSON, CSV and snapshots, and in the texts of actions")
  func texts() async throws {
    #expect(
      try await app.run(
        """
        local a = tracker.add("a")
        local e = tracker.log(a, 3)
        return json.encode(e), e.project.id, store.state().tracker.entries[1].project, tracker.entries:csv()
        """) == "{\"id\":1,\"minutes\":3,\"project\":1} 1 1 id,project,minutes\n1,1,3\n")
    #expect(try app.lastAction() == "tracker.log(1, 3)")
  }

  @Test("to a record that is gone read as nil")
  func dangling() async throws {
    let path = try app.folder.write(
      #"{"tracker": {"entries": [{"id": 1, "project": 7, "minutes": 1}], "current": 8}}"#,
      to: "state.json")
    #expect(
      try await app.run(
        "store.import('\(path)') return tracker.entries[1].project, tracker.current, tracker.all()")
        == "nil nil -")
  }

  @Test(
    "are declared with a list of the state",
    arguments: LuaCase.pairs(
      """
      reference 'people' --> the state of cart has no list 'people'
      reference 'count' --> the state of cart has no list 'count'
      reference 'prices' --> the state of cart has no list 'prices'
      reference(3) --> it must be the name of a list: reference "projects"
      reference { on_remove = 'clear' } --> it must be the name of a list
      reference { 'items', on_remove = 'drop' } --> it must be one of "refuse", "clear", "remove"
      reference { 'items', on_delete = 'clear' } --> there is no such part
      optional(reference 'items') --> a reference is a field of the state or of a list's records
      record { at = reference 'items' } --> a reference is a field of the state
      """))
  func declaration(type: String, problem: String) {
    let found = DeclaredFixture.problem(
      """
      feature "cart" {
        state = { items = list { name = "" }, prices = map("string", "integer"), count = 0, x = \(type) },
      }
      """)
    #expect(found.contains(problem), "\(found)")
  }

  @Test("of parameters are declared with a list of the state")
  func parameter() {
    let found = DeclaredFixture.problem(
      """
      feature "cart" {
        state = { items = list { name = "" } },
        actions = { buy = action { "item: reference(itms)", function(state, item) end } },
      }
      """)
    #expect(
      found.contains(
        "cart.actions.buy.item: the state of cart has no list 'itms'; did you mean 'items'?"),
      "\(found)")
  }
}
