import Foundation
import Lua
import Testing
import TestSupport

@Suite struct LuaDecoderTests {
  let state: LuaState

  init() throws { state = try LuaState() }

  @Test("a record of records is decoded") func records() throws {
    let list = try state.decode(
      List.self, "{items = {{id = 1.0, text = 'milk', done = false, extra = 1}}, more = 2}")
    #expect(list == List(items: [Item(id: 1, text: "milk", done: false)]))
  }

  @Test("numbers are exact") func numbers() throws {
    #expect(try state.decode(Int.self, "2.0") == 2)
    #expect(try state.decode(Double.self, "2") == 2)
    #expect(try state.decode(Float.self, "0.1") == 0.1)
    #expect(try state.decode(Int128.self, "math.mininteger") == Int128(Int64.min))
    #expect(try state.decode(UInt128.self, "7") == 7)
    #expect(try state.decode([Int8].self, "{-128, 127}") == [-128, 127])
  }

  @Test(
    "values that aren't exactly of the type are refused",
    arguments: [
      ("integer", "1.5", "wrong_type: integer expected, got 1.5"),
      ("byte", "256", "wrong_type: integer from 0 to 255 expected, got 256"),
      ("float", "16777217", "wrong_type: a number that a 32-bit float holds exactly expected"),
      ("boolean", "1", "wrong_type: boolean expected, got number"),
      ("string", "'\\xff'", "wrong_type: a string of valid UTF-8 expected, got other bytes"),
      ("bytes", "{1, 2}", "wrong_type: string expected, got table"),
      ("color", "'blue'", "wrong_type: a known value expected, got 'blue'"),
      ("url", "''", "wrong_type: a URL expected, got \"\""),
    ])
  func mismatches(type: String, expression: String, expected: String) throws {
    let types: [String: any Decodable.Type] = [
      "integer": Int.self, "byte": UInt8.self, "float": Float.self,
      "boolean": Bool.self, "string": String.self, "bytes": [UInt8].self, "color": Color.self,
      "url": URL.self,
    ]
    let decodable = try #require(types[type])
    let failure = try state.failure(decodable, expression)
    #expect(failure.hasPrefix(expected), "\(failure)")
  }

  @Test(
    "an error names the path as Lua writes it",
    arguments: LuaCase.pairs(
      """
      {items = {{id = 1, text = 'a', done = true}, {id = 2, text = 3, done = true}}}
      --> wrong_type: items[2].text: string expected, got number
      {items = {{id = 1, done = true}}} --> wrong_type: items[1].text: missing
      {} --> wrong_type: items: missing
      {items = 'none'} --> wrong_type: items: table expected, got string
      {items = {null}} --> wrong_type: items[1]: table expected, got null
      {items = null} --> wrong_type: items: table expected, got null
      7 --> wrong_type: table expected, got number
      nil --> wrong_type: table expected, got nil
      {items = {{id = 1, text = 'a', done = true, note = 5}}}
      --> wrong_type: items[1].note: string expected, got number
      """))
  func paths(expression: String, expected: String) throws {
    try state.setGlobal("null", to: LuaNull.null)
    #expect(try state.failure(List.self, expression) == expected)
  }

