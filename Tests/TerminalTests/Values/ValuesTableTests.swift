import Testing

@testable import PrimereplTerminal

@MainActor
@Suite("Tables at the prompt")
struct ValuesTableTests {
  private let lua: ValuesInLua

  init() throws { lua = try ValuesInLua() }

  @Test(
    "writes tables that fit on one line",
    arguments: [
      ("{}", "{}"), ("{ 1, 2.0, 'x' }", #"{ 1, 2.0, "x" }"#), ("{ 1, nil, 3 }", "{ 1, nil, 3 }"),
      ("{ {}, { {} } }", "{ {}, { {} } }"),
      (
        "{ ['two words'] = 1, ['end'] = 2, [''] = 3 }",
        #"{ [""] = 3, ["end"] = 2, ["two words"] = 1 }"#
      ),
      ("{ ['a\\27'] = 1 }", #"{ ["a\x1b"] = 1 }"#), ("{ ['\\xff'] = 1 }", #"{ ["\xff"] = 1 }"#),
      ("{ [{}] = 1 }", "{ [{...}] = 1 }"), ("{ [print] = 1 }", "{ [function print] = 1 }"),
    ])
  func oneLine(code: String, text: String) async throws {
    #expect(try await lua.shown("return \(code)") == text)
  }

  @Test("sorts the elements first, then names, numbers, truth values, and the rest")
  func order() async throws {
    #expect(
      try await lua.shown(
        "return { 'x', b = 1, a = 2, B = 3, [-1] = 4, [1.5] = 5, [9] = 6, [true] = 7, [print] = 8 }",
        columns: 80)
          == """
          {
            "x",
            B = 3,
            a = 2,
            b = 1,
            [-1] = 4,
            [1.5] = 5,
            [9] = 6,
            [true] = 7,
            [function print] = 8,
          }
          """)
  }

  @Test("writes an entry a line where a table doesn't fit on one")
  func folded() async throws {
    #expect(
      try await lua.shown(
        """
        return {
          name = 'a list', inner = { first = ('x'):rep(15), second = ('y'):rep(15) }, n = { 1, 2 },
        }
        """, columns: 40) == """
          {
            inner = {
              first = "xxxxxxxxxxxxxxx",
              second = "yyyyyyyyyyyyyyy",
            },
            n = { 1, 2 },
            name = "a list",
          }
          """)
  }

  @Test("packs short elements into lines")
  func packed() async throws {
    #expect(
      try await lua.shown(
        "local t = {} for i = 1, 20 do t[i] = i * 1000 end return t", columns: 40) == """
          {
            1000, 2000, 3000, 4000, 5000, 6000,
            7000, 8000, 9000, 10000, 11000,
            12000, 13000, 14000, 15000, 16000,
            17000, 18000, 19000, 20000,
          }
          """)
  }

  @Test("counts the entries that the screen has no lines for")
  func shortened() async throws {
    #expect(
      try await lua.shown(
        "local t = {} for i = 1, 100 do t['key' .. 100 + i] = i end return t", rows: 10) == """
          {
            key101 = 1,
            key102 = 2,
            key103 = 3,
            key104 = 4,
            key105 = 5,
            key106 = 6,
            key107 = 7,
            ... 93 more ...
          }
          """)
  }

  @Test("counts the elements of tables in tables on their lines")
  func shortenedInner() async throws {
    #expect(
      try await lua.shown(
        """
        local t = {}
        for i = 1, 3 do
          t[i] = {}
          for j = 1, 10 do t[i][j] = { j } end
        end
        t.n = 3
        return t
        """, columns: 40, rows: 10) == """
          {
            { { 1 }, { 2 }, ... 8 more ... },
            { { 1 }, { 2 }, ... 8 more ... },
            {
              { 1 },
              { 2 },
              ... 8 more ...
            },
            n = 3,
          }
          """)
  }

  @Test("never takes more lines than the screen has, nor wider ones")
  func bounds() async throws {
    let code = """
      local function tree(depth)
        local t = { name = ('long '):rep(20), 'x', 2.5 }
        if depth > 0 then for i = 1, 7 do t['child' .. i] = tree(depth - 1) end end
        return t
      end
      return tree(4)
      """
    for (columns, rows) in [(20, 5), (30, 24), (80, 24), (200, 60)] {
      let lines = try await lua.styled(code, columns: columns, rows: rows)
      #expect(lines.count <= max(10, rows - 3))
      #expect(lines.allSatisfy { $0.columns <= columns })
    }
  }

  @Test("names tables by __name, and reads them without their metamethods")
  func named() async throws {
    #expect(
      try await lua.shown(
        """
        local function fail() error('called') end
        return setmetatable({ 1, x = 2 }, {
          __name = 'Point\\27', __index = fail, __pairs = fail, __len = fail, __eq = fail,
          __call = fail, __metatable = false,
        })
        """) == #"Point\x1b { 1, x = 2 }"#)
  }

  @Test("shows an object as its __tostring does, on several lines if it is the only value")
  func ownText() async throws {
    let code = "local o = setmetatable({}, { __tostring = function() return '1 2\\n3 4' end }) "
    #expect(try await lua.shown(code + "return o") == "1 2\n3 4")
    #expect(try await lua.shown(code + "return { o }") == #"{ 1 2\n3 4 }"#)
  }
}
