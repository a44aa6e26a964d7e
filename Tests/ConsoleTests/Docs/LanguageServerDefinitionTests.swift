import Lua
import SampleApp
import Scripting
import Testing
import TestSupport

@testable import Console
@testable import PrimereplTerminal

@MainActor
@Suite("The definitions for the Lua language server")
struct LanguageServerDefinitionTests {
  private func definitions(of console: Console = .sample) throws -> String {
    try DocsCommand.text(in: .luals, of: console)
  }

  @Test("are Lua that can be loaded, whatever the names of an app's members")
  func areLua() throws {
    let state = try LuaState()
    for console in [Console.sample, .odd] {
      let text = try definitions(of: console)
      #expect(throws: Never.self) { try state.load(text, name: .text("definitions")).call() }
      #expect(text.hasPrefix("---@meta\n"))
    }
  }

  @Test("are annotations without a mistake, whatever the names of an app's members")
  func annotations() throws {
    #expect(try LuaAnnotations(definitions()).problems == [])
    #expect(try LuaAnnotations(definitions(of: .odd)).problems == [])
  }

  @Test(
    "describe functions, fields and objects",
    arguments: [
      """
      ---@class module.counter
      ---@field count integer The count; assignable.
      """,
      """
      ---@param by? integer
      ---@return integer
      function counter.increment(by) end
      """,
      """
      ---@async
      ---@param n integer
      ---@return integer
      function oracle.nth(n) end
      """,
      """
      ---@async
      ---@return any ...
      function object:await() end
      """,
      """
      ---@class todo.items
      ---@field [integer] todo.item
      """,
      "---@field loading boolean Whether fetch is pending.",
      "---@field items todo.items The items, newest first.",
      "---@field query string The text that filtered() searches for. Assignable.",
      #"---@field path ("basics"|"password"|"summary")[] The steps."#,
      "---@field last_query string? The last query.",
      "---@field age integer", "---@field counter module.counter", "---@field [integer] integer",
      "---@param ... any", "---@class null", "---@class error\n---@field code string",
    ])
  func definition(text: String) throws {
    #expect(try definitions().contains(text))
  }

  @Test(
    "have classes for the tables of records, options and the kit",
    arguments: [
      """
      ---@class counter.prime_card
      ---@field number integer
      ---@field text string
      ---@field is_favorite boolean
      """,
      "---@field modal counter.prime_card? The modal.",
      """
      ---@return counter.prime_card
      function counter.ask_is_prime() end
      """,
      """
      ---@class counter.ask_nth_prime.options
      ---@field source? "local"|"remote" The service that is asked.
      """,
      "---@param options? counter.ask_nth_prime.options\n",
      """
      ---@class persons.add.person
      ---@field name string
      ---@field age integer
      """,
      "---@param person persons.add.person\n",
      "---@return store.action[]\nfunction store.history(n) end",
    ])
  func tables(text: String) throws {
    #expect(try definitions().contains(text))
  }

  @Test(
    "have the parameters of functions that are passed",
    arguments: [
      "---@param fn async fun(new: any, old: any): ...\n---@return subscription",
      "---@param fn async fun(action: store.action): ...\n",
      "---@param fn async fun(): ...\n", "---@param fn async fun(...: any): ...\n",
    ])
  func callbacks(text: String) throws {
    #expect(try definitions().contains(text))
  }

  @Test(
    "have the vocabulary of scenarios",
    arguments: [
      "function scenario(name, options, fn) end", "function expect.equal(actual, expected) end",
      "function clock.advance(seconds) end", "function oracle.stub(answer) end",
      "function counter.stub(answer) end",
    ])
  func vocabulary(text: String) throws {
    #expect(try definitions().contains("\n\(text)\n"))
  }

  @Test("describe the objects of values that a function perhaps returns")
  func optionalObjects() throws {
    let text = try definitions(of: .odd)
    #expect(text.contains("---@return point?\nfunction odd.point() end"))
    #expect(text.contains("---@class point\n---@field x integer The abscissa. Assignable.\n"))
  }

  /// The names of an enum as the server reads them.
  private nonisolated static let choice =
    #""left or right"|"say \"no\""|"''quoted''"|"a\\b"|"a|b?{c=d}""#

  @Test(
    "have no name or text that the server reads otherwise",
    arguments: [
      #"---@field ["private"] integer # | symbols first"#,
      #"---@field ["public"] \#(choice) # @deprecated"#,
      #"""
      ---\@async
      ---\| x
      ---no annotation
      ---@param _2x_ integer
      ---@param a_b_ integer
      ---@param a_b__ \#(choice)
      ---@return integer
      function odd.read(_2x_, a_b_, a_b__) end
      """#,
    ])
  func otherReadings(text: String) throws {
    #expect(try definitions(of: .odd).contains(text))
  }

  @Test("keep texts of several lines inside comments")
  func lines() throws {
    let text = try definitions(of: .odd)
    #expect(text.contains("---First line.\n---error('second line')\n"))
    #expect(text.contains(#"odd["end"] = function(end_) end"#))
  }
}

@Suite("The check of annotations")
struct LuaAnnotationTests {
  @Test(
    "finds mistakes",
    arguments: [
      ("---@clas x", "1: @clas x: unknown annotation"),
      ("---@class x\n\n---@class x", "the class x is declared twice"),
      ("---@class a b", "1: @class a b: unexpected ' b'"),
      ("---@field x string", "1: @field x string: a field without a class"),
      ("---@class x\n---@field y", "2: @field y: expected ' ' before ''"),
      ("---@class x\n---@field y strin", "2: the type strin isn't declared"),
      ("---@type string[", "1: @type string[: unexpected '['"),
      ("---@type table<string", "1: @type table<string: expected '>' before ''"),
      ("---@type fun(x)", "1: @type fun(x): expected ': ' before ')'"),
      ("---@param x integer\nlocal y = 1", "2: annotations of a function above 'local y = 1'"),
      (
        "---@param x integer\n---@param y integer\nfunction f(y, x) end",
        "3: the parameters (y, x) are annotated as (x, y)"
      ),
      ("---@return integer\nfunction f(x) end", "2: the parameters (x) are annotated as ()"),
      ("\n---@meta", "2: @meta: it isn't the first line"),
    ])
  func mistakes(text: String, problem: String) {
    #expect(LuaAnnotations(text).problems == [problem])
  }

  @Test(
    "accepts types of all forms",
    arguments: [
      "integer?", "string|nil", #""a"|"b\"c""#, #"("a"|"b")[]|nil"#, "table<string, integer[]>",
      "{x: integer, y?: string}", "fun()", "async fun(x?: integer, ...: any): boolean, ...",
      "fun(): fun(): integer",
    ])
  func types(type: String) {
    #expect(LuaAnnotations("---@type \(type)").problems == [])
  }
}