  @Test("a path quotes names that aren't Lua's, and shows integer keys") func oddPaths() throws {
    #expect(
      try state.failure([String: [Int: Bool]].self, "{['two words'] = {[7] = 1}}")
        == "wrong_type: [\"two words\"][7]: boolean expected, got number")
  }

  @Test("nil, absent and null are all nil") func nils() throws {
    try state.setGlobal("null", to: LuaNull.null)
    #expect(try state.decode([Int?].self, "{1, null, 3}") == [1, nil, 3] as [Int?])
    #expect(try state.decode(Int?.self, "null") == nil)
    #expect(try state.decode(Int?.self, "nil") == nil)
    let optional = try state.decode([String: Int?].self, "{a = null, b = 1}")
    #expect(optional == ["a": Int?.none, "b": 1] as [String: Int?])
    let item = try state.decode(Item.self, "{id = 1, text = '', done = true, note = null}")
    #expect(item.note == nil)
  }

  @Test(
    "an array needs a sequence",
    arguments: LuaCase.pairs(
      """
      {1, 2, x = 3} --> wrong_type: sequence expected, got a table with the key 'x'
      {[1.5] = 1} --> wrong_type: sequence expected, got a table with the key 1.5
      {[{}] = 1} --> wrong_type: sequence expected, got a table with the key of type table
      {1, nil, 3}
      --> wrong_type: sequence expected, got nil at position 2; null keeps the place of a nil
      {[2] = 2}
      --> wrong_type: sequence expected, got nil at position 1; null keeps the place of a nil
      {1, 2} --> decoded [Optional(1), Optional(2)]
      {} --> decoded []
      'ab' --> wrong_type: table expected, got string
      """))
  func sequences(expression: String, expected: String) throws {
    #expect(try state.failure([Int?].self, expression) == expected)
  }

  @Test("a sequence filled backwards is one") func backwards() throws {
    let source = "(function() local t = {} for i = 9, 1, -1 do t[i] = i end return t end)()"
    #expect(try state.decode([Int].self, source) == Array(1...9))
  }

  @Test("a dictionary accepts only keys of its own type") func dictionaryKeys() throws {
    #expect(try state.decode([Int: String].self, "{[10] = 'a', [-1] = 'b'}") == [10: "a", -1: "b"])
    #expect(try state.decode([UInt8: Bool].self, "{[3] = true}") == [3: true])
    #expect(
      try state.failure([String: Int].self, "{5}")
        == "wrong_type: string as key expected, got the key 1")
    #expect(
      try state.failure([Int: Int].self, "{['1'] = 5}")
        == "wrong_type: integer as key expected, got the key '1'")
    #expect(
      try state.failure([UInt8: Int].self, "{[256] = 5}")
        == "wrong_type: integer from 0 to 255 as key expected, got the key 256")
  }

  @Test("allKeys has the string and integer keys, and decodes both") func allKeys() throws {
    let list = try state.decode(KeyList.self, "{7, a = 8, ['2'] = 9}")
    #expect(list.values == ["#1": 7, "a": 8, "2": 9])
  }

  @Test("tables nested too deeply are refused, even those from a metamethod")
  func tooDeep() throws {
    let deep = """
      (function() local t = {name = 'x', branches = {}}
      for i = 1, 300 do t = {name = 'x', branches = {t}} end return t end)()
      """
    let made = """
      (function() local meta = {} local function make() return setmetatable({}, meta) end
      function meta.__index(_, key) return key == 'name' and 'x' or {make()} end
      return make() end)()
      """
    for expression in [deep, made] {
      let failure = try state.failure(Branch.self, expression)
      #expect(failure.hasPrefix("coding_failed: branches[1].branches[1]"))
      #expect(failure.hasSuffix(": nested more than 128 deep"))
    }
  }

  @Test("a shared table that isn't a cycle is decoded each time") func shared() throws {
    let source = "(function() local t = {1} return {t, t} end)()"
    #expect(try state.decode([[Int]].self, source) == [[1], [1]])
  }

  @Test("a path past the end of a sequence is missing") func pastTheEnd() throws {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        _ = try container.decode(Int.self)
        _ = try container.decode(Int.self)
      }
    }
    #expect(try state.failure([Pair].self, "{{1}}") == "wrong_type: [1][2]: missing")
  }

  @Test("a failed decode that was caught leaves the next one in place") func alternatives() throws {
    enum Either: Decodable, Equatable {
      case number(Int)
      case list([Int])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
          self = .number(try container.decode(Int.self))
        } catch DecodingError.typeMismatch {
          self = .list(try container.decode([Int].self))
        }
      }
    }
    #expect(
      try state.decode([Either].self, "{1, {2, 3}, 4}") == [.number(1), .list([2, 3]), .number(4)])
  }

  @Test("an error of init(from:) is the underlying one") func ownError() throws {
    struct Failure: Error {}
    struct Failing: Decodable {
      init(from decoder: any Decoder) throws { throw Failure() }
    }
    let error = try #require(throws: LuaError.self) {
      try LuaDecoder().decode(Failing.self, from: .nil, in: state)
    }
    #expect(error.is(.codingFailed) && error.underlying is Failure)
  }

  @Test("a container that outlives its init(from:) still reads its table")
  func escapedContainer() throws {
    final class Keeper: Decodable {
      var container: any UnkeyedDecodingContainer
      init(from decoder: any Decoder) throws { container = try decoder.unkeyedContainer() }
    }
    let keepers = try state.decode([Keeper].self, "{{1, 3}, {2, 4}}")
    #expect(try keepers.map { try $0.container.decode(Int.self) } == [1, 2])
    state.close()
    let error = #expect(throws: LuaError.self) { try keepers[0].container.decode(Int.self) }
    #expect(error?.is(.stateClosed) == true)
  }

  @Test("the path reaches init(from:)") func path() throws {
    struct Reporting: Decodable {
      let text: String
      init(from decoder: any Decoder) throws {
        text = decoder.codingPath.map { $0.stringValue }.joined(separator: "/")
      }
    }
    let result = try state.decode([String: [Reporting]].self, "{a = {1}}")
    #expect(result["a"]?.first?.text == "a/Index 0")
  }

  @Test("a value of another state is refused") func valueOfAnotherState() throws {
    let other = try LuaState()
    let table = try other.evaluate("return {}")
    let error = #expect(throws: LuaError.self) {
      try LuaDecoder().decode([Int].self, from: table, in: state)
    }
    #expect(error?.is(.foreignValue) == true)
  }
}
