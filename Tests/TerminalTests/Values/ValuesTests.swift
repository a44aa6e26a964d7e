import PrimereplLineEditing
import Testing

@MainActor
@Suite("Values at the prompt")
struct ValuesTests {
  private let lua: ValuesInLua

  init() throws { lua = try ValuesInLua() }

  @Test(
    "tells integers from floats",
    arguments: [
      ("1", "1"), ("1.0", "1.0"), ("-0.0", "-0.0"), ("1e20", "1e+20"), ("0.1", "0.1"),
      ("1/0", "inf"), ("-1/0", "-inf"), ("0/0", "nan"), ("-(0/0)", "nan"),
      ("math.mininteger", "-9223372036854775808"),
    ])
  func numbers(code: String, text: String) async throws {
    #expect(try await lua.shown("return \(code)") == text)
  }

  @Test(
    "shows all digits of a float that would otherwise read back as another",
    arguments: [
      ("0.1 + 0.2", "0.30000000000000004"), ("2^53", "9007199254740992.0"),
      ("1 / 3", "0.3333333333333333"), ("2^1023", "8.98846567431158e+307"),
      ("5e-324", "4.9406564584125e-324"), ("100 / 8", "12.5"),
    ])
  func exactNumbers(code: String, text: String) async throws {
    #expect(try await lua.shown("return \(code)") == text)
    #expect(try await lua.shown("return \(text) == \(code)") == "true")
  }

