import Lua
import Testing

@testable import Scripting

@MainActor
@Suite("The module csv")
struct CSVModuleTests {
  private let app: DeclaredFixture

  init() throws {
    app = try DeclaredFixture(
      """
      feature "bank" {
        state = { entries = list { text = "", amount = 0.0, day = date, pin = secret, tag = optional "string" }, names = set "string" },
        derived = {
          large = where("entries", function(e) return e.amount > 1 end),
          months = group("entries", function(e) return date.month(e.day) end, { sum = sum(function(e) return e.amount end) }),
        },
        actions = {
          add = action { "text: string", "amount: number", "pin: secret", function(state, text, amount, pin)
            state.entries:append { text = text, amount = amount, pin = pin, day = "2026-01-02" }
          end },
          import = action { "rows: table", function(state, rows)
            for _, row in ipairs(rows) do
              state.entries:append { text = row.text, amount = tonumber(row.amount), day = row.day, tag = row.tag }
            end
          end },
        },
      }
      """)
  }

  private static nonisolated let rows: [(String, String)] = [
    (
      #"{ { name = 'Ann, "x"', n = 1 }, { name = "b\nc", z = true } }"#,
      "n,name,z\n1,\"Ann, \"\"x\"\"\",\n,\"b\nc\",true\n"
    ),
    ("{ { 1, 2 }, { 3, 'x,y' } }", "1,2\n3,\"x,y\"\n"),
    ("{ 'a', 'b' }", "value\na\nb\n"),
    ("{ { a = { 1, { b = 2 } } } }", "a\n\"[1,{\"\"b\"\":2}]\"\n"),
    ("{ { a = 1, b = 2 } }, { columns = { 'b', 'c' } }", "b,c\n2,\n"),
    ("{ { a = 1, b = 2 } }, { header = false }", "1,2\n"),
    ("{ { a = 'x;y', b = 'x,y' } }, { separator = ';' }", "a;b\n\"x;y\";x,y\n"),
    ("{ { name = '' }, { name = 'x' }, {} }", "name\n\"\"\nx\n\"\"\n"),
    ("{}", ""), ("{}, { columns = { 'a', 'b' } }", "a,b\n"),
    ("{ { a = 'x\"\\u{301}y' } }", "a\n\"x\"\"\u{301}y\"\n"),
    ("{ Ann = { n = 1 }, Bob = { n = 2 } }", "key,n\nAnn,1\nBob,2\n"),
  ]

  @Test("writes lists", arguments: rows)
  func writing(_ list: String, _ text: String) async throws {
    #expect(try await app.run("return csv.encode(\(list))") == text)
  }

