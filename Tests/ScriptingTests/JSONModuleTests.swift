import Lua
import SampleApp
import Scripting
import Testing
import TestSupport

@MainActor
@Suite("json")
struct JSONModuleTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  /// The JSON of a Lua expression.
  private func encoded(_ expression: String) async throws -> String {
    try await app.text("return json.encode(\(expression))")
  }

  /// The decoded text as `inspect` writes it.
  private func decoded(_ json: String) async throws -> String {
    try await app.text("return inspect(json.decode(\(json.luaLiteral)))")
  }

  // MARK: - Writing

  @Test(
    "writes scalars as JSON does",
    arguments: [
      ("true", "true"), ("false", "false"), ("json.null", "null"), ("'text'", #""text""#),
      ("-17", "-17"), ("math.mininteger", "-9223372036854775808"), ("1.0", "1.0"),
      ("-0.0", "-0.0"), ("0.1 + 0.2", "0.30000000000000004"), ("1e100", "1e+100"),
      ("2^53", "9007199254740992.0"), ("5e-324", "5e-324"), ("''", #""""#),
    ])
  func scalars(expression: String, expected: String) async throws {
    #expect(try await encoded(expression) == expected)
  }

  @Test(
    "escapes what a string can't contain, and nothing else",
    arguments: [
      (#""a\"b\\c/""#, #""a\"b\\c/""#), (#""\n\r\t\b\f""#, #""\n\r\t\b\f""#),
      (#""\0\1\31\127""#, "\"\\u0000\\u0001\\u001f\u{7F}\""), ("'é 😀'", "\"é 😀\""),
    ])
  func escapes(expression: String, expected: String) async throws {
    #expect(try await encoded(expression) == expected)
  }

  @Test(
    "writes sequences as arrays, and tables with names as objects sorted by name",
    arguments: [
      ("{1, 2, {3}}", "[1,2,[3]]"),
      ("{b = 1, a = {x = true}, B = 2}", #"{"B":2,"a":{"x":true},"b":1}"#),
      ("{1, json.null, 3}", "[1,null,3]"), ("{}", "{}"), ("{a = {}}", #"{"a":{}}"#),
      ("{['']=1, ['a b']=2}", #"{"":1,"a b":2}"#),
    ])
  func tables(expression: String, expected: String) async throws {
    #expect(try await encoded(expression) == expected)
  }

  @Test("gives each element and member a line if asked to")
  func pretty() async throws {
    #expect(
      try await encoded("{list = {1, {}, json.decode('[]')}, name = 'x'}, {pretty = true}") == """
        {
          "list": [
            1,
            {},
            []
          ],
          "name": "x"
        }
        """)
    #expect(try await encoded("{1}, {pretty = false}") == "[1]")
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      #"""
      -- refuses options that it doesn't know
      json.encode(1, {prety = true})
      --> unknown_field: …options has no field 'prety'; did you mean 'pretty'? It has: pretty
      json.encode(1, {1}) --> unknown_field: …options has no field with the key 1. It has: pretty
      json.encode(1, {pretty = 1}) --> …: …(options: pretty: boolean expected, got number)
      json.encode(1, true) --> …: …(options: {[pretty=boolean]} expected, got boolean)
      json.encode(1, json) --> …: …(options: {[pretty=boolean]} expected, got table)
      -- refuses a table that contains itself, and says where
      local t = {list = {{}}} t.list[1].again = t json.encode(t)
      --> …: list[1].again can't be written as JSON: it contains itself
      -- writes a table twice that occurs twice
      local t = {1} return json.encode({t, t}) --> [[1],[1]]
      -- gives its errors fields
      local _, e = pcall(json.encode, {a = {print}}) return e.code, e.path --> not_json a[1]
      local _, e = pcall(json.decode, "[\n1,]") return e.code, e.line, e.column --> bad_json 2 3
      -- writes parts of the state that read as the same
      todo.add('milk') favorites.add(2) counter.count = 3
      local state = store.state()
      local part = { state.todo.items, state.favorites, state.counter }
      return #part[2] > 0, inspect(json.decode(json.encode(part))) == inspect(part) --> true true
      -- writes the app's objects as their fields
      persons.add{name = 'Ann', age = 30} return json.encode(persons[1]), json.encode(persons)
      --> {"age":30,"id":1,"name":"Ann"} [{"age":30,"id":1,"name":"Ann"}]
      todo.add('milk') return json.encode({todo = todo.items}), json.encode(favorites)
      --> {"todo":[{"done":false,"id":1,"text":"milk"}]} []
      favorites.add(7) return json.encode({todo.items, favorites}) --> [[],[7]]
      -- writes a state, whatever is in it: what is beside a list, beside that list
      persons.add{name = 'Ann', age = 30} favorites.add(7) counter.count = 3
      local encoded = json.encode(store.state())
      local decoded = json.decode(encoded)
      return decoded.persons[1].name, decoded["persons.motto"], #decoded.favorites, decoded.counter.count,
        json.encode(store.state().persons), json.encode({store.state().persons})
      --> Ann  1 3 [{"age":30,"id":1,"name":"Ann"}] [[{"age":30,"id":1,"name":"Ann"}]]
      return json.encode({persons = store.state().persons, a = 1, z = 2})
      --> {"a":1,"persons":[],"persons.motto":"","z":2}
      return json.encode({persons = store.state().persons}, {pretty = true})
      --> {"persons": [], "persons.motto": ""}
      -- refuses a list of the state that was made to contain itself
      local list = store.state().persons list.again = list json.encode({list = list})
      --> not_json: …can't be written as JSON: it contains itself
      local list = store.state().persons list[1] = list json.encode({list = list})
      --> not_json: …can't be written as JSON: it contains itself
      local list = store.state().persons list.again = {list} json.encode({list = list})
      --> not_json: …can't be written as JSON: it contains itself
      -- asks a table's own pairs for what is in it
      local function own() return next, {a = 1} end
      return json.encode(setmetatable({hidden = print}, {__pairs = own})) --> {"a":1}
      json.encode(setmetatable({}, {__pairs = function() error('no', 0) end})) --> …: no
      -- lets the last of members with the same name count
      return inspect(json.decode [==[{"a":1,"b":2,"a":3}]==]) --> { a = 3, b = 2 }
      -- refuses what is nested too deeply, both ways
      local text = ('['):rep(128) .. (']'):rep(128) return json.encode(json.decode(text)) == text
      --> true
      json.decode(('['):rep(129) .. (']'):rep(129))
      --> bad_json: …arrays and objects are nested more than 128 deep
      json.decode(('['):rep(1000000) .. (']'):rep(1000000)) --> bad_json: …
      local t = {} for i = 1, 1e5 do t = {t} end json.encode(t)
      --> not_json: …it is nested more than 128 deep
      -- says where a text isn't UTF-8
      json.decode("[\n'\xff']") --> …: not JSON (line 2, column 2): it isn't valid UTF-8
      -- marks only plain tables
      json.array(setmetatable({}, {})) --> bad_argument: …
      -- keeps what it read when it writes it
      return json.encode(json.decode "[]"), json.encode(json.decode "{}") --> [] {}
      return json.encode(json.decode [==[{"a":[],"b":{}}]==]) --> {"a":[],"b":{}}
      return json.encode(json.decode "[[],[[]],{}]") --> [[],[[]],{}]
      return json.encode(json.decode "[1,1.0,-0.0,1e+300,9007199254740993]")
      --> [1,1.0,-0.0,1e+300,9007199254740993]
      return json.encode(json.decode [==[["\"\\\n\u0001é😀",null,true]]==])
      --> ["\"\\\n\u0001é😀",null,true]
      -- remembers that a table was an array, whatever is removed from it
      local t = json.decode('[1]') t[1] = nil local e = json.encode(t) t[1] = 'x'
      return e, json.encode(t) --> [] ["x"]
      -- has one null, which inspect names
      local null = json.null
      return null == json.decode('null'), tostring(null), inspect({null}), null ~= nil
      --> true null { json.null } true
      -- doesn't depend on what scripts do to the globals
      local encode = json.encode
      string.format, table.concat, pairs, type, tonumber = nil
      return encode({1.5, {a = 'x'}}) --> [1.5,{"a":"x"}]
      """#))
  func scripts(example: LuaCase) async throws { try await app.state.check(example) }

  @Test(
    "says where a value is that JSON has no place for, and why",
    arguments: [
      ("print", "the value can't be written as JSON: it is a function"),
      ("nil", "the value can't be written as JSON: it is nil; json.null stands for null"),
      ("{a = {1, {b = print}}}", "a[2].b can't be written as JSON: it is a function"),
      ("{1, 0/0}", "[2] can't be written as JSON: it is not a number"),
      ("{['a b'] = math.huge}", #"["a b"] can't be written as JSON: it is infinite"#),
      ("{x = -math.huge}", "x can't be written as JSON: it is infinite"),
      ("{x = {1, y = 2}}", "x can't be written as JSON: it has both positions and names"),
      (
        "{x = {1, nil, 3}}",
        "x can't be written as JSON: it has positions with gaps between them; json.null fills a gap"
      ),
      (
        "{[0] = 1}",
        "the value can't be written as JSON: it has positions with gaps between them; json.null fills a gap"
      ),
      ("{x = {[true] = 1}}", "x can't be written as JSON: it has a key that is a boolean"),
      ("{[1.5] = 1}", "the value can't be written as JSON: it has a key that is a float"),
      (#"{x = "\xff"}"#, "x can't be written as JSON: it isn't valid UTF-8"),
      (#"{x = "\xed\xa0\x80"}"#, "x can't be written as JSON: it isn't valid UTF-8"),
      (
        #"{x = {["\xff"] = 1}}"#, "x can't be written as JSON: it has a name that isn't valid UTF-8"
      ),
      ("{x = coroutine.create(print)}", "x can't be written as JSON: it is a coroutine"),
      ("{x = task.spawn(type, 1)}", "x can't be written as JSON: it is an object without fields"),
      ("{x = io.stdout}", "x can't be written as JSON: it is an object without fields"),
    ])
  func refused(expression: String, message: String) async {
    let error = await app.failure("json.encode(\(expression))")
    #expect(error?.code == "not_json")
    #expect(error?.message == message)
    #expect(error?.location == "test:1")
  }

  // MARK: - Reading

  @Test(
    "reads every kind of value",
    arguments: [
      ("null", "json.null"), ("true", "true"), (" \t\r\nfalse ", "false"), ("0", "0"),
      ("-12", "-12"),
      ("1.0", "1.0"), ("1e2", "100.0"), ("1E+2", "100.0"), ("-1.5e-2", "-0.015"), ("-0", "-0.0"),
      ("9223372036854775807", "9223372036854775807"), ("-9223372036854775808", "math.mininteger"),
      ("9223372036854775808", "9.2233720368547758e+18"), ("\"\"", "\"\""), ("[]", "{}"),
      ("{}", "{}"),
      (#"[1,[2,{"a":[]}],null]"#, "{ 1, { 2, { a = {} } }, json.null }"),
      (#" { "b" : 1 , "a" : { } } "#, "{ a = {}, b = 1 }"),
    ])
  func values(json: String, expected: String) async throws {
    #expect(try await decoded(json) == expected)
  }

  @Test(
    "reads the escapes of strings",
    arguments: [
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u20AC""#, "Aé€"),
      (#""\ud83d\uDE00!""#, "😀!"), (#""a\u0000b""#, "a\0b"), ("\"é😀\"", "é😀"),
    ])
  func readsEscapes(json: String, expected: String) async throws {
    #expect(
      try await app.run("return json.decode(\(json.luaLiteral))") == [.string(LuaString(expected))])
  }

  @Test(
    "says where a text isn't JSON, and why",
    arguments: [
      ("", "line 1, column 1): expected a value, but the text is empty"),
      ("nul", "line 1, column 1): expected a value, found \"nul\""),
      ("NaN", "line 1, column 1): expected a value, found \"NaN\""),
      ("'a'", "line 1, column 1): expected a value, found '"),
      ("[1,]", "line 1, column 4): expected a value, found ]; no comma stands before it"),
      ("[1 2]", "line 1, column 4): expected \",\" or \"]\", found \"2\""),
      ("[1", "line 1, column 3): expected \",\" or \"]\", found the end of the text"),
      (
        "{\"a\":1,}",
        "line 1, column 8): expected a name in double quotes, found }; no comma stands before it"
      ),
      ("{a:1}", "line 1, column 2): expected a name in double quotes, found \"a\""),
      ("{\"a\" 1}", "line 1, column 6): expected \":\", found \"1\""),
      ("{\"a\":1 \"b\"}", "line 1, column 8): expected \",\" or \"}\", found \""),
      ("[\n  1,\n  \"é\" x]", "line 3, column 7): expected \",\" or \"]\", found \"x\""),
      ("1 2", "line 1, column 3): expected the end of the text, found \"2\"; a text has one value"),
      ("01", "line 1, column 1): a number begins with 0"),
      ("-", "line 1, column 2): expected a digit, found the end of the text"),
      ("1.", "line 1, column 3): expected a digit, found the end of the text"),
      (".5", "line 1, column 1): expected a value, found ."),
      ("1e", "line 1, column 3): expected a digit, found the end of the text"),
      ("+1", "line 1, column 1): expected a value, found +"),
      ("1e999", "line 1, column 1): a number is too large for a float"),
      ("\"a", "line 1, column 3): a string has no end"),
      ("\"a\\", "line 1, column 4): a string has no end"),
      (
        "\"a\nb\"",
        "line 1, column 3): a control character in a string must be written as an escape, such as \\n"
      ),
      (
        "\"\\x\"",
        "line 1, column 2): no such escape; there are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u0000"
      ),
      ("\"\\u12G4\"", "line 1, column 2): \\u needs four hexadecimal digits"),
      ("\"\\u12", "line 1, column 2): \\u needs four hexadecimal digits"),
      ("\"\\ud800\"", "line 1, column 2): half of a surrogate pair is no character"),
      ("\"\\udc00\"", "line 1, column 2): half of a surrogate pair is no character"),
      ("\"\\ud800\\u0041\"", "line 1, column 2): half of a surrogate pair is no character"),
      ("// no\n1", "line 1, column 1): expected a value, found /"),
      ("\u{FEFF}x", "line 1, column 1): expected a value, found \"x\""),
      (" \u{FEFF}1", "line 1, column 2): expected a value, found \u{FEFF}"),
      ("\u{FEFF}\u{FEFF}1", "line 1, column 1): expected a value, found \u{FEFF}"),
      ("\u{FEFF}", "line 1, column 1): expected a value, but the text is empty"),
      (" \n", "line 2, column 1): expected a value, but the text is empty"),
      (
        "1\u{A0}",
        "line 1, column 2): expected the end of the text, found \u{A0}; a text has one value"
      ),
      ("1\0", "line 1, column 2): expected the end of the text, found \0; a text has one value"),
      ("[\0]\0", "line 1, column 2): expected a value, found \0"),
      ("1e-400", "line 1, column 1): a number is too small for a float"),
    ])
  func mistakes(json: String, problem: String) async {
    let error = await app.failure("json.decode(\(json.luaLiteral))")
    #expect(error?.code == "bad_json")
    #expect(error?.message == "not JSON (\(problem)")
    #expect(error?.location?.chunk.hasPrefix("test") == true)
  }

  @Test(
    "builds the value within the memory limit",
    arguments: [
      #"("[" .. ("[],"):rep(1e6) .. "[]]")"#, #"("[" .. ("1,"):rep(2e6) .. "1]")"#,
      #"("[" .. ('{"a":1},'):rep(5e5) .. "1]")"#, #"('["' .. ("x"):rep(5e6) .. '"]')"#,
    ])
  func memoryLimit(text: String) async throws {
    try await app.run("text = \(text)")
    try app.state.collectGarbage()
    try app.state.limitMemory(to: app.state.memoryUsed() + 4_000_000)
    #expect(
      try await app.text("local ok, e = pcall(json.decode, text) return ok, tostring(e)")
        == "false not enough memory")
    let used = try app.state.memoryUsed()
    try app.state.limitMemory(to: used + 1_000_000)
    #expect(try await app.text("return #json.decode('[1,2]')") == "2")
  }

  @Test("stops when the time is over", arguments: ["decode(text)", "encode(list)"])
  func timeLimit(call: String) async throws {
    try await app.run(
      #"text = "[" .. ("1,"):rep(1e6) .. "1]" list = {} for i = 1, 1e6 do list[i] = i end"#)
    app.state.limitTime(to: .milliseconds(20))
    let error = await app.failure("json.\(call)")
    #expect(error?.code == .timeLimit)
  }

  // MARK: - Both

  @Test(
    "writes as an array what is marked as one",
    arguments: [
      ("json.array{}", "[]"), ("json.array()", "[]"),
      ("{a = json.array{}, b = {}}", #"{"a":[],"b":{}}"#),
      ("json.array{1, {2}}", "[1,[2]]"), ("json.array(json.array{})", "[]"),
      ("json.array(json.decode('[]'))", "[]"), ("json.array(store.state().favorites)", "[]"),
      ("(function() local t = {} return json.array(t) == t and t end)()", "[]"),
    ])
  func arrays(expression: String, expected: String) async throws {
    #expect(try await encoded(expression) == expected)
  }

  @Test("works in a sandbox")
  func sandbox() throws {
    let state = try LuaState(libraries: .sandbox)
    let app = try ScriptedApp(in: state)
    let text = try state.load(
      "return json.encode(json.decode('[1,{\"a\":[]}]'))", name: .text("test")
    )
    .call(as: String.self)
    #expect(text == #"[1,{"a":[]}]"#)
    withExtendedLifetime(app) {}
  }
}