  @Test(
    "quotes strings, with escapes for what can't be seen or would command the terminal",
    arguments: [
      (#"'milk'"#, #""milk""#), (#"''"#, #""""#), (#"'a"b\\c'"#, #""a\"b\\c""#),
      (#"'a\nb\tc\r'"#, #""a\nb\tc\r""#), (#"'\27[2J\0001\127'"#, #""\x1b[2J\x001\x7f""#),
      (#"'\u{9b}2J\u{85}'"#, #""\u{9b}2J\u{85}""#), (#"'\xff\x80ab\xc3'"#, #""\xff\x80ab\xc3""#),
      (#"'\u{202e}\u{2066}x\u{200e}'"#, #""\u{202e}\u{2066}x\u{200e}""#),
      (#"'\u{2028}\u{feff}'"#, #""\u{2028}\u{feff}""#), (#"'\u{10fe9b}'"#, #""\u{10fe9b}""#),
      (#"'日本 🎉 é שלום'"#, #""日本 🎉 é שלום""#), (#"'👩\u{200d}👧'"#, "\"👩\u{200d}👧\""),
    ])
  func strings(code: String, text: String) async throws {
    #expect(try await lua.shown("return \(code)") == text)
  }

  @Test(
    "in full",
    arguments: PromptCase.list(
      """
      -- shows nil for nil
      > return nil
      nil
      -- shows short values side by side
      > return 1, nil, 'x', { 1 }, true
      1   nil   "x"   { 1 }   true
      -- shows coroutines by their status
      > return coroutine.create(print)
      coroutine (suspended)
      -- shows json.null by its name
      > return json.null
      json.null
      -- shows errors by their message
      > return select(2, pcall(favorites.add, 8))
      error: 8 is not prime
      -- keeps the names of Lua's functions when scripts replace them
      > local old = print; print = nil; return old
      function print
      """)
      + PromptCase.list(
        columns: 40, rows: 16,
        """
        -- numbers values that don't fit on a line, each with a part of the screen
        > local long = {}
        . for i = 1, 20 do long['key' .. 10 + i] = i end
        . return long, 'text', long
        1: { key11 = 1, ... 19 more ... }
        2: "text"
        3: {
             key11 = 1,
             key12 = 2,
             key13 = 3,
             key14 = 4,
             key15 = 5,
             key16 = 6,
             key17 = 7,
             key18 = 8,
             ... 12 more ...
           }
        """))
  func shown(_ example: PromptCase) async throws { try await lua.check(example) }

  @Test("shows nothing for no values")
  func nothing() async throws { #expect(try await lua.styled("return") == []) }

  @Test("shows files by their address")
  func files() async throws {
    #expect(try await lua.shown("return io.stdout").hasPrefix("file (0x"))
  }

  @Test("colors values by their kind, and writes the same text without colors")
  func colors() async throws {
    let lines = try await lua.styled("return { 'a', 1, true, x = 2 }")
    let runs: [(text: String, style: Style)] = [
      ("{ ", .plain), ("\"a\"", Style(.green)), (", ", .plain), ("1", Style(.cyan)),
      (", ", .plain), ("true", Style(.yellow)), (", x = ", .plain), ("2", Style(.cyan)),
      (" }", .plain),
    ]
    let expected = runs.reduce(into: StyledText()) { $0.append($1.text, $1.style) }
    #expect(lines == [expected])
  }

  @Test("counts values for which the screen has no line")
  func manyValues() async throws {
    let shown = try await lua.shown(
      "local t = {} for i = 1, 100 do t[i] = ('x'):rep(9) end return table.unpack(t)", rows: 13)
    #expect(shown.split(separator: "\n").count == 10)
    #expect(shown.hasSuffix("\n9: \"xxxxxxxxx\"\n... 91 more values ..."))
  }

  // MARK: - Functions

  @Test(
    "shows functions by their signature, name or place",
    arguments: [
      ("return todo.add", "function todo.add(text: string): todo.item"),
      ("return print", "function print"), ("return string.format", "function string.format"),
      ("local f = table.concat return f", "function table.concat"),
      ("function f() end return f", "function () (stdin:1)"),
      ("\n\nfunction f(a, ...) end return f", "function (a, ...) (stdin:3)"),
      ("m = { f = function() end } return m.f", "function () (stdin:1)"),
      ("return function() end", "function () (stdin:1)"),
      ("return function(a, b) end", "function (a, b) (stdin:1)"),
      ("return { run = function(x) end }", "{ run = function (x) (stdin:1) }"),
      ("return load('return 1')", #"function ([string "return 1"])"#),
      ("return load('return 1', '=\\27x')", "function (\\x1bx)"),
      ("return (coroutine.wrap(print))", "function (built in)"),
    ])
  func functions(code: String, text: String) async throws {
    #expect(try await lua.shown(code) == text)
  }

  // MARK: - Whole values

  @Test("writes a value whole, whatever its size")
  func whole() async throws {
    let text = try await lua.whole("local t = {} for i = 1, 3000 do t[i] = { i } end return t")
    #expect(text.hasPrefix("{\n  { 1 },\n  { 2 },\n"))
    #expect(text.hasSuffix("  { 3000 },\n}"))
    let uneven = try await lua.whole(
      "local t = { {} } for i = 1, 5000 do t[1][i], t[i + 1] = i, i end return t")
    #expect(!uneven.contains("more"))
    #expect(try await lua.whole("return ('x'):rep(5000)") == String(repeating: "x", count: 5000))
  }

  @Test("writes a text whole as its lines, without what would command a terminal")
  func wholeText() async throws {
    #expect(try await lua.whole(#"return 'a\n\tb\27[2J"\xff'"#) == "a\n\tb\\x1b[2J\"\\xff")
  }

  @Test("marks cycles, and tables that are too deep, in whole values")
  func wholeCycle() async throws {
    #expect(try await lua.whole("local t = {} t[1] = t return t, 2") == "{ <cycle> }\n2")
    let deep = try await lua.whole("local t = {} for i = 1, 100000 do t = { t } end return t")
    #expect(deep.contains("{...}"))
  }

  @Test("cuts strings in whole values where they would take all memory")
  func wholeStrings() async throws {
    let text = try await lua.whole(
      "local s, t = ('x'):rep(15000000), {} for i = 1, 1000 do t[i] = s end return t")
    #expect(text.utf8.count < 21_000_000)
    #expect(text.contains("... 10,000,000 more bytes,"))
  }

  @Test("writes the fields of all records in whole values")
  func wholeRecords() async throws {
    #expect(
      try await lua.whole("todo.add('milk') return todo.items, 1")
        == "todo.items { ☐ milk  todo.item 1 { text = \"milk\", done = false } }\n1")
  }

  @Test("shows as much of a text as fits where there is one line")
  func oneLine() async throws {
    #expect(try await lua.line("return 'hello'") == #""hello""#)
    #expect(
      try await lua.line("return ('x'):rep(100)", columns: 40)
        == "\"\(String(repeating: "x", count: 19))\" ... 81 more bytes")
  }
}
