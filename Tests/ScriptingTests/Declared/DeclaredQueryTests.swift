import Lua
import StateStore
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("Queries of declared features")
struct DeclaredQueryTests {
  private static let source = """
    local kept
    feature "tracker" {
      state = {
        entries = list { day = "", minutes = editable(0), rate = 1.5, paid = editable(false) },
        newest = list { name = "", newest_first = true },
        note = "",
      },
      derived = {
        minutes = sum("entries", function(e) return e.minutes end),
        amount = sum("entries", function(e) return e.minutes * e.rate end),
        all = count("entries"),
        open = count("entries", function(e) return not e.paid end),
        unpaid = where("entries", function(e) return not e.paid end),
        ranked = sorted("entries", function(e) return -e.minutes end),
        names = where("newest", function(n) return n.name ~= "" end),
        first = min("entries", function(e) return e.day end),
        last = max("entries", function(e) return e.day end),
        months = group("entries", function(e) return e.day:sub(1, 7) end, {
          minutes = sum(function(e) return e.minutes end), entries = count(),
          open = count(function(e) return not e.paid end), last = max(function(e) return e.day end),
        }),
        described = derived { help = "All minutes.", sum("entries", function(e) return e.minutes end) },
        of_queries = function(state)
          return #state.unpaid .. " " .. state.minutes .. " " .. (state.months["2026-01"] or { minutes = "-" }).minutes
        end,
        keeper = where("entries", function(e) local last = kept kept = e return last and last.minutes end),
        writer = where("entries", function(e) e.minutes = 1 return true end),
        mixed = sorted("entries", function(e) return e.minutes == 13 and "a" or 1 end),
        bad_sum = sum("entries", function(e) return e.minutes == 13 and "13" or 0 end),
        raises = count("entries", function(e) return e.minutes == 13 and nil + 1 end),
      },
      actions = {
        add = action { "day: string", "minutes: integer", "[paid: boolean]", function(state, day, minutes, paid)
          return state.entries:append { day = day, minutes = minutes, paid = paid }
        end },
        name = function(state, name) state.newest:append { name = name } end,
        run = function(state, code) return load(code, "=run", "t", setmetatable({ state = state }, { __index = _G }))() end,
      },
    }
    """

  private let app: DeclaredFixture

