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

  @Test(
    "in full",
    arguments: PromptCase.list(
      #"""
      -- names tables by __name, and reads them without their metamethods
      > local function fail() error('called') end
      . return setmetatable({ 1, x = 2 }, {
      .   __name = 'Point\27', __index = fail, __pairs = fail, __len = fail, __eq = fail,
      .   __call = fail, __metatable = false,
      . })
      Point\x1b { 1, x = 2 }
      -- sorts the elements first, then names, numbers, truth values, and the rest
      > return { 'x', b = 1, a = 2, B = 3, [-1] = 4, [1.5] = 5, [9] = 6, [true] = 7, [print] = 8 }
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
      -- shows an object as its __tostring does, on several lines
      > return setmetatable({}, { __tostring = function() return '1 2\n3 4' end })
      1 2
      3 4
      -- shows an object among others by its __tostring, on one line
      > return { setmetatable({}, { __tostring = function() return '1 2\n3 4' end }) }
      { 1 2\n3 4 }
      """#)
      + PromptCase.list(
        columns: 40, rows: 10,
        """
        -- counts the elements of tables in tables on their lines
        > local t = {}
        . for i = 1, 3 do
        .   t[i] = {}
        .   for j = 1, 10 do t[i][j] = { j } end
        . end
        . t.n = 3
        . return t
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
        -- counts the entries that the screen has no lines for
        > local t = {} for i = 1, 100 do t['key' .. 100 + i] = i end return t
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
      + PromptCase.list(
        columns: 40,
        """
        -- writes an entry a line where a table doesn't fit on one
        > return {
        .   name = 'a list', n = { 1, 2 },
        .   inner = { first = ('x'):rep(15), second = ('y'):rep(15) },
        . }
        {
          inner = {
            first = "xxxxxxxxxxxxxxx",
            second = "yyyyyyyyyyyyyyy",
          },
          n = { 1, 2 },
          name = "a list",
        }
        -- packs short elements into lines
        > local t = {} for i = 1, 20 do t[i] = i * 1000 end return t
        {
          1000, 2000, 3000, 4000, 5000, 6000,
          7000, 8000, 9000, 10000, 11000,
          12000, 13000, 14000, 15000, 16000,
          17000, 18000, 19000, 20000,
        }
        """))
  func shown(_ example: PromptCase) async throws { try await lua.check(example) }

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
}
