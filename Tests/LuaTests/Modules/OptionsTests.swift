import Testing

@testable import Lua

@MainActor
@Suite("Options of functions")
struct OptionsTests {
  private enum Order: String, CaseIterable, LuaCodable {
    case ascending, descending
  }

  private struct Range: LuaOptions {
    var first = 1
    var last: Int?

    static let options: [LuaOption<Range>] = [.option("first", \.first), .option("last", \.last)]
  }

  private struct Search: LuaOptions {
    var text = ""
    var order = Order.ascending
    var range = Range()

    static let options: [LuaOption<Search>] = [
      .required("text", \.text, help: "The text to find."),
      .option("order", \.order), .option("range", \.range),
    ]
  }

  private let fixture: Fixture

  init() throws {
    fixture = try Fixture()
    fixture.host.function("search", "options") { (search: Search) in
      (search.text, search.order.rawValue, search.range.first, search.range.last)
    }
    fixture.host.function("range", "range") { (range: Range?) in (range ?? Range()).first }
    try fixture.install()
  }

  @Test("have their defaults unless they are given")
  func defaults() throws {
    #expect(
      try fixture.call("return host.search{text = 'a'}")
        == [.string("a"), .string("ascending"), 1, .nil])
    #expect(
      try fixture.call("return host.search{text = 'a', order = 'descending', range = {last = 7}}")
        == [.string("a"), .string("descending"), 1, 7])
  }

  @Test("can be left out as a whole if they are optional")
  func noTable() throws {
    #expect(try fixture.call("return host.range(), host.range(nil), host.range({})") == [1, 1, 1])
  }

  @Test("are read as Lua code reads them")
  func metatable() throws {
    #expect(
      try fixture.call("return host.range(setmetatable({}, {__index = {first = 4}}))") == [4])
  }

  @Test(
    "that aren't known are refused with the nearest name",
    arguments: [
      (
        "{txet = 'a'}",
        "options has no field 'txet'; did you mean 'text'? It has: order, range, text"
      ),
      ("{text = 'a', size = 1}", "options has no field 'size'. It has: order, range, text"),
      ("{'a'}", "options has no field with the key 1. It has: order, range, text"),
      (
        "{text = 'a', range = {fisrt = 1}}",
        "options.range has no field 'fisrt'; did you mean 'first'? It has: first, last"
      ),
    ])
  func unknown(options: String, message: String) throws {
    let error = try fixture.failure("host.search(\(options))")
    #expect(error.code == .unknownField)
    #expect(error.message == message)
  }

  @Test(
    "that are missing or have another type are named",
    arguments: [
      ("{}", "text: missing"), ("{text = 1}", "text: string expected, got number"),
      (
        "{text = 'a', order = 'ascedning'}",
        "order: 'ascending' or 'descending' expected, got 'ascedning'; did you mean 'ascending'?"
      ),
      ("{text = 'a', range = {last = 'x'}}", "range: last: integer expected, got string"),
      (
        "'a'",
        "{text=string, [order=\"ascending\"|\"descending\"], [range={[first=integer], [last=integer]}]} "
          + "expected, got string"
      ),
      (
        "setmetatable({}, {__index = function() error('no') end})",
        "text: a value expected, got the error test:1: no"
      ),
    ])
  func problems(options: String, problem: String) throws {
    let error = try fixture.failure("host.search(\(options))")
    #expect(error.code == .badArgument)
    #expect(error.message == "bad argument #1 to 'host.search' (options: \(problem))")
    #expect(try fixture.stackCount == 0)
  }

  @Test("don't accept a module, which is empty to code that reads tables raw")
  func module() throws {
    let error = try fixture.failure("host:range()")
    #expect(error.message.contains("expected, got table); call it with a dot"))
  }

  @Test("are documented with their types, help and defaults")
  func documentation() throws {
    let search = try #require(
      fixture.host.documentation.first { $0.name == "search" }?.parameters[0])
    #expect(search.options.map(\.name) == ["text", "order", "range"])
    #expect(search.options.map(\.isOptional) == [false, true, true])
    #expect(search.options[0].help == "The text to find.")
    #expect(search.options[2].options.map(\.type) == ["integer?", "integer?"])
    let range = try #require(fixture.host.documentation.first { $0.name == "range" })
    #expect(range.signature.hasPrefix("range([range: {[first=integer], [last=integer]}])"))
  }
}
