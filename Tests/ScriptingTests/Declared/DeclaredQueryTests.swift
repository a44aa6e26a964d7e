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

  init() throws { app = try DeclaredFixture(Self.source) }

  private func addEntries() async throws {
    try await app.run(
      """
      tracker.add("2026-01-05", 30) tracker.add("2025-12-01", 20, true) tracker.add("2026-01-07", 10)
      """)
  }

  @Test("sum, count, select, sort and group records")
  func results() async throws {
    try await addEntries()
    #expect(
      try await app.run(
        "return tracker.minutes, tracker.amount, tracker.all, tracker.open, tracker.first, tracker.last"
      ) == "60 90.0 3 2 2025-12-01 2026-01-07")
    #expect(
      try await app.run(
        """
        local days = {}
        for _, e in ipairs(tracker.ranked) do days[#days + 1] = e.day end
        return table.concat(days, " "), #tracker.unpaid, tracker.unpaid[2].day, tracker.unpaid[3]
        """) == "2026-01-05 2025-12-01 2026-01-07 2 2026-01-07 nil")
    #expect(
      try await app.run(
        """
        local lines = {}
        for month, g in pairs(tracker.months) do
          lines[#lines + 1] = ("%s %d %d %d %s"):format(month, g.minutes, g.entries, g.open, g.last)
        end
        return table.concat(lines, "; "), #tracker.months, tracker.months["2026-02"]
        """) == "2025-12 20 1 0 2025-12-01; 2026-01 40 2 2 2026-01-07 2 nil")
    #expect(try await app.run("return tracker.described, tracker.of_queries") == "60 2 60 40")
  }

  @Test("of an empty list are 0, nil and empty")
  func empty() async throws {
    #expect(
      try await app.run(
        "return tracker.minutes, tracker.all, tracker.first, #tracker.unpaid, #tracker.months, tracker.of_queries"
      ) == "0 0 nil 0 0 0 0 -")
  }

  @Test("follow changes, undo, redo and other stores")
  func follow() async throws {
    try await addEntries()
    #expect(try await app.run("return tracker.open, tracker.of_queries") == "2 2 60 40")
    #expect(
      try await app.run("tracker.entries[1].paid = true return tracker.open, tracker.of_queries")
        == "1 1 60 40")
    #expect(try await app.run("store.undo() return tracker.open, #tracker.unpaid") == "2 2")
    #expect(try await app.run("store.undo() return tracker.months['2026-01'].minutes") == "30")
    #expect(try await app.run("store.redo(2) return tracker.minutes, tracker.open") == "60 1")
    #expect(
      try await app.run(
        "local o = store.new() o.tracker.add('2026-01-01', 5) return o.tracker.minutes, tracker.minutes"
      ) == "5 60")
  }

  @Test("give live lists, whose records are those of the list")
  func live() async throws {
    try await addEntries()
    #expect(
      try await app.run(
        """
        local unpaid = tracker.unpaid
        assert(rawequal(unpaid[1], tracker.entries[1]) and unpaid == tracker.unpaid)
        unpaid[1].paid = true
        return #unpaid, unpaid[1].day, tostring(unpaid)
        """) == "1 2026-01-07 tracker.unpaid (1)")
    #expect(
      await app.failure("tracker.unpaid[1] = 1")
        == "the elements of tracker.unpaid can't be assigned")
    #expect(await app.failure("tracker.unpaid = 1").contains("can't be assigned"))
  }

  @Test("keep the order of a list whose newest records come first")
  func newestFirst() async throws {
    #expect(
      try await app.run(
        """
        tracker.name("a") tracker.name("") tracker.name("b")
        return tracker.names[1].name .. tracker.names[2].name
        """) == "ba")
  }

  @Test("are right in the middle of an action")
  func inActions() async throws {
    try await addEntries()
    #expect(
      try await app.run(
        """
        return tracker.run [[
          local before = state.minutes
          state.unpaid[1].minutes = 100
          state.entries:remove(state.ranked[2])
          return before .. " " .. state.minutes .. " " .. #state.unpaid .. " " .. #state.months
        ]]
        """) == "60 110 2 1")
    #expect(try await app.run("return tracker.minutes, #tracker.months") == "110 1")
    _ = await app.failure(
      "tracker.run [[state.entries:clear() assert(state.minutes == 0) error('no')]]")
    #expect(try await app.run("return tracker.minutes, #tracker.unpaid") == "110 2")
  }

  @Test("whose function fails, or gives what they can't use, say for which record")
  func badFunctions() async throws {
    try await app.run("tracker.add('2026-01-01', 1) tracker.add('2026-01-01', 13)")
    #expect(
      await app.failure("return tracker.bad_sum")
        == "tracker.bad_sum: its function gives a string for the record with the id 2, and a sum needs numbers"
    )
    #expect(
      await app.failure("return #tracker.mixed")
        == "tracker.mixed: its function gives a string for the record with the id 2, and a number for others"
    )
    #expect(
      await app.failure("return tracker.raises").contains("attempt to perform arithmetic"))
    #expect(
      try await app.run(
        "tracker.entries[2].minutes = 12 return tracker.bad_sum, #tracker.mixed, tracker.raises")
        == "0 2 0")
  }

  @Test("give their functions records that only can be read, and only then")
  func records() async throws {
    try await addEntries()
    #expect(
      await app.failure("return #tracker.writer")
        .hasSuffix("tracker.entries: a function of a query only reads records"))
    #expect(
      await app.failure("return #tracker.keeper")
        .hasSuffix("a record that a query's function gets can be used only while it runs"))
  }

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
