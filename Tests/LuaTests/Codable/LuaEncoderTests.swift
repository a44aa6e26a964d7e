import Lua
import Testing

@Suite struct LuaEncoderTests {
  let state: LuaState

  init() throws { state = try LuaState() }

  @Test("scalars become Lua's own values") func scalars() throws {
    let encoder = LuaEncoder()
    #expect(try encoder.encode(7, in: state) == .integer(7))
    #expect(try encoder.encode(UInt8(7), in: state) == .integer(7))
    #expect(try encoder.encode(Int128(-7), in: state) == .integer(-7))
    #expect(try encoder.encode(2.0, in: state) == .number(2))
    #expect(try encoder.encode(Float(0.5), in: state) == .number(0.5))
    #expect(try encoder.encode(true, in: state) == .boolean(true))
    #expect(try encoder.encode("é", in: state) == .string("é"))
    #expect(try encoder.encode(Color.green, in: state) == .string("green"))
    #expect(try encoder.encode(Int?.none, in: state) == .nil)
  }

  @Test(
    "structs become tables with string keys, arrays sequences from 1",
    arguments: [
      "#v.items == 2", "v.items[1].text == 'milk'", "v.items[2].id == 2",
      "v.items[1].note == nil and v.items[2].note == 'now'",
      "math.type(v.items[1].id) == 'integer'", "v.items[0] == nil",
      "next(v) == 'items' and next(v, 'items') == nil",
    ])
  func records(fact: String) throws {
    let list = List(items: [
      Item(id: 1, text: "milk", done: false), Item(id: 2, text: "tea", done: true, note: "now"),
    ])
    #expect(try state.encode(list, then: fact) == .boolean(true))
  }

  @Test("dictionaries keep their keys' types") func dictionaries() throws {
    #expect(try state.encode([10: "a", -1: "b"], then: "v[10] .. v[-1]") == .string("ab"))
    #expect(try state.encode([UInt8(3): "a"], then: "v[3]") == .string("a"))
    #expect(try state.encode(["10": 5], then: "v['10'] == 5 and v[10] == nil") == .boolean(true))
  }

  @Test("nil is absent in a dictionary, and null in an array") func nils() throws {
    #expect(try state.encode(["a": Int?.none], then: "next(v)") == .nil)
    try state.setGlobal("null", to: LuaNull.null)
    let expression = "#v == 3 and v[1] == null and v[2] == 5 and v[3] == null"
    #expect(try state.encode([nil, 5, nil] as [Int?], then: expression) == .boolean(true))
    #expect(try state.evaluate("return tostring(null)") == .string("null"))
  }

  @Test("enums with associated values become a table with the case's name") func enums() throws {
    #expect(try state.encode(Shape.circle(radius: 2), then: "v.circle.radius") == .number(2))
    #expect(try state.encode(Shape.point, then: "type(v.point)") == .string("table"))
  }

  @Test("nested containers may be held and filled in any order") func nesting() throws {
    let expression = "v.record.value .. v.list[1].value .. v.list[2][1] .. tostring(v.list[3])"
    let value = try state.encode(Nesting(first: 1, second: 2, third: "3"), then: expression)
    #expect(value == .string("123null"))
  }

  @Test("a superclass is the field super") func superclass() throws {
    let dog = Dog(name: "Rex", tricks: ["sit"])
    #expect(try state.encode(dog, then: "v.super.name .. v.tricks[1]") == .string("Rexsit"))
  }

  @Test("an integer that Lua can't hold is refused by its path")
  func numberOutOfRange() throws {
    let error = try #require(throws: LuaError.self) {
      try LuaEncoder().encode(["a": [1, UInt64.max]], in: state)
    }
    #expect(error.is(.numberOutOfRange))
    #expect(error.message == "a[2]: 18446744073709551615 doesn't fit Lua's 64-bit integers")
    #expect(error.underlying is EncodingError)
  }

  @Test("values nested too deeply are refused") func tooDeep() throws {
    var branch = Branch(name: "x", branches: [])
    for _ in 0..<300 { branch = Branch(name: "x", branches: [branch]) }
    let error = try #require(throws: LuaError.self) { try LuaEncoder().encode(branch, in: state) }
    #expect(error.is(.codingFailed))
    #expect(error.message.hasSuffix("nested more than 128 deep"))
    #expect(error.message.hasPrefix("branches[1].branches[1]"))
  }

  @Test("an error of encode(to:) is the underlying one") func ownError() throws {
    struct Failure: Error {}
    struct Failing: Encodable {
      func encode(to encoder: any Encoder) throws { throw Failure() }
    }
    let error = try #require(throws: LuaError.self) {
      try LuaEncoder().encode([Failing()], in: state)
    }
    #expect(error.is(.codingFailed))
    #expect(error.underlying is Failure)
  }

  @Test("a container that outlives its encode(to:) still fills its own table")
  func escapedContainer() throws {
    final class Keeper: Encodable {
      var container: (any UnkeyedEncodingContainer)?

      func encode(to encoder: any Encoder) throws {
        if container == nil { container = encoder.unkeyedContainer() }
        try container?.encode(1)
      }
    }
    let keeper = Keeper()
    let expression = "#v[1] == 1 and #v[1][1] == 2 and tostring(v[2][1]) == 'null'"
    #expect(try state.encode([[keeper], [keeper]], then: expression) == .boolean(true))
    state.close()
    let error = #expect(throws: EncodingError.self) { try keeper.container?.encode(2) }
    #expect(error != nil)
  }

  @Test("a second single value is refused") func twoValues() throws {
    struct Twice: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encode(2)
      }
    }
    let error = try #require(throws: LuaError.self) { try LuaEncoder().encode(Twice(), in: state) }
    #expect(error.message == "a value was already encoded here")
  }

  @Test("a failed element that was caught leaves the rest intact") func caughtFailure() throws {
    struct Lenient: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(1)
        #expect(throws: EncodingError.self) { try container.encode([UInt64.max]) }
        try container.encode(2)
      }
    }
    #expect(try state.encode([Lenient()], then: "v[1][1] + 10 * v[1][2]") == .integer(21))
  }

  @Test("the path reaches encode(to:)") func path() throws {
    struct Reporting: Encodable {
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let path = container.codingPath.map { $0.stringValue }.joined(separator: "/")
        try container.encode(path)
      }
    }
    #expect(try state.encode(["a": [Reporting()]], then: "v.a[1]") == .string("a/Index 0"))
  }
}
