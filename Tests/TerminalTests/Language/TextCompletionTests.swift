import Testing
import TestSupport

@testable import PrimereplTerminal

@MainActor
@Suite("Language: completion in strings and commands")
struct TextCompletionTests {
  @Test(
    "offers paths of the state where a function takes one",
    arguments: [
      ("store.subscribe(\"counter.c|", ["counter.count"]),
      ("store.subscribe('favo|", ["favorites"]),
      ("store.subscribe 'todo.qu|", ["todo.query"]),
      ("app.store.subscribe('todo.it|", ["todo.items"]),
      ("store.subscribe('persons[1].na|", ["persons[1].name"]),
      ("store.subscribe('persons.na|", []),
      ("store.subscribe('persons[|", []), ("store.subscribe('persons[x].na|", []),
      ("store.subscribe(x, 'coun|", []), ("store.undo('coun|", []), ("x = 'coun|", []),
      ("store.subscribe('a' .. 'coun|", []), ("store.subscribe({'coun|", []),
    ])
  func statePaths(marked: String, expected: [String]) throws {
    #expect(try AssistantFixture().candidates(marked) == expected)
  }

  @Test(
    "offers files where a function takes one",
    arguments: [
      "store.import(\"", "dofile '", "os.rename('x', '", ".load ", "app.todo.fetch('",
    ])
  func files(call: String) throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("", to: "landmarks of mine.json")
    _ = try folder.write("", to: ".hidden")
    let fixture = try AssistantFixture()
    #expect(fixture.candidates("\(call)\(folder.path)/|") == ["landmarks of mine.json"])
    #expect(fixture.candidates("\(call)\(folder.path)/.h|") == [".hidden"])
    #expect(fixture.candidates("\(call)\(folder.path)/none|") == [])
    #expect(fixture.candidates("\(call)/no such folder/|") == [])
    #expect(
      fixture.completed("\(call)\(folder.path)/land|")
        == "\(call)\(folder.path)/landmarks of mine.json")
  }

  @Test("marks folders, and escapes what would end a string or command the terminal")
  func fileNames() throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("", to: "it's.lua")
    _ = try folder.write("", to: "red\u{1B}[31m.lua")
    _ = try folder.write("", to: "new\nline.lua")
    try folder.makeFolder("sub")
    let fixture = try AssistantFixture()
    #expect(fixture.candidates("dofile('\(folder.path)/s|") == ["sub/"])
    #expect(fixture.candidates("dofile('\(folder.path)/it|") == ["it\\'s.lua"])
    #expect(fixture.candidates("dofile(\"\(folder.path)/it|") == ["it's.lua"])
    #expect(fixture.candidates("dofile('\(folder.path)/it\\'|") == ["it\\'s.lua"])
    #expect(fixture.candidates("dofile('\(folder.path)/red|") == ["red\\x1b[31m.lua"])
    #expect(fixture.candidates("dofile('\(folder.path)/new|") == ["new\\nline.lua"])
    #expect(fixture.candidates(".load \(folder.path)/it|") == ["it's.lua"])
    #expect(fixture.candidates(".load \(folder.path)/red|") == [])
    #expect(fixture.candidates(".load #3..#9 \(folder.path)/it|") == ["it's.lua"])
    #expect(fixture.candidates(".load #nosuchfile|") == [])
  }

  @Test("finds names by any part of them, in upper or lower case, those that begin with it first")
  func anyPart() throws {
    let fixture = try AssistantFixture(after: "total = 1; subtotal = 2; t = {Red = 1, bred = 2}")
    #expect(fixture.candidates("tot|") == ["total"])
    #expect(fixture.candidates("subt|") == ["subtotal"])
    #expect(fixture.candidates("btot|") == ["subtotal"])
    #expect(fixture.candidates("COUNT|") == ["counter"])
    #expect(fixture.candidates("counter.CREM|") == ["increment"])
    #expect(fixture.candidates("t.red|") == ["Red"])
    #expect(fixture.candidates("t['re|") == ["Red']"])
    #expect(fixture.candidates("store.subscribe('COUNTER.CO|") == ["counter.count"])
    #expect(fixture.candidates(".atc|") == [".watch"])
  }

  @Test("says what each name is")
  func kinds() throws {
    let fixture = try AssistantFixture(after: "total = 1")
    #expect(fixture.completions("tota|").candidates.map(\.kind) == ["integer"])
    #expect(fixture.completions("coun|").candidates.map(\.kind) == ["module"])
    #expect(fixture.completions("counter.incr|").candidates.map(\.kind) == ["function"])
    #expect(fixture.completions("counter.coun|").candidates.map(\.kind) == ["integer"])
    #expect(fixture.completions("local abc = 1; ab|").candidates.map(\.kind) == ["local"])
    #expect(fixture.completions("retur|").candidates.map(\.kind) == ["keyword"])
  }

  @Test("offers names of modules and members in help's text")
  func helpNames() throws {
    let fixture = try AssistantFixture()
    #expect(fixture.completed("help('coun|") == "help('counter")
    #expect(fixture.completed("help('counter.incr|') ") == "help('counter.increment') ")
  }

  @Test("offers commands after a dot at the start, and what they take")
  func dotCommands() throws {
    let fixture = try AssistantFixture()
    #expect(fixture.candidates(".|") == [".help", ".load", ".quit", ".time", ".watch"])
    #expect(fixture.completed(".he|") == ".help")
    #expect(fixture.detail(".he|") == ".help  Describes a name.")
    #expect(fixture.completed(".help coun|") == ".help counter")
    #expect(fixture.completed(".help counter.incr|") == ".help counter.increment")
    #expect(fixture.completed(".watch counter.count #favo|") == ".watch counter.count #favorites")
    #expect(fixture.completed(".time counter.incr|") == ".time counter.increment")
    #expect(fixture.completed(".time f(persons[1].na|") == ".time f(persons[1].name")
    #expect(fixture.candidates(".quit coun|") == [])
    #expect(fixture.candidates(".unknown coun|") == [])
    #expect(fixture.candidates("x = 1 .|") == [])
    #expect(fixture.candidates(".5|") == [])
  }
}
