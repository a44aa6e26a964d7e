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

  @Test(
    "expressions as types",
    arguments: LuaCase.list(
      #"""
      -- numbers are exact
      Int 2.0 --> decoded 2
      Double 2 --> decoded 2.0
      Float 0.1 --> decoded 0.1
      Int128 math.mininteger --> decoded -9223372036854775808
      UInt128 7 --> decoded 7
      [Int8] {-128, 127} --> decoded [-128, 127]
      -- values that aren't exactly of the type are refused
      Int 1.5 --> wrong_type: integer expected, got 1.5
      UInt8 256 --> wrong_type: integer from 0 to 255 expected, got 256
      Float 16777217 --> wrong_type: a number that a 32-bit float holds exactly expected…
      Bool 1 --> wrong_type: boolean expected, got number
      String '\xff' --> wrong_type: a string of valid UTF-8 expected, got other bytes
      [UInt8] {1, 2} --> wrong_type: string expected, got table
      Color 'blue' --> wrong_type: a known value expected, got 'blue'…
      URL '' --> wrong_type: a URL expected, got ""
      -- an error names the path as Lua writes it
      List {items = {{id = 1, text = 'a', done = true}, {id = 2, text = 3, done = true}}}
      --> wrong_type: items[2].text: string expected, got number
      List {items = {{id = 1, done = true}}} --> wrong_type: items[1].text: missing
      List {} --> wrong_type: items: missing
      List {items = 'none'} --> wrong_type: items: table expected, got string
      List {items = {null}} --> wrong_type: items[1]: table expected, got null
      List {items = null} --> wrong_type: items: table expected, got null
      List 7 --> wrong_type: table expected, got number
      List nil --> wrong_type: table expected, got nil
      List {items = {{id = 1, text = 'a', done = true, note = 5}}}
      --> wrong_type: items[1].note: string expected, got number
      -- a path quotes names that aren't Lua's, and shows integer keys
      [String:[Int:Bool]] {['two words'] = {[7] = 1}}
      --> wrong_type: ["two words"][7]: boolean expected, got number
      -- nil, absent and null are all nil
      [Int?] {1, null, 3} --> decoded [Optional(1), nil, Optional(3)]
      Int? null --> decoded nil
      Int? nil --> decoded nil
      [String:Int?] {a = null} --> decoded ["a": nil]
      Item {id = 1, text = '', done = true, note = null} --> decoded …note: nil)
      -- an array needs a sequence
      [Int?] {1, 2, x = 3} --> wrong_type: sequence expected, got a table with the key 'x'
      [Int?] {[1.5] = 1} --> wrong_type: sequence expected, got a table with the key 1.5
      [Int?] {[{}] = 1} --> wrong_type: sequence expected, got a table with the key of type table
      [Int?] {1, nil, 3}
      --> wrong_type: sequence expected, got nil at position 2; null keeps the place of a nil
      [Int?] {[2] = 2}
      --> wrong_type: sequence expected, got nil at position 1; null keeps the place of a nil
      [Int?] {1, 2} --> decoded [Optional(1), Optional(2)]
      [Int?] {} --> decoded []
      [Int?] 'ab' --> wrong_type: table expected, got string
      -- a sequence filled backwards is one
      [Int] (function() local t = {} for i = 3, 1, -1 do t[i] = i end return t end)()
      --> decoded [1, 2, 3]
      -- a dictionary accepts only keys of its own type
      [Int:String] {[-10] = 'a'} --> decoded [-10: "a"]
      [UInt8:Bool] {[3] = true} --> decoded [3: true]
      [String:Int] {5} --> wrong_type: string as key expected, got the key 1
      [Int:Int] {['1'] = 5} --> wrong_type: integer as key expected, got the key '1'
      [UInt8:Bool] {[256] = true}
      --> wrong_type: integer from 0 to 255 as key expected, got the key 256
      -- a shared table that isn't a cycle is decoded each time
      [[Int]] (function() local t = {1} return {t, t} end)() --> decoded [[1], [1]]
      """#))
  func types(example: LuaCase) throws {
    let types: [String: any Decodable.Type] = [
      "Int": Int.self, "Int?": Int?.self, "Int128": Int128.self, "UInt8": UInt8.self,
      "UInt128": UInt128.self, "Double": Double.self, "Float": Float.self, "Bool": Bool.self,
      "String": String.self, "Color": Color.self, "URL": URL.self, "Item": Item.self,
      "List": List.self,
      "[Int]": [Int].self, "[Int?]": [Int?].self, "[Int8]": [Int8].self, "[UInt8]": [UInt8].self,
      "[[Int]]": [[Int]].self, "[Int:Int]": [Int: Int].self, "[Int:String]": [Int: String].self,
      "[UInt8:Bool]": [UInt8: Bool].self, "[String:Int]": [String: Int].self,
      "[String:Int?]": [String: Int?].self, "[String:[Int:Bool]]": [String: [Int: Bool]].self,
    ]
    try state.setGlobal("null", to: LuaNull.null)
    let parts = example.code.split(separator: " ", maxSplits: 1).map(String.init)
    let decodable = try #require(types[parts[0]])
    let outcome = try state.failure(decodable, parts[1])
    #expect(example.allows(outcome), "\(example.code) gives \(outcome)")
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
