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
      ("store.subscribe('favo|", ["favorites"]), ("store.subscribe 'todo.qu|", ["todo.query"]),
      ("app.store.subscribe('todo.it|", ["todo.items"]),
      ("store.subscribe('persons[1].na|", ["persons[1].name"]),
      ("store.subscribe('persons.na|", []), ("store.subscribe('persons[|", []),
      ("store.subscribe('persons[x].na|", []), ("store.subscribe(x, 'coun|", []),
      ("store.undo('coun|", []), ("x = 'coun|", []), ("store.subscribe('a' .. 'coun|", []),
      ("store.subscribe({'coun|", []),
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

  @Test(
    "finds names by any part of them, in upper or lower case, those that begin with it first",
    arguments: [
      ("tot|", "total"), ("subt|", "subtotal"), ("btot|", "subtotal"), ("COUNT|", "counter"),
      ("counter.CREM|", "increment"), ("t.red|", "Red"), ("t['re|", "Red']"),
      ("store.subscribe('COUNTER.CO|", "counter.count"), (".atc|", ".watch"),
    ])
  func anyPart(marked: String, name: String) throws {
    let fixture = try AssistantFixture(after: "total = 1; subtotal = 2; t = {Red = 1, bred = 2}")
    #expect(fixture.candidates(marked) == [name])
  }

  @Test(
    "says what each name is",
    arguments: [
      ("tota|", "integer"), ("coun|", "module"), ("counter.incr|", "function"),
      ("counter.coun|", "integer"), ("local abc = 1; ab|", "local"), ("retur|", "keyword"),
    ])
  func kinds(marked: String, kind: String) throws {
    let fixture = try AssistantFixture(after: "total = 1")
    #expect(fixture.completions(marked).candidates.map(\.kind) == [kind])
  }

  @Test(
    "completes commands after a dot at the start, what they take, and names in help's text",
    arguments: [
      (".he|", ".help"), (".help coun|", ".help counter"),
      (".help counter.incr|", ".help counter.increment"),
      (".watch counter.count #favo|", ".watch counter.count #favorites"),
      (".time counter.incr|", ".time counter.increment"),
      (".time f(persons[1].na|", ".time f(persons[1].name"), ("help('coun|", "help('counter"),
      ("help('counter.incr|') ", "help('counter.increment') "),
    ])
  func commands(marked: String, completed: String) throws {
    #expect(try AssistantFixture().completed(marked) == completed)
  }

  @Test(
    "offers nothing after commands that take nothing, or aren't known, nor after other dots",
    arguments: [".quit coun|", ".unknown coun|", "x = 1 .|", ".5|"])
  func noCommands(marked: String) throws {
    #expect(try AssistantFixture().candidates(marked) == [])
  }

  @Test("lists and describes commands")
  func listedCommands() throws {
    let fixture = try AssistantFixture()
    #expect(fixture.candidates(".|") == [".help", ".load", ".quit", ".time", ".watch"])
    #expect(fixture.detail(".he|") == ".help  Describes a name.")
  }
}
