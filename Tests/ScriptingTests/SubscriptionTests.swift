import Lua
import SampleApp
import Testing
import TestSupport

@MainActor
@Suite("Subscriptions")
struct SubscriptionTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- end when they are cancelled, even twice, and from inside
      local calls = 0
      local sub
      sub = store.subscribe("counter.count", function() calls = calls + 1 sub:cancel() end)
      counter.increment() counter.increment()
      sub:cancel()
      counter.increment()
      return calls --> 1
      -- can be made by a subscriber, and report later changes
      local seen, made = {}, false
      store.subscribe("counter.count", function()
        if made then return end
        made = true
        store.subscribe("counter.count", function(new) seen[#seen + 1] = new end)
      end)
      counter.increment() counter.increment() counter.increment()
      return table.concat(seen, " ") --> 2 3
      -- of everything report every field by its path
      local paths = {}
      store.subscribe("", function(changes)
        for path, change in pairs(changes) do
          paths[#paths + 1] = path .. "=" .. tostring(change.new or change[1].edit)
        end
      end)
      counter.increment()
      todo.query = "milk"
      favorites.add(2)
      return table.concat(paths, " ") --> counter.count=1 todo.query=milk favorites=inserted
      -- of part of a field report its new and old value, also by position in a list
      local seen = {}
      local function see(new, old) seen[#seen + 1] = tostring(old) .. ">" .. tostring(new) end
      todo.add("milk")
      store.subscribe("todo.items[1].text", see)
      store.subscribe("favorites[2]", see)
      store.subscribe("counter.modal.text", see)
      todo.items[1].text = "tea" todo.add("bread")
      favorites.add(2) favorites.add(3) favorites.remove(2)
      counter.ask_is_prime()
      store.undo(2)
      return table.concat(seen, ", ")
      --> milk>tea, tea>bread, nil>3, 3>nil, nil>0 is not prime :(, nil>3, 0 is not prime :(>nil
      -- of hundreds of parts each report their own, and can be cancelled by one of them
      local subs, heard = {}, {}
      for i = 1, 300 do
        persons.add({ name = "x", age = 1 })
        subs[i] = store.subscribe("persons[" .. i .. "].age", function(new) heard[i] = new end)
      end
      store.reset() store.undo()
      local count = #heard
      subs[301] = store.subscribe("counter.count", function()
        for _, sub in ipairs(subs) do sub:cancel() end
      end)
      counter.increment() persons[7].age = 2 counter.increment()
      return count, heard[1], heard[300], heard[7] --> 300 1 1 1
      -- of an app last as long as anything of it can be reached
      local seen = {}
      local function note(word) return function() seen[#seen + 1] = word end end
      local function collect() collectgarbage() collectgarbage() end
      local increment, person, subscription
      do
        local a = store.new()
        a.store.subscribe("counter.count", note("function"))
        increment = a.counter.increment
      end
      do
        local a = store.new()
        a.persons.add { name = "Ann", age = 30 }
        a.store.subscribe("persons", note("record"))
        person = a.persons[1]
      end
      collect()
      increment()
      person.name = "Bea"
      return table.concat(seen, " ") --> function record
      -- that send an action at each call get an error when too many reports are pending
      local failure
      store.subscribe("todo.query", function() end)
      store.subscribe("counter.count", function()
        if failure then return end
        for i = 1, 2 do
          local ok, e = pcall(counter.increment)
          if not ok then failure = e end
        end
      end)
      counter.increment()
      return failure.code, tostring(failure)
      --> too_many_reports The subscriber of "counter.count" sends an action for every report, and
      --> 100000 reports are queued: send one only when something must change.
      """))
  func scripts(example: LuaCase) async throws { try await app.state.check(example) }

  @Test("last until they are cancelled, whether or not they are held")
  func lasts() async throws {
    try await app.run(
      "calls = 0 store.subscribe('counter.count', function() calls = calls + 1 end)")
    try app.state.collectGarbage()
    #expect(try await app.text("collectgarbage() counter.increment() return calls") == "1")
  }

  @Test("end with their app when it becomes unreachable, even if they refer to it")
  func unreachableApp() async throws {
    try await app.run(
      """
      apps = setmetatable({}, {__mode = "k"})
      local function make()
        local a = store.new()
        apps[a] = true
        a.store.subscribe("counter.count", function() return a end)
        a.store.on_action(function() return a end)
        a.counter.increment()
      end
      for i = 1, 10 do make() end
      """)
    try app.state.collectGarbage()
    try app.state.collectGarbage()
    #expect(try await app.text("return next(apps)") == "nil")
  }

  @Test("that are cancelled get no pending reports; others do")
  func stopped() async throws {
    let interrupter = try app.state.interrupter()
    let host = LuaModule("host", help: "Stops.")
    host.function("stop", help: "Interrupts.", example: "host.stop()") {
      _ = interrupter.interrupt()
    }
    try app.state.setGlobal("host", to: host)
    var heardBySwift: [Int] = []
    let store = app.session.store
    try store.observe("counter.count") { _ in
      heardBySwift.append(store.state(of: Counter.self).count)
    }
    let error = await app.failure(
      """
      calls, after = 0, 0
      store.subscribe("counter.count", function()
        calls = calls + 1
        if calls > 1 then return end
        for i = 1, 10 do counter.increment() end
        host.stop()
        while true do end
      end)
      store.subscribe("counter.count", function() after = after + 1 end)
      counter.increment()
      """)
    #expect(error?.is(.interrupted) == true)
    #expect(try await app.text("return calls, after") == "1 0")
    #expect(heardBySwift.count == 11)
    #expect(try await app.text("counter.increment() return calls, after") == "2 1")
  }

  @Test("can't wait, which is reported by the function's name; a task can")
  func waiting() async throws {
    var reported: [any Error] = []
    app.session.store.onObserverFailure = { reported.append($0) }
    #expect(
      try await app.text(
        """
        local spawned
        store.subscribe("counter.count", function() task.sleep(0) end)
        store.subscribe("counter.count", function()
          spawned = task.spawn(function() task.sleep(0) return "waited" end)
        end)
        counter.increment()
        return spawned:await()
        """) == "waited")
    let errors = reported.compactMap { $0 as? LuaError }
    #expect(errors.map(\.code) == ["cannot_wait"])
    #expect(errors.first?.message.hasPrefix("task.sleep waits, and ") == true)
  }

  @Test("that fail are reported with the value raised and the calls that led there")
  func failure() async throws {
    var reported: [LuaError] = []
    app.session.store.onObserverFailure = { error in
      if let error = error as? LuaError { reported.append(error) }
    }
    try await app.run(
      """
      local function deep() favorites.add(8) end
      store.subscribe("counter.count", function() deep() end)
      counter.increment()
      """)
    #expect(reported.map(\.code) == ["not_prime"])
    #expect(reported.first?.location == "test:1")
    #expect(reported.first?.traceback?.contains("in upvalue 'deep'") == true)
  }

  @Test("of an app of store.new() report to the same place")
  func failureInNewApp() async throws {
    var reported: [String] = []
    app.session.store.onObserverFailure = { reported.append("\($0)") }
    try await app.run(
      """
      local a = store.new()
      a.store.subscribe("counter.count", function() error("broken", 0) end)
      a.counter.increment()
      counter.increment()
      """)
    #expect(reported == ["broken"])
  }

  @Test("of a list report changes and replacements")
  func listEdits() async throws {
    async let text = app.text(
      """
      local seen = {}
      todo.add("milk")
      store.subscribe("todo.items", function(edits)
        for _, e in ipairs(edits) do
          local new, old = e.new or e.value, e.old
          seen[#seen + 1] = e.edit .. (e.position or #e.values)
            .. (new and new.text or "") .. (old and "<" .. old.text or "")
        end
      end)
      local id = todo.add("bread").id
      todo.rename(id, "rye bread")
      todo.remove(todo.items[2].id)
      todo.fetch()
      return table.concat(seen, ", ")
      """)
    try await app.clock.waitForSleepers(1)
    app.clock.advance(by: .seconds(2))
    #expect(
      try await text == "inserted1bread, changed1rye bread<bread, removed2milk, replaced2")
  }
}