  init() throws {
    app = try DeclaredFixture(Self.source)
    try app.state.load(
      """
      function add_entries()
        tracker.add("2026-01-05", 30)
        tracker.add("2025-12-01", 20, true)
        tracker.add("2026-01-07", 10)
      end
      """
    ).call()
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- sum and count records
      add_entries() local t = tracker return t.minutes, t.amount, t.all, t.open, t.first, t.last
      --> 60 90.0 3 2 2025-12-01 2026-01-07
      add_entries() return tracker.described, tracker.of_queries --> 60 2 60 40
      -- sort and select records
      add_entries()
      local days = tracker.ranked:map(function(e) return e.day end)
      return table.concat(days, " "), #tracker.unpaid, tracker.unpaid[2].day, tracker.unpaid[3]
      --> 2026-01-05 2025-12-01 2026-01-07 2 2026-01-07 nil
      -- group records
      add_entries()
      local lines = {}
      for month, g in pairs(tracker.months) do
        lines[#lines + 1] = ("%s %d %d %d %s"):format(month, g.minutes, g.entries, g.open, g.last)
      end
      return table.concat(lines, "; "), #tracker.months, tracker.months["2026-02"]
      --> 2025-12 20 1 0 2025-12-01; 2026-01 40 2 2 2026-01-07 2 nil
      -- of an empty list are 0, nil and empty
      local t = tracker return t.minutes, t.all, t.first, #t.unpaid, #t.months, t.of_queries
      --> 0 0 nil 0 0 0 0 -
      -- follow changes, undo, redo and other stores
      add_entries()
      local seen = { tracker.open .. ": " .. tracker.of_queries }
      tracker.entries[1].paid = true seen[2] = tracker.open .. ": " .. tracker.of_queries
      store.undo() seen[3] = tracker.open .. " " .. #tracker.unpaid
      store.undo() seen[4] = tracker.months['2026-01'].minutes
      store.redo(2) seen[5] = tracker.minutes .. " " .. tracker.open
      local o = store.new() o.tracker.add('2026-01-01', 5)
      return table.concat(seen, ", "), o.tracker.minutes, tracker.minutes
      --> 2: 2 60 40, 1: 1 60 40, 2 2, 30, 60 1 5 60
      -- give live lists, whose records are those of the list
      add_entries()
      local unpaid = tracker.unpaid
      assert(rawequal(unpaid[1], tracker.entries[1]) and unpaid == tracker.unpaid)
      unpaid[1].paid = true
      return #unpaid, unpaid[1].day, tostring(unpaid) --> 1 2026-01-07 tracker.unpaid (1)
      tracker.unpaid[1] = 1 --> the elements of tracker.unpaid can't be assigned
      tracker.unpaid = 1 --> …can't be assigned…
      -- keep the order of a list whose newest records come first
      tracker.name("a") tracker.name("") tracker.name("b")
      return tracker.names[1].name .. tracker.names[2].name --> ba
      -- have their records only in their list also in the history
      add_entries()
      local changes = store.history(1)[1].changes
      return #changes["tracker.entries"], changes["tracker.minutes"].new, changes["tracker.unpaid"],
        changes["tracker.ranked"], changes["tracker.months"] --> 1 60 nil nil nil
      -- are right in the middle of an action, and after it was refused
      add_entries()
      local within = tracker.run [[
        local before = state.minutes
        state.unpaid[1].minutes = 100
        state.entries:remove(state.ranked[2])
        return before .. " " .. state.minutes .. " " .. #state.unpaid .. " " .. #state.months
      ]]
      local after = tracker.minutes .. " " .. #tracker.months
      pcall(tracker.run, "state.entries:clear() assert(state.minutes == 0) error('no')")
      return within, after, tracker.minutes, #tracker.unpaid --> 60 110 2 1 110 1 110 2
      -- whose function fails, or gives what they can't use, say for which record
      tracker.add('2026-01-01', 1) tracker.add('2026-01-01', 13) return tracker.bad_sum
      --> tracker.bad_sum: its function gives a string for the record with the id 2, and a sum needs
      --> numbers
      tracker.add('2026-01-01', 1) tracker.add('2026-01-01', 13) return #tracker.mixed
      --> tracker.mixed: its function gives a string for the record with the id 2, and a number for
      --> others
      tracker.add('2026-01-01', 13) return tracker.raises --> …attempt to perform arithmetic…
      -- that failed are right when the record has changed
      tracker.add('2026-01-01', 1) tracker.add('2026-01-01', 13)
      for _, name in ipairs { "bad_sum", "raises" } do
        assert(not pcall(function() return tracker[name] end))
      end
      assert(not pcall(function() return #tracker.mixed end))
      tracker.entries[2].minutes = 12
      return tracker.bad_sum, #tracker.mixed, tracker.raises --> 0 2 0
      -- give their functions records that only can be read, and only then
      add_entries() return #tracker.writer
      --> …tracker.entries: a function of a query only reads records
      add_entries() return #tracker.keeper
      --> …a record that a query's function gets can be used only while it runs
      """))
  func scripts(example: LuaCase) async throws { try await app.check(example) }

  @Test(
    "that are declared wrongly are refused with the line",
    arguments: LuaCase.pairs(
      """
      sum("itms", function(i) return i.n end) --> : x has no list 'itms'; did you mean 'items'?
      sum("n", function(i) return i.n end) --> : x has no list 'n'; there are items
      sum("items") --> : sum needs a function of a record
      where(function(i) return true end)
      --> : it needs the name of a list: where("items", function(item) ... end)
      group("items", function(i) return i.n end)
      --> : a group has a table of sum, count, min and max: { total = sum(function(item) ... end) }
      group("items", function(i) return i.n end, { a = sum("items", function() end) })
      --> .a: it is about the records of a group: write sum(function(record) ... end)
      derived { "n: integer", count("items") }
      --> : a query has no parameters; write a function(state, ...)
      7 --> : it must be a function, or a query such as sum(...)
      """))
  func mistakes(query: String, problem: String) {
    let found = DeclaredFixture.problem(
      """
      feature "x" {
        state = { items = list { n = 0 }, n = 0 },
        derived = {
          q = \(query),
        },
      }
      """)
    #expect(found == "shop.lua:4: x.derived.q\(problem)")
  }

  @Test("give what computing everything again gives, after any actions", arguments: 1...2)
  func property(seed: Int) async throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    let all = """
      local parts = {}
      local function add(...) for _, v in ipairs { ... } do parts[#parts + 1] = tostring(v) end end
      local function ids(list) for _, e in ipairs(list) do add(e.id) end add("|") end
      local t = ...
      add(t.minutes, t.amount, t.all, t.open, t.first or "-", t.last or "-", t.of_queries)
      ids(t.unpaid) ids(t.ranked)
      for month, g in pairs(t.months) do add(month, g.minutes, g.entries, g.open, g.last) end
      return table.concat(parts, " ")
      """
    try await app.run("function all(...) \(all) end")
    for _ in 1...25 {
      var code = ""
      for _ in 0...number(0...6) {
        switch number(0...9) {
        case 0...3:
          code +=
            "tracker.add('2026-0\(number(1...4))-1\(number(0...9))', \(number(0...50)), \(number(0...1) == 0)) "
        case 4: code += "if #tracker.entries > 0 then tracker.entries[1].paid = true end "
        case 5:
          code +=
            "tracker.run('if state.entries[1] then state.entries:remove(state.entries[#state.entries]) end') "
        case 6:
          code +=
            "tracker.run('if state.entries[2] then state.entries:move(state.entries[2], 1) end') "
        case 7: code += "pcall(store.undo, \(number(1...5))) "
        case 8: code += "pcall(store.redo) "
        default:
          code +=
            "tracker.run('for _, e in ipairs(state.entries) do e.minutes = e.minutes + 1 end') "
        }
      }
      let followed = try await app.run("pcall(function() \(code) end) return all(tracker)")
      // An app that reads the same state has seen none of the changes.
      let fresh = try DeclaredFixture.like(app)
      let path = "\(app.folder.path)/state.json"
      try await app.run("store.export('\(path)')")
      try await fresh.run("store.import('\(path)') function all(...) \(all) end")
      #expect(try await followed == fresh.run("return all(tracker)"))
    }
  }

  @Test("have no first result for a line of changes if the list is long, until somebody reads them")
  func firstResults() async throws {
    try await app.run("tracker.run('for i = 1, 6000 do state.entries:append { minutes = 1 } end')")
    func uncomputed() async throws -> [String] {
      let earlier = app.store.states
      try await app.run("tracker.add('2026-01-05', 30)")
      return app.store.schema.differences(
        from: earlier, to: app.store.states, comparingAtMost: 100, computingAll: false
      ).uncomputed
    }
    #expect(try await uncomputed().contains("tracker.minutes"))
    #expect(try await app.run("return tracker.minutes") == "6030")
    let rest = try await uncomputed()
    #expect(!rest.contains("tracker.minutes"))
    #expect(rest.contains("tracker.amount"))
  }
}
