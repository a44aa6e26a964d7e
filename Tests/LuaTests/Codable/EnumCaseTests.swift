import Lua
import Testing

@Suite struct EnumCaseTests {
  private enum Side: String, LuaCodable, CaseIterable { case left, right }
  private enum Signal: String, Codable, CaseIterable { case red, green, blue }
  private enum Level: Int, Codable, CaseIterable {
    case low = 1
    case high = 10
  }
  private enum Letter: String, Codable, CaseIterable {
    case alpha, bravo, charlie, delta, echo, foxtrot, golf, hotel, india
  }
  private struct Lamp: Codable { var signals: [Signal] }

  /// An enum with an error of its own, though its cases could be listed.
  private enum Picky: String, Decodable, CaseIterable {
    case one, two

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard try container.decode(String.self) != "two" else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "never two")
      }
      self = .one
    }
  }

  let state: LuaState

  init() throws { state = try LuaState() }

  @Test(
    "a value that is none of an enum's lists the cases, and suggests one",
    arguments: [
      (
        "'rde'", "wrong_type: 'red', 'green' or 'blue' expected, got 'rde'; did you mean 'red'?"
      ),
      ("'purple'", "wrong_type: 'red', 'green' or 'blue' expected, got 'purple'"),
      ("7", "wrong_type: 'red', 'green' or 'blue' expected, got 7"),
      ("{}", "wrong_type: 'red', 'green' or 'blue' expected, got table"),
      ("nil", "wrong_type: 'red', 'green' or 'blue' expected, got nil"),
    ])
  func cases(expression: String, expected: String) throws {
    #expect(try state.failure(Signal.self, expression) == expected)
  }

  @Test("in a record the path comes first") func path() throws {
    #expect(
      try state.failure(Lamp.self, "{signals = {'red', 'geen'}}")
        == "wrong_type: signals[2]: 'red', 'green' or 'blue' expected, got 'geen'; "
        + "did you mean 'green'?")
  }

  @Test("an argument lists them too") func argument() throws {
    let module = LuaModule("geometry", help: "Points.")
    module.function("turn", "side") { (side: Side) in side }
    try state.setGlobal("geometry", to: module)
    #expect(try state.evaluate("return geometry.turn('left')") == .string("left"))
    let error = try #require(throws: LuaError.self) { try state.evaluate("geometry.turn('up')") }
    #expect(
      error.message
        == "bad argument #1 to 'geometry.turn' (side: 'left' or 'right' expected, got 'up')")
  }

  @Test("integers are cases") func integers() throws {
    #expect(try state.decode(Level.self, "10") == .high)
    #expect(try state.failure(Level.self, "2") == "wrong_type: 1 or 10 expected, got 2")
  }

  @Test("of many cases the first are listed") func many() throws {
    #expect(
      try state.failure(Letter.self, "'hotle'")
        == "wrong_type: 'alpha', 'bravo', 'charlie', 'delta', 'echo', 'foxtrot' or one of 3 others "
        + "expected, got 'hotle'; did you mean 'hotel'?")
  }

  @Test("an error of a type's own init(from:) stays as it is") func ownError() throws {
    #expect(try state.failure(Picky.self, "'two'") == "coding_failed: never two")
  }
}
