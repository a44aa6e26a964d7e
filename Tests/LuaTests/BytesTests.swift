import Foundation
import Lua
import Testing

@MainActor
@Suite("Bytes")
struct BytesTests {
  private struct Message: Codable, Equatable {
    var array: [UInt8]
    var data: Data
    var parts: [[UInt8]]
    var files: [String: Data]
  }

  let fixture: Fixture
  private let bytes: [UInt8] = [0, 0xFF, 10, 0x80]

  init() throws {
    fixture = try Fixture()
    fixture.host.function("array", "bytes") { (bytes: [UInt8]) in bytes }
    fixture.host.function("slice", "bytes") { (bytes: ArraySlice<UInt8>) in bytes.dropFirst() }
    fixture.host.function("data", "bytes") { (bytes: Data) in bytes }
    fixture.host.function("many", "list") { (list: [[UInt8]]) in list }
    try fixture.install()
  }

  private func roundTrip<Value: LuaReadable & LuaPushable>(_ value: Value) throws -> Value {
    try fixture.state.setGlobal("value", to: value)
    return try fixture.state.global("value")
  }

  @Test("a string of any bytes is an argument and a result")
  func arguments() throws {
    let source = #"local s = '\0\xFF\n\x80' return host.array(s) == s, host.data(s) == s"#
    #expect(try fixture.call(source) == [true, true])
    #expect(try fixture.call(#"return host.slice('\xFFab'), host.array('')"#) == ["ab", ""])
  }

  @Test("they go to Lua as a string and come back")
  func bothWays() throws {
    #expect(try roundTrip(bytes) == bytes)
    #expect(try fixture.call(#"return value == '\0\xFF\n\x80'"#) == [true])
    #expect(try roundTrip(bytes[1...]) == bytes[1...])
    #expect(try fixture.call(#"return value == '\xFF\n\x80'"#) == [true])
    #expect(try roundTrip(Data(bytes)) == Data(bytes))
    #expect(try roundTrip(Data(bytes)[2...]) == Data(bytes[2...]))
    #expect(try roundTrip([UInt8]()) == [])
  }

  @Test("in generic code an array of bytes is a string, too")
  func generic() throws {
    func array<Element: LuaReadable & LuaPushable>(of element: Element) throws -> LuaValue {
      _ = try roundTrip([element])
      return try fixture.state.global("value")
    }
    #expect(try array(of: UInt8(7)) == .string(LuaString(bytes: [7])))
    #expect(try array(of: Int8(7)).as([Int].self) == [7])
  }

  @Test("they are strings in arrays, dictionaries, optionals and tables")
  func containers() throws {
    #expect(try fixture.call("return table.concat(host.many({'ab', '', 'c'}), '-')") == ["ab--c"])
    #expect(try roundTrip(["a": Data(bytes)]) == ["a": Data(bytes)])
    #expect(try roundTrip([bytes, []] as [[UInt8]?]) == [bytes, []])
    #expect(try roundTrip([UInt8]?.none) == nil)
    let table = try fixture.state.globals()
    try table.set("text", to: bytes)
    #expect(try table.get("text", as: Data.self) == Data(bytes))
    #expect(try table.get("text", as: LuaString.self).bytes == bytes)
  }

  @Test(
    "a table of numbers isn't bytes", arguments: ["array", "slice", "data"])
  func table(function: String) throws {
    let error = try fixture.failure("host.\(function)({1, 2})")
    #expect(
      error.message == "bad argument #1 to 'host.\(function)' (bytes: string expected, got table)")
  }

  @Test("signatures say string")
  func signatures() {
    #expect(
      fixture.host.documentation.map(\.signature) == [
        "array(bytes: string): string", "slice(bytes: string): string",
        "data(bytes: string): string", "many(list: string[]): string[]",
      ])
  }

  @Test("coded values have the same strings")
  func coded() throws {
    let message = Message(
      array: bytes, data: Data(bytes), parts: [[], bytes],
      files: ["a": Data([1])])
    let encoded = try LuaEncoder().encode(message, in: fixture.state)
    #expect(try LuaDecoder().decode(Message.self, from: encoded, in: fixture.state) == message)
    try fixture.state.setGlobal("value", to: encoded)
    #expect(
      try fixture.call("return #value.array, #value.data, #value.parts[2], value.files.a")
        == [4, 4, 4, "\u{1}"])
  }
}
