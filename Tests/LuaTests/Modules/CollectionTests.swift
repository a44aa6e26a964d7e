import Lua
import Testing
import TestSupport

@MainActor
@Suite("Live collections")
struct CollectionTests {
  let fixture: Fixture
  let words = MutableWords("a", "b", "c")

  init() throws {
    fixture = try Fixture()
    let words = words
    let list = LuaModule("list", help: "The same words.")
    list.sequence(
      count: { words.words.count }, element: { words.words[$0] }, set: { words.words[$0] = $1 },
      append: { words.words.append($0) }, removeLast: { words.words.removeLast() })
    let growing = LuaModule("growing", help: "Can only grow.")
    growing.sequence(
      count: { words.words.count }, element: { words.words[$0] },
      append: { words.words.append($0) })
    let fixed = LuaModule("fixed", help: "Has always as many.")
    fixed.sequence(
      count: { words.words.count }, element: { words.words[$0] }, set: { words.words[$0] = $1 })
    try fixture.install()
    try fixture.state.setGlobal("words", to: words)
    try fixture.state.setGlobal("list", to: list)
    try fixture.state.setGlobal("growing", to: growing)
    try fixture.state.setGlobal("fixed", to: fixed)
    try fixture.state.setGlobal("registry", to: Registry())
    try fixture.state.setGlobal("squares", to: Squares())
    try fixture.state.setGlobal("celsius", to: Temperature())
    try fixture.state.setGlobal("fields", to: Fields())
  }

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      #"""
      -- elements can be replaced, added and removed
      words[1] = 'x' words[2.0] = 'y' return table.concat(words, ' ') --> x y c
      words[#words + 1] = 'd' return table.concat(words, ' ') --> a b c d
      words[#words] = nil words[#words] = nil return table.concat(words, ' ') --> a
      -- those of a module can be, too
      list[1] = 'x' list[#list] = nil list[#list + 1] = 'd' return table.concat(words, ' ')
      --> x b d
      -- removing from an empty collection, and setting a missing element to nil, changes nothing
      words[7] = nil words[0] = nil words[-1] = nil return #words --> 3
      for i = 1, 3 do words[#words] = nil end return table.remove(words), #words --> nil 0
      -- invalid assignments say why
      words[5] = 'x'
      --> bad_argument: words[5] is out of range: it has elements 1 to 3; words[4] adds one
      words[math.mininteger] = 'x'
      --> bad_argument: words[-9223372036854775808] is out of range: it has elements 1 to 3;
      --> words[4] adds one
      words[1.5] = 'x' --> bad_argument: the elements of words are numbered by integers, not 1.5
      words[1] = 2 --> bad_argument: bad value for 'words[1]' (string expected, got number)
      words[4] = {} --> bad_argument: bad value for 'words[4]' (string expected, got table)
      words[1] = nil
      --> bad_argument: only the last element, words[3], can be set to nil, not words[1]
      list[1] = 2 --> bad_argument: bad value for 'list[1]' (string expected, got number)
      pcall(function() words[5] = 'x' end) pcall(function() words[1] = nil end)
      return table.concat(words, ' ') --> a b c
      -- operations that the host doesn't allow are refused
      growing[1] = 'x' --> read_only_field: the elements of growing can't be assigned
      growing[3] = nil --> read_only_field: elements can't be removed from growing
      fixed[4] = 'x' --> read_only_field: elements can't be added to fixed
      fixed[3] = nil --> read_only_field: elements can't be removed from fixed
      growing[4] = 'd' fixed[1] = 'x' return table.concat(words, ' ') --> x b c d
      -- a key that isn't a number is an unknown field
      words.x = 1 --> unknown_field: …
      words[{}] = 1 --> unknown_field: …
      words[nil] = 1 --> unknown_field: …
      -- a collection can change during iteration
      local seen = {}
      for _, iterator in ipairs { ipairs, pairs } do
        for i, word in iterator(words) do
          seen[#seen + 1] = word
          if i == 1 then words[#words + 1] = 'd' end
          if i == 3 then while #words > 0 do words[#words] = nil end end
        end
        for i, word in ipairs { 'a', 'b', 'c' } do words[i] = word end
      end
      return table.concat(seen, ' ') --> a b c a b c
      -- keys of a type are read and assigned as in a table
      registry.a, registry['b c'] = 1, 2
      local before = registry.a
      registry.a = nil
      return before, registry.a, registry['b c'], registry.size --> 1 nil 2 1
      -- members come before keys, and other keys and values are refused
      registry.size = 1 --> read_only_field: …
      registry[('k'):rep(10000)] = {}
      --> bad_argument: bad value for 'registry[\#(String(repeating: "k", count: 60))…]' (integer
      --> expected, got table)
      registry.a = {} --> bad_argument: bad value for 'registry[a]' (integer expected, got table)
      return registry[1] --> unknown_field: …
      registry[true] = 1 --> unknown_field: …
      -- pairs iterates over a dictionary's entries, which can change meanwhile
      registry.a, registry.b = 1, 2
      local sum, keys = 0, {}
      for key, value in pairs(registry) do
        sum = sum + value
        keys[#keys + 1] = key
        registry[key], registry[key .. key] = nil, 10
      end
      table.sort(keys)
      return sum, table.concat(keys, ' '), registry.aa --> 3 a b 10
      -- entries are made one at a time, and after the last there are none
      for n, square in pairs(squares) do if n == 5 then return square, squares:made() end end
      --> 25 5
      registry.a = 1 local next = pairs(registry) next() return next(), next() --> nil
      -- pairs can iterate over properties in a given order, each read when its turn comes
      local names = {}
      for name, value in pairs(celsius) do
        names[#names + 1] = name .. "=" .. value
        celsius.degrees = 20
      end
      return table.concat(names, " ") --> unit=C degrees=20
      local next, t = pairs(celsius) next(t) next(t) return next(t), next(t) --> nil
      local next = pairs(celsius) next({}) --> bad_argument: …
      -- dynamic fields are read and assigned by name
      fields.a = 'x' return fields.a --> x
      fields.zzz = 1 --> unknown_field: …
      return fields.b --> unknown_field: …
      fields[1] = 1 --> unknown_field: …
      -- keys that aren't valid UTF-8 are no fields, not all the same one
      fields['\u{FFFD}'] = 1 return fields['\u{FFFD}'] --> 1
      fields['\u{FFFD}'] = 1 return fields['\xff'] --> unknown_field: …
      fields['\xfe'] = 2 --> unknown_field: …
      """#))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

  @Test("the functions of the table library work", arguments: ["words", "list"])
  func tableLibrary(list: String) throws {
    let values = try fixture.call(
      """
      local l = \(list)
      table.insert(l, 'e')
      table.insert(l, 2, 'd')
      local all = table.concat(l, ' ')
      table.sort(l, function(a, b) return a > b end)
      local sorted = table.concat(l, ' ')
      local removed = table.remove(l, 1) .. table.remove(l)
      return all, sorted, removed, table.unpack(l)
      """)
    #expect(values == ["a d b c e", "e d c b a", "ea", "d", "c", "b"])
    #expect(words.words == ["d", "c", "b"])
    try fixture.call("table.move({'x', 'y'}, 1, 2, 3, \(list))")
    #expect(words.words == ["d", "c", "x", "y"])
  }

  @Test(
    "a value whose metamethods change the collection is assigned to what is there then",
    arguments: ["items", "list"])
  func changedByValue(list: String) throws {
    let items = Items(1, 2, 3)
    let module = LuaModule("list", help: "The same items.")
    module.sequence(
      count: { items.items.count }, element: { items.items[$0] }, set: { items.items[$0] = $1 },
      append: { items.items.append($0) }, removeLast: { items.items.removeLast() })
    try fixture.state.setGlobal("items", to: items)
    try fixture.state.setGlobal("list", to: module)
    let emptying = """
      local list = \(list)
      local value = setmetatable({}, {__index = function()
        while #list > 0 do list[#list] = nil end
        return 7
      end})

      """
    let error = try fixture.failure(emptying + "list[3] = value")
    #expect(error.is(.badArgument))
    #expect(error.message == "\(list)[3] is out of range: it is empty; \(list)[1] adds one")
    #expect(items.items.isEmpty)
    try fixture.call(emptying + "list[1] = {a = 1} list[2] = {a = 2} list[1] = value")
    #expect(items.items == [Items.Item(a: 7)])
    #expect(try fixture.stackCount == 0)
  }
}

/// A dictionary.
private final class Registry: LuaExposed {
  var values: [String: Int] = [:]

  static var luaTypeName: String { "registry" }

  static func describe(_ members: LuaClass<Registry>) {
    members.property("size") { $0.values.count }
    members.subscripts(
      get: { (registry, key: String) in registry.values[key] },
      set: { (registry, key: String, value: Int?) in registry.values[key] = value })
    members.entries { $0.values }
  }
}

/// Square numbers without end.
private final class Squares: LuaExposed {
  var made = 0

  static var luaTypeName: String { "squares" }

  static func describe(_ members: LuaClass<Squares>) {
    members.method("made") { $0.made }
    members.entries { squares in
      sequence(state: 0) { (n: inout Int) -> (Int, Int)? in
        n += 1
        squares.made += 1
        return (n, n * n)
      }
    }
  }
}

/// A number with a unit.
private final class Temperature: LuaExposed {
  var degrees = 0

  static var luaTypeName: String { "temperature" }

  static func describe(_ members: LuaClass<Temperature>) {
    members.property("degrees", \.degrees)
    members.property("unit") { _ in "C" }
    members.method("freeze") { $0.degrees = 0 }
    members.entries(ofProperties: { _ in ["unit", "missing", "degrees", "freeze"] })
  }
}

/// Fields of one letter.
private final class Fields: LuaExposed {
  var values: [String: LuaValue] = [:]

  static var luaTypeName: String { "fields" }

  static func describe(_ members: LuaClass<Fields>) {
    members.dynamicFields(
      { $0.values[$1] },
      write: { fields, name, value in
        guard name.count == 1 else { return false }
        fields.values[name] = value
        return true
      })
  }
}
