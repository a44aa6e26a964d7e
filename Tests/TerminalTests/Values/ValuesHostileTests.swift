import Testing

/// Values that are large, endless or wrong, as users meet them and as scripts can make them.
@MainActor
@Suite("Hostile values at the prompt")
struct ValuesHostileTests {
  private let lua: ValuesInLua

  init() throws { lua = try ValuesInLua() }

  @Test("shows the beginning of a long string, and counts the rest")
  func longString() async throws {
    let shown = try await lua.shown("return ('x'):rep(10000000)", columns: 80, rows: 24)
    #expect(
      shown == "\"" + String(repeating: "x", count: 1000) + "\" ... 9,999,000 more bytes")
  }

  @Test(
    "in full",
    arguments: PromptCase.list(
      #"""
      -- shows less of a long string in a table, and never half a character
      > return { a = ('é'):rep(1000000), ('\0'):rep(99) }
      {
        "\x00\x00\x00\x00\x00\x00\x00\x00\x00" ... 90 more bytes,
        a = "éééééééééééééééééééééééééé" ... 1,999,948 more bytes,
      }
      -- shows the outer ones of 100,000 tables in each other
      > local t = {} for i = 1, 100000 do t = { t } end return t
      { { { { { { {...} } } } } } }
      -- marks cycles, but not tables that are there twice
      > local t, u = {}, {} t.t = t t.u = { u, u } u.t = t return t
      { t = <cycle>, u = { { t = <cycle> }, { t = <cycle> } } }
      """#)
      + PromptCase.list(
        columns: 44, rows: 14,
        """
        -- shows an equal part of each of many tables in each other
        > local function tree(depth)
        .   local t = {}
        .   for i = 1, depth > 0 and 9 or 0 do t['c' .. i] = tree(depth - 1) end
        .   return t
        . end
        . return tree(5)
        {
          c1 = { c1 = {...}, ... 8 more ... },
          c2 = { c1 = {...}, ... 8 more ... },
          c3 = { c1 = {...}, ... 8 more ... },
          c4 = { c1 = {...}, ... 8 more ... },
          c5 = { c1 = {...}, ... 8 more ... },
          c6 = { c1 = {...}, ... 8 more ... },
          c7 = { c1 = {...}, ... 8 more ... },
          c8 = { c1 = {...}, ... 8 more ... },
          c9 = { c1 = {...}, ... 8 more ... },
        }
        """))
  func shown(_ example: PromptCase) async throws { try await lua.check(example) }

  @Test("shows the first of 100,000 elements, and counts the rest")
  func manyElements() async throws {
    let shown = try await lua.shown(
      "local t = {} for i = 1, 100000 do t[i] = i end return t", columns: 80)
    #expect(shown.hasPrefix("{\n  1, 2, 3,"))
    #expect(shown.hasSuffix(" 100, ... 99,900 more ...\n}"))
  }

  @Test("shows some of 100,000 fields, sorted, and counts the rest")
  func manyFields() async throws {
    let lines = try await lua.styled(
      "local t = {} for i = 1, 100000 do t['k' .. i] = i end return t"
    ).map(\.text)
    #expect(lines.count == 17)
    #expect(lines[1...14].sorted() == Array(lines[1...14]))
    #expect(lines[15] == "  ... 99,986 more ...")
  }

  @Test(
    "says why a __tostring fails",
    arguments: [
      ("function() error('no text', 0) end", "no text"),
      ("function() error('\\27[2J', 0) end", "\\x1b[2J"),
      ("function() return {} end", "'__tostring' must return a string"),
      ("function() error({ code = 1 }) end", "(error object is a table value)"),
      ("function() task.sleep(1) end", "task.sleep waits"),
      ("function() while true do end end", "it takes too long"),
      ("function() while true do pcall(error) end end", "it takes too long"),
      ("42", "attempt to call a number value"),
    ])
  func failingText(code: String, reason: String) async throws {
    let shown = try await lua.shown("return setmetatable({}, { __tostring = \(code) })")
    #expect(shown.hasPrefix("<__tostring failed: "))
    #expect(shown.contains(reason))
  }

  @Test("limits the time that __tostring takes for all values together")
  func slowTexts() async throws {
    let code = """
      calls = 0
      local slow = { __tostring = function() calls = calls + 1 while true do end end }
      local t = {}
      for i = 1, 50 do t[i] = setmetatable({}, slow) end
      return t
      """
    let values = try await lua.values(code)
    _ = lua.formatter.lines(of: values, in: .init(columns: 80, rows: 24))
    // The first ones use up the time of all, and the others aren't called.
    let calls: Int = try lua.state.global("calls")
    #expect((1..<5).contains(calls))
  }

  @Test("runs no code of a value whose metatable pretends to be a module's")
  func pretendedModule() async throws {
    #expect(
      try await lua.shown(
        """
        local function fail() ran = true error('called') end
        return setmetatable({ 1, x = 2 }, {
          __module = 'counter', __len = fail, __index = fail, __pairs = fail,
        })
        """
      ).hasPrefix("module counter"))
    #expect(try await lua.shown("return ran") == "nil")
  }

  @Test(
    "shows numbers, truth values and nil as they are, whatever their metatables say",
    arguments: [("1", "1"), ("true", "true"), ("nil", "nil"), ("'x'", "\"x\"")])
  func metatablesOfTypes(code: String, text: String) async throws {
    let metatable = "{ __tostring = function() error('called') end }"
    let old = "local old = debug.getmetatable(\(code))"
    _ = try await lua.values("\(old) saved = old debug.setmetatable(\(code), \(metatable))")
    #expect(try await lua.shown("return \(code)") == text)
    _ = try await lua.values("debug.setmetatable(\(code), saved)")
  }

  @Test("shows an object of the host whose metatable was replaced")
  func replacedMetatable() async throws {
    #expect(
      try await lua.shown(
        """
        local sub = store.subscribe('todo', print)
        local file = io.tmpfile()
        debug.setmetatable(file, { __name = 1, __tostring = false })
        return sub, file
        """
      ).hasPrefix("1: subscription\n2: <__tostring failed: "))
  }

  @Test("shows a value with a character of a million marks")
  func marks() async throws {
    let shown = try await lua.shown("return { 'e' .. ('\\u{301}'):rep(1000000) }")
    #expect(shown.utf8.count < 2_000)
    #expect(shown.hasSuffix(" more bytes }") || shown.hasSuffix(" more bytes,\n}"))
  }
}
