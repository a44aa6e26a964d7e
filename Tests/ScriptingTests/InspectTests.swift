import SampleApp
import Testing
import TestSupport

@MainActor
@Suite("inspect")
struct InspectTests {
  private let app: AppInLua

  init() throws { app = try AppInLua() }

  @Test(
    "writes what Lua reads as the same value",
    arguments: [
      #""a\"b\\c\n\r\t""#, #""\0001""#, #""\27[1m\127""#, #""\200\255""#, "'é日🎉'",
      "math.mininteger", "math.maxinteger", "-2.0^63", "1/0", "-1/0", "2.0", "1e15", "-0.0",
      "2.0^53", "-123456789012345.0", "1e16 + 2", "2.0^70",
      "0.1 + 0.2", "1/3",
      "{ 1, nil, 3 }", "{ [1/0] = 1, [-1] = 2, [true] = 3 }", "{ ['end'] = { {}, { 1 } } }",
      "{ ['a\\0001'] = 1 }",
    ])
  func roundTrip(value: String) async throws {
    #expect(
      try await app.text(
        """
        local function same(a, b)
          if type(a) ~= "table" then return a == b and math.type(a) == math.type(b) end
          for key, value in pairs(a) do if not same(value, b[key]) then return false end end
          for key in pairs(b) do if a[key] == nil then return false end end
          return true
        end
        local value = \(value)
        return same(value, load("return " .. inspect(value))())
        """) == "true")
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      #"""
      -- writes infinities and NaN as expressions that Lua reads
      local n = load('return ' .. inspect(0/0))() return n ~= n --> true
      -- sends a terminal no control characters
      return inspect({ ['\27'] = '\7\27[2J' }) --> { ["\027"] = "\007\027[2J" }
      -- writes records as tables of their fields, alone and in lists
      todo.add("milk")
      \#(Persons.three)
      return inspect(todo.items), inspect(persons[2]), inspect({ [persons[1]] = 1 })
      --> { { done = false, id = 1, text = "milk" } } { age = 31, id = 2, name = "John" } { [{ age =
      --> 27, id = 1, name = "Majid" }] = 1 }
      -- identifies a removed record
      \#(Persons.three)
      local john = persons[2]
      persons.remove(john.id)
      return inspect(john), inspect({ john }) --> person 2 (removed) { person 2 (removed) }
      -- writes objects without pairs as their text
      local ok, err = pcall(favorites.add, 8)
      return inspect(err), inspect(io.stdout) == tostring(io.stdout) --> 8 is not prime true
      -- raises the error of a value's __pairs
      inspect(setmetatable({}, { __pairs = function() error('no pairs', 0) end })) --> …: no pairs
      """#))
  func scripts(example: LuaCase) async throws { try await app.state.check(example) }

  @Test("writes the state as it is")
  func state() async throws {
    try await app.run("counter.count = 17 favorites.add(17)")
    #expect(
      try await app.text("return inspect(store.state())") == """
        {
          counter = {
            count = 17,
            loading = false,
          },
          favorites = {
            17,
          },
          persons = {
            motto = "",
          },
          signup = {
            data = {
              email = "",
              first_name = "",
              password = "",
              password_confirmation = "",
            },
            path = {},
            submitted = false,
          },
          todo = {
            items = {},
            loading = false,
            query = "",
          },
        }
        """)
  }

  @Test(
    "writes values as Lua text",
    arguments: [
      ("nil", "nil"), ("1.0", "1.0"), ("'a\"\\n'", #""a\"\n""#), ("{}", "{}"),
      ("{1, 2}", "{ 1, 2 }"), ("{b = 1, a = {true}}", "{ a = { true }, b = 1 }"),
      ("{['a b'] = 1, ['end'] = 2, [10] = 3}", #"{ [10] = 3, ["a b"] = 1, ["end"] = 2 }"#),
      ("{[1] = 1, [2] = 2, [3] = 3}", "{ 1, 2, 3 }"), ("{[2] = 2, [1] = false}", "{ false, 2 }"),
      ("{[4] = 4, [2] = 2, a = 1, [1] = 1}", "{ 1, 2, [4] = 4, a = 1 }"),
      ("(function() local t = {} t.t = t return t end)()", "{ t = <cycle> }"),
      ("favorites", "{ 2, 3 }"), ("todo.items", "{}"), ("counter.alert", "nil"),
    ])
  func values(value: String, text: String) async throws {
    try await app.run("favorites.add(2) favorites.add(3)")
    #expect(try await app.text("return inspect(\(value))") == text)
  }

  @Test("wraps values that don't fit on a line")
  func long() async throws {
    #expect(
      try await app.text("return inspect({ ('x'):rep(50), { ('y'):rep(30) } })")
        == """
        {
          "\(String(repeating: "x", count: 50))",
          {
            "\(String(repeating: "y", count: 30))",
          },
        }
        """)
  }

  @Test("keeps values that fit into 80 columns on one line", arguments: [(71, 1), (72, 4)])
  func width(length: Int, lines: Int) async throws {
    let text = try await app.text("return inspect({ ('x'):rep(\(length)), 1 })")
    #expect(text.split(separator: "\n").count == lines)
  }
}
