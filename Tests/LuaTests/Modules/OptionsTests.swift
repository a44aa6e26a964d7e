import Testing
import TestSupport

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

  @Test(
    "in scripts",
    arguments: LuaCase.list(
      """
      -- have their defaults unless they are given
      return host.search{text = 'a'} --> a ascending 1 nil
      return host.search{text = 'a', order = 'descending', range = {last = 7}} --> a descending 1 7
      -- can be left out as a whole if they are optional
      return host.range(), host.range(nil), host.range({}) --> 1 1 1
      -- are read as Lua code reads them
      return host.range(setmetatable({}, {__index = {first = 4}})) --> 4
      -- that aren't known are refused with the nearest name
      host.search({txet = 'a'})
      --> unknown_field: options has no field 'txet'; did you mean 'text'? It has: order, range,
      --> text
      host.search({text = 'a', size = 1})
      --> unknown_field: options has no field 'size'. It has: order, range, text
      host.search({'a'})
      --> unknown_field: options has no field with the key 1. It has: order, range, text
      host.search({text = 'a', range = {fisrt = 1}})
      --> unknown_field: options.range has no field 'fisrt'; did you mean 'first'? It has: first,
      --> last
      -- that are missing or have another type are named
      host.search({}) --> bad_argument: bad argument #1 to 'host.search' (options: text: missing)
      host.search({text = 1})
      --> bad_argument: bad argument #1 to 'host.search' (options: text: string expected, got
      --> number)
      host.search({text = 'a', order = 'ascedning'})
      --> bad_argument: bad argument #1 to 'host.search' (options: order: 'ascending' or
      --> 'descending' expected, got 'ascedning'; did you mean 'ascending'?)
      host.search({text = 'a', range = {last = 'x'}})
      --> bad_argument: bad argument #1 to 'host.search' (options: range: last: integer expected,
      --> got string)
      host.search('a')
      --> bad_argument: bad argument #1 to 'host.search' (options: {text=string,
      --> [order="ascending"|"descending"], [range={[first=integer], [last=integer]}]} expected, got
      --> string)
      host.search(setmetatable({}, {__index = function() error('no') end}))
      --> bad_argument: bad argument #1 to 'host.search' (options: text: a value expected, got the
      --> error test:1: no)
      -- don't accept a module, which is empty to code that reads tables raw
      host:range() --> …: …expected, got table); call it with a dot…
      """))
  func scripts(example: LuaCase) throws { try fixture.check(example) }

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
