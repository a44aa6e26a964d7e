import Testing

@testable import Lua

@MainActor
@Suite("Tables from Swift")
struct TableTests {
  let fixture: Fixture
  var state: LuaState { fixture.state }

  init() throws {
    fixture = try Fixture()
    try fixture.install()
  }

  private func table(_ source: String) throws -> LuaTable {
    try state.load("return \(source)").call(as: LuaTable.self)
  }

  @Test("an empty table is made, with any room for what comes", arguments: [0, 10, -1, Int.max])
  func empty(room: Int) throws {
    let table = try state.makeTable(elementCount: room == .max ? 100 : room, fieldCount: room)
    #expect(try table.entries().isEmpty)
    try table.set("x", to: 1)
    #expect(try table.get("x") == 1)
    #expect(try state.makeTable().length() == 0)
  }

  // MARK: - Entries

  @Test("a loop visits every key with its value")
  func entries() throws {
    let entries = try table("{10, [2] = 20, x = 'y', [2.5] = false}").entries()
    #expect(
      Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
        == [1: 10, 2: 20, "x": "y", 2.5: false])
  }

  @Test("a loop may change the table")
  func changing() throws {
    let table = try table("{a = 1, b = 2, c = 3}")
    var sum = 0
    for (key, value) in try table.entries() {
      try table.set(key, to: LuaValue.nil)
      try table.set("new \(sum)", to: true)
      sum += try value.as(Int.self)
    }
    #expect(sum == 6)
    #expect(try table.entries().count == 3)
  }

  @Test("entries are read as types, and one of another type is named by its key")
  func typedEntries() throws {
    let ages = try table("{ann = 31, bob = 27}").entries(as: (String, Int).self)
    #expect(ages.sorted { $0.key < $1.key }.map(\.value) == [31, 27])
    #expect(
      try problem { try table("{ann = 'old'}").entries(as: (String, Int).self) }
        == "wrong_type: field 'ann': integer expected, got string")
    #expect(
      try problem { try table("{31}").entries(as: (String, Int).self) }
        == "wrong_type: key 1: string expected, got number")
    #expect(try fixture.stackCount == 0)
  }

  @Test("entries are read in a finalizer, and those of another state wherever that is open")
  func entriesElsewhere() throws {
    var count = 0
    let other = try LuaState().makeTable(["a", "b"])
    let own = try state.function("own") { (table: LuaTable) in
      count = try table.entries().count
      let error = #expect(throws: LuaError.self) { try other.entries() }
      #expect(error?.code == .stateClosed)
    }
    try state.setGlobal("own", to: own)
    try fixture.call("setmetatable({}, {__gc = function() own({1, 2, 3}) end})")
    try state.collectAll()
    #expect(count == 3)
  }

  @Test("no metamethods run for entries")
  func rawEntries() throws {
    let table = try table(
      "setmetatable({1}, {__pairs = error, __index = error, __len = error, __newindex = error})")
    #expect(try table.entries().count == 1)
    #expect(try table.rawGet("x") == nil)
    #expect(try table.rawLength() == 1)
    try table.rawSet("x", to: 2)
    #expect(try table.rawGet("x", as: Int.self) == 2)
  }

  @Test("reading an entry may run code that changes the table")
  func changedWhileRead() throws {
    let table = try table(
      """
      (function()
        local all = {}
        for i = 1, 100 do
          all[i] = setmetatable({}, {__index = function(_, key)
            for j = 1, 100 do all[j] = nil all['k' .. i .. j] = {x = 1} end
            return i
          end})
        end
        return all
      end)()
      """)
    let entries = try table.entries(as: (LuaValue, LuaCoded<Position>).self)
    #expect(entries.map(\.value.value.x) == Array(1...100))
  }

  @Test("entries are read where the memory limit leaves no room for a copy")
  func withoutMemory() throws {
    let table = try table(
      "(function() local t = {} for i = 1, 10000 do t[i] = i end return t end)()")
    try state.limitMemory(to: state.memoryUsed() + 1_000)
    #expect(try table.entries().count == 10_000)
  }

  @Test("the registry, which the debug library gives away, has its entries then")
  func registry() throws {
    let registry = try table("debug.getregistry()")
    let before = try registry.entries(atMost: 10_000)
    #expect(before.areAll)
    #expect(before.entries.count < 1_000)
  }

  @Test("a loop in a function that Lua called ends when the code is to stop")
  func stopped() throws {
    try fixture.addStop()
    fixture.host.function("visit", "t") { (table: LuaTable) in try table.entries().count }
    try fixture.install()
    let error = try fixture.failure("host.stop() host.visit({1, 2, 3})")
    #expect(error.code == .interrupted)
  }

  // MARK: - Raw access and metatables

  @Test("a key that is nil or NaN is an error, and a raw one of another state too")
  func badKeys() throws {
    let table = try state.makeTable()
    #expect(try problem { try table.rawSet(LuaValue.nil, to: 1) } == "runtime_error: index is nil")
    #expect(throws: LuaError.self) { try table.set(LuaValue.nil, to: 1) }
    #expect(throws: LuaError.self) { try table.set(Double.nan, to: 1) }
    let undefined = try #require(throws: LuaError.self) { try table.rawSet(Double.nan, to: 1) }
    #expect(undefined.message == "index is NaN")
    let foreign = try LuaState().makeTable()
    #expect(throws: LuaError.self) { try table.rawSet(foreign, to: 1) }
    #expect(throws: LuaError.self) { try table.rawSet(1, to: foreign) }
    #expect(throws: LuaError.self) { try table.setMetatable(foreign) }
    #expect(try table.entries().isEmpty)
    #expect(try fixture.stackCount == 0)
  }

  @Test("a metatable is set, read and removed, whatever it says")
  func metatables() throws {
    let table = try state.makeTable()
    #expect(try table.metatable() == nil)
    let metatable = try self.table("{__index = {x = 7}, __metatable = 'locked'}")
    try table.setMetatable(metatable)
    #expect(try table.get("x") == 7)
    #expect(try table.metatable() == metatable)
    try table.setMetatable(nil)
    #expect(try table.get("x", as: Int?.self) == nil)
    #expect(try table.metatable() == nil)
  }

  @Test(
    "a finalizer of a metatable set from Swift runs, and can be stopped", arguments: [true, false])
  func finalizers(hasDebug: Bool) throws {
    let state = try LuaState(libraries: hasDebug ? .all : .sandbox)
    state.limitInstructions(to: 100_000)
    try state.load("ran = 0").call()
    let metatable = try state.load(
      "return {__gc = function() ran = ran + 1 while true do end end}"
    ).call(as: LuaTable.self)
    do { try state.makeTable().setMetatable(metatable) }
    try state.collectAll()
    #expect(try state.global("ran") == 1)
  }
}

private struct Position: Decodable { var x: Int }
