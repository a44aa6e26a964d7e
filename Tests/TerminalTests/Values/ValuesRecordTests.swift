import Lua
import Testing

@testable import PrimereplTerminal

@MainActor
@Suite("Lists of records at the prompt")
struct ValuesRecordTests {
  private let lua: ValuesInLua

  init() throws { lua = try ValuesInLua() }

  @Test(
    "in full",
    arguments: PromptCase.list(
      #"""
      -- shows a live list as a table with headed columns
      > todo.add('milk') todo.add('bread').done = true return todo.items
      ┌───┬────┬───────┬───────┐
      │ # │ id │ text  │ done  │
      ├───┼────┼───────┼───────┤
      │ 1 │  2 │ bread │ true  │
      │ 2 │  1 │ milk  │ false │
      └───┴────┴───────┴───────┘
      2 rows
      -- shows a module of records as a table, even of one row
      > persons.add{ name = 'Ann', age = 30 } return persons
      ┌───┬────┬──────┬─────┐
      │ # │ id │ name │ age │
      ├───┼────┼──────┼─────┤
      │ 1 │  1 │ Ann  │  30 │
      └───┴────┴──────┴─────┘
      1 row
      module persons: 5 members, help(persons)
      -- shows Lua tables of mostly the same names as a table, the id first
      > return {
      .   { name = 'Ann', id = 1, ok = true }, { name = 'Bo\nb', id = 20, tags = { 'x', 1 } },
      . }
      ┌───┬────┬───────┬──────┬────────────┐
      │ # │ id │ name  │ ok   │ tags       │
      ├───┼────┼───────┼──────┼────────────┤
      │ 1 │  1 │ Ann   │ true │ nil        │
      │ 2 │ 20 │ Bo\nb │ nil  │ { "x", 1 } │
      └───┴────┴───────┴──────┴────────────┘
      2 rows
      -- cuts the widest columns first, and never numbers
      > local row = { id = 123456789, short = 'abc', text = ('x'):rep(50), title = ('日'):rep(20) }
      . return { row, row }
      ┌───┬───────────┬───────┬─────────────────┬────────────────┐
      │ # │        id │ short │ text            │ title          │
      ├───┼───────────┼───────┼─────────────────┼────────────────┤
      │ 1 │ 123456789 │ abc   │ xxxxxxxxxxxxxx… │ 日日日日日日…  │
      │ 2 │ 123456789 │ abc   │ xxxxxxxxxxxxxx… │ 日日日日日日…  │
      └───┴───────────┴───────┴─────────────────┴────────────────┘
      2 rows
      """#)
      + PromptCase.list(
        columns: 30,
        """
        -- names the columns that don't fit
        > local x = ('x'):rep(20) return { { a = x, b = x, id = 1 }, { a = x, b = x, id = 2 } }
        ┌───┬────┬───────────────────┐
        │ # │ id │ a                 │
        ├───┼────┼───────────────────┤
        │ 1 │  1 │ xxxxxxxxxxxxxxxx… │
        │ 2 │  2 │ xxxxxxxxxxxxxxxx… │
        └───┴────┴───────────────────┘
        2 rows
        hidden: b; .page shows all
        """)
      + PromptCase.list(
        rows: 13,
        """
        -- shows as many rows as the screen has lines for, and counts the others
        > local t = {} for i = 1, 100000 do t[i] = { n = i } end return t
        ┌───┬───┐
        │ # │ n │
        ├───┼───┤
        │ 1 │ 1 │
        │ 2 │ 2 │
        │ 3 │ 3 │
        │ 4 │ 4 │
        └───┴───┘
        ... 99,996 more rows
        100,000 rows
        """))
  func shown(_ example: PromptCase) async throws { try await lua.check(example) }

  @Test(
    "shows other lists as they are",
    arguments: [
      ("{ { a = 1 } }", "{ { a = 1 } }"), ("{ { a = 1 }, { b = 1 }, { c = 1 } }", nil),
      ("{ { a = 1 }, 2 }", nil), ("{ { a = 1 }, { 1 } }", nil), ("{ {}, {} }", nil),
      ("{ { a = 1 }, { a = 2 }, n = 2 }", nil), ("{ { [1.5] = 1 }, { [1.5] = 2 } }", nil),
    ])
  func noRecords(code: String, text: String?) async throws {
    #expect(try await lua.shown("return \(code)") == text ?? code)
  }

  @Test("counts columns that don't fit if they are many")
  func manyColumns() async throws {
    let lines = try await lua.styled(
      """
      local row = {}
      for i = 1, 80 do row['column' .. i] = i end
      return { row, row, { column1 = 1, column2 = 2 } }
      """, columns: 60)
    #expect(lines.allSatisfy { $0.columns <= 60 })
    #expect(lines.last?.text == "75 columns are hidden; .page shows all")
  }

  @Test("keeps columns straight beside wide and right-to-left text")
  func wideText() async throws {
    let lines = try await lua.styled(
      "todo.add('日本語 🎉') todo.add('שלום') todo.add('e\\u{301}') return todo.items")
    #expect(Set(lines.dropLast().map(\.columns)).count == 1)
  }

  @Test("escapes what names and texts of rows contain")
  func hostileRows() async throws {
    let shown = try await lua.shown(
      "local row = { ['a\\27'] = '\\27[2J\\u{9b}\\xff' } return { row, row }")
    #expect(shown.contains(#"│ a\x1b"#))
    #expect(shown.contains(#"│ \x1b[2J\u{9b}\xff │"#))
    #expect(!shown.contains("\u{1B}"))
  }

  @Test("shows all rows and columns in the pager")
  func whole() async throws {
    let row = "{ id = i, text = ('x'):rep(200), other = ('y'):rep(300) }"
    let values = try await lua.values(
      "local t = {} for i = 1, 100 do t[i] = \(row) end return t")
    let lines = lua.formatter.whole(of: values, columns: 60).split(separator: "\n")
    #expect(lines.count == 105)
    #expect(lines[50].contains(String(repeating: "x", count: 200)))
    #expect(lines[50].contains(String(repeating: "y", count: 300)))
    #expect(lines.last == "100 rows")
  }

  @Test("reads only the rows that it shows of a list")
  func largeList() async throws {
    let row = try await lua.values("return { n = 1 }")[0]
    var positions: [Int] = []
    let list = ValueSequence(count: 100_000, isLive: true) { position in
      positions.append(position)
      return LuaExcerpt(row)
    }
    let table = try RecordTable(
      list, lua.formatter.reader(ValueLimits(width: 60, lines: 10)), lines: 10)
    #expect(table?.lines(width: 60).last?.text == "100,000 rows")
    #expect(positions == [1, 2, 3, 4])
  }
}