  @Test("writes the records of live lists as they are shown, without secrets")
  func liveLists() async throws {
    try await app.run("bank.add('a', 1, '1234') bank.add('b,c', 2, '')")
    let text = "id,text,amount,day,pin,tag\n1,a,1.0,2026-01-02,,\n2,\"b,c\",2.0,2026-01-02,,\n"
    #expect(try await app.run("return csv.encode(bank.entries)") == text)
    #expect(try await app.run("return bank.entries:csv()") == text)
    #expect(
      try await app.run("return bank.large:csv { columns = { 'text' }, header = false }")
        == "\"b,c\"\n")
    #expect(
      try await app.run("return bank.entries:where(function() end):csv()")
        == "id,text,amount,day,pin,tag\n")
    #expect(try await app.run("return csv.encode(bank.months)") == "key,sum\n2026-01,3.0\n")
  }

  private static nonisolated let texts: [(String, String)] = [
    ("a,b\n1,2\n", "{ { a = \"1\", b = \"2\" } }"),
    ("\u{feff}a,b\r\n1,2\r\n\r\n3,4", "{ { a = \"1\", b = \"2\" }, { a = \"3\", b = \"4\" } }"),
    ("a\r\"x\"\"y\"\r", "{ { a = 'x\"y' } }"),
    ("a,b\n\"1\n2\",\"\"\n", "{ { a = \"1\\n2\", b = \"\" } }"),
    ("a,,b,\n1,2,3,\n", "{ { a = \"1\", b = \"3\" } }"),
    ("a,b\n1\n", "{ { a = \"1\" } }"), ("a,b\n", "{}"), ("", "{}"), ("\n\n", "{}"),
    ("a,b\n1,é\n", "{ { a = \"1\", b = \"é\" } }"),
  ]

  @Test("reads texts", arguments: texts)
  func reading(_ text: String, _ value: String) async throws {
    try app.state.setGlobal("text", to: text)
    try await app.run("read = inspect(csv.decode(text)) expected = inspect(\(value))")
    #expect(try await app.run("return read") == (try await app.run("return expected")))
  }

  @Test("reads lines without a header, and other separators")
  func options() async throws {
    #expect(
      try await app.run(
        "return csv.decode('1;2\\n3;\"4;5\"', { header = false, separator = ';' })[2][2]")
        == "4;5")
  }

  @Test("reads what it has written, whatever the cells are", arguments: 0..<5)
  func roundTrip(_ seed: Int) async throws {
    let result = try await app.run(
      """
      math.randomseed(\(seed))
      local parts = { "a", ",", '"', "\\u{301}", "\\n", "\\r", "\\r\\n", " ", "é", ";", "\\t", "\\0" }
      local rows = {}
      for i = 1, 20 do
        rows[i] = {}
        for j = 1, 3 do
          local cell = "x"
          for _ = 1, math.random(0, 6) do cell = cell .. parts[math.random(#parts)] end
          rows[i][j] = cell
        end
      end
      local read = csv.decode(csv.encode(rows, { header = false }), { header = false })
      return inspect(read) == inspect(rows)
      """)
    #expect(result == "true")
  }

  @Test(
    "says what is wrong with a text",
    arguments: [
      ("a,b\n1,2,3", 2, "it has more cells than the header, which has 2"),
      ("a,b\n\"1\n2\",\"3\n4", 3, "the quotes that open here aren't closed"),
      ("\n\na,a\n1,2", 3, "two columns are called \"a\""),
      ("a,a\n1,2", 1, "two columns are called \"a\""),
      ("a\n\"1\"2", 2, "must follow the closing quotes"),
    ])
  func mistakes(_ text: String, _ line: Int, _ problem: String) async throws {
    try app.state.setGlobal("text", to: text)
    let result = try await app.run(
      "local ok, e = pcall(csv.decode, text) return e.code, e.line, e.message")
    #expect(result.hasPrefix("bad_csv \(line) not CSV (line \(line)): "))
    #expect(result.contains(problem))
  }

  @Test("says which cell can't be written")
  func cells() async throws {
    let result = try await app.run(
      "local ok, e = pcall(csv.encode, { { 1 }, { print } }) return e.code, e.path, e.message")
    #expect(result == "not_csv [2][1] [2][1] can't be written as CSV: it is a function")
    #expect(
      await app.failure("csv.encode({ { 1, 2 }, { 3, nil, 5 } })")
        .contains("[2] can't be written as CSV: it has positions with gaps between them"))
  }

  @Test("refuses rows of several kinds, and what isn't a list")
  func rows() async {
    for value in ["{ 1, { a = 1 } }", "{ { 1 }, { a = 1 } }", "5", "'text'"] {
      #expect(await app.failure("csv.encode(\(value))").contains("csv.encode writes a list"))
    }
  }

  @Test("is imported by one action")
  func importing() async throws {
    try await app.run(
      "bank.import(csv.decode('text,amount,day\\na,1.5,2026-02-03\\nb,2,2026-02-04\\n'))")
    #expect(app.store.position == 1)
    #expect(
      try await app.run("return bank.entries[2].day, bank.months['2026-02'].sum")
        == "2026-02-04 3.5")
    #expect(
      await app.failure(
        "bank.import(csv.decode('text,amount,day\\na,1,2026-02-03\\na,1,2026-02-30\\n'))"
      )
      .contains(#"bank.entries[4].day: expected a date such as "2026-11-26", found "2026-02-30""#))
    #expect(try await app.run("return #bank.entries") == "2")
  }
}
