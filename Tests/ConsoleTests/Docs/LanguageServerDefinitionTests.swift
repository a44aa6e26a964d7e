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

  @Test("are Lua that can be loaded, with no mistake in annotations, whatever members are called")
  func odd() throws {
    let text = try definitions(of: .odd)
    let state = try LuaState()
    #expect(text.hasPrefix("---@meta\n"))
    #expect(throws: Never.self) { try state.load(text, name: .text("definitions")).call() }
    #expect(LuaAnnotations(text).problems == [])
  }

  /// Parts of the definitions for the sample app.
  private nonisolated static let parts = [
    // Functions, fields and objects.
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
    // The tables of records, options and the kit.
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
    // The parameters of functions that are passed.
    "---@param fn async fun(new: any, old: any): ...\n---@return subscription",
    "---@param fn async fun(action: store.action): ...\n",
    "---@param fn async fun(): ...\n", "---@param fn async fun(...: any): ...\n",
    // The vocabulary of scenarios.
    "\nfunction scenario(name, options, fn) end\n",
    "\nfunction expect.equal(actual, expected) end\n",
    "\nfunction clock.advance(seconds) end\n", "\nfunction oracle.stub(answer) end\n",
    "\nfunction counter.stub(answer) end\n",
  ]

  /// The names of an enum as the server reads them.
  private nonisolated static let choice =
    #""left or right"|"say \"no\""|"''quoted''"|"a\\b"|"a|b?{c=d}""#

  /// Parts of the definitions for an app with odd names and texts.
  private nonisolated static let oddParts = [
    // The object of a value that a function perhaps returns.
    "---@return point?\nfunction odd.point() end",
    "---@class point\n---@field x integer The abscissa. Assignable.\n",
    // No name or text that the server reads otherwise.
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
    // Texts of several lines stay inside comments.
    "---First line.\n---error('second line')\n", #"odd["end"] = function(end_) end"#,
  ]

  @Test("describe all members of an app, whatever their names and texts are")
  func contents() throws {
    for (console, parts) in [(Console.sample, Self.parts), (Console.odd, Self.oddParts)] {
      let text = try definitions(of: console)
      for part in parts { #expect(text.contains(part), "\(part)") }
    }
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
}
