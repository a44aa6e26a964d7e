import Foundation
import Lua
import StateStore
import Testing
import TestSupport

@testable import Scripting

@MainActor
@Suite("Declarations of features")
struct DeclarationTests {
  @Test(
    "refuses a page with other names than those of its members",
    arguments: LuaCase.pairs(
      """
      page = 1 --> cart.page: it must be a table
      page = { ordr = {} } --> cart.page.ordr: there is no such part; did you mean 'order'?
      page = { order = { 'item' } } --> cart.page.order: there is no 'item'; did you mean 'items'?
      page = { hide = { 3 } } --> cart.page.hide: it has names as strings
      page = { hide = 'items' } --> cart.page.hide: it must be a list of names
      page = { main = 'items' } --> cart.page.main: there is no 'items'
      page = { columns = { item = {} } }
      --> cart.page.columns.item: there is no such part; did you mean 'items'?
      page = { columns = { items = { 'nam' } } }
      --> cart.page.columns.items: there is no 'nam'; did you mean 'name'?
      """))
  func page(part: String, problem: String) {
    let found = DeclaredFixture.problem(
      "feature 'cart' { state = { items = list { name = '' } }, actions = { add = function() end }, \(part) }"
    )
    #expect(found.contains(problem), "\(found)")
  }

  /// The problem of a feature "x" with some parts, which are on line 2, without "shop.lua:2: ".
  private func problem(_ parts: String) -> String {
    let text = DeclaredFixture.problem("feature \"x\" {\n\(parts)\n}")
    return text.hasPrefix("shop.lua:2: ") ? String(text.dropFirst(12)) : text
  }

  @Test(
    "say what is wrong in the state",
    arguments: LuaCase.pairs(
      #"""
      a = 1, b = { c = 1 }
      --> x.state.b: a table says nothing of its type; write list { ... } or record { ... }
      a = print
      --> x.state.a: a function is no type; write a default such as 0, or call the word, as in
      --> decimal(2) or reference "items"
      a = coroutine.create(print)
      --> x.state.a: a thread can't be saved; give it a default such as 0 or ""
      a = 0/0 --> x.state.a: a number is finite
      a = '\xff' --> x.state.a: its text isn't valid UTF-8
      A = 1 --> x.state.A: names have small letters, digits and underscores
      ['end'] = 1 --> x.state.end: end is a word of Lua
      ['a\nb'] = 1 --> x.state.a b: names have small letters, digits and underscores
      1 --> x.state: it has a value without a name: 1
      a = list {} --> x.state.a: a list has records with fields: list { name = "" }
      a = list 'x' --> x.state.a: it must be a table: list { ... }
      a = list { id = 1 } --> x.state.a.id: records get an id from their list
      a = list { b = list { c = 1 } }
      --> x.state.a.b: a list is a field of the state itself; give it a place there
      a = list { b = 1, newest_first = 'yes' } --> x.state.a.newest_first: it must be true or false
      a = list { b = 1, sorted_by = 5 }
      --> x.state.a.sorted_by: it must be the name of a field: sorted_by = "name"
      a = list { name = 1, sorted_by = 'nmae' }
      --> x.state.a.sorted_by: the records have no field 'nmae'; did you mean 'name'?
      a = list { b = 1, sorted_by = 'b', newest_first = true }
      --> x.state.a: it has either newest_first or sorted_by
      a = list { b = secret, sorted_by = 'b' }
      --> x.state.a.sorted_by: b has no order: sort by a number, a text or a boolean
      a = record {} --> x.state.a: a record has fields
      a = record { b = editable(1) }
      --> x.state.a.b: make the whole record editable: editable(record { ... })
      a = optional 'intger' --> x.state.a: "intger" is no type; did you mean 'integer'?
      a = optional 'table'
      --> x.state.a: "table" is a type of parameters; write record { ... } with its fields
      a = optional() --> x.state.a: its type is missing; give it a default such as 0 or ""
      a = optional(editable 'x') --> x.state.a: editable stands outside: editable(...)
      a = editable(list { b = 1 })
      --> x.state.a: a list is a field of the state itself; give it a place there
      a = enum {} --> x.state.a: an enum has texts: enum { "small", "large" }
      a = enum { 'b', 'b' } --> x.state.a: an enum has different texts
      a = set 'number' --> x.state.a: a set has integers or strings: set "integer" or set "string"
      """#))
  func state(fields: String, expected: String) {
    #expect(problem("state = { \(fields) }") == expected)
  }

  @Test(
    "say what is wrong in actions, requests and functions",
    arguments: LuaCase.pairs(
      """
      actions = { a = 5 } --> x.actions.a: write action { ... }
      actions = { a = print } --> x.actions.a: it must be a function written in Lua
      actions = { a = function(state, ...) end }
      --> x.actions.a: its parameters have names: write them in place of ...
      actions = { a = action {} }
      --> x.actions.a: it needs a function(state, ...) that changes the state
      actions = { a = action { 'b: intger', function() end } }
      --> x.actions.a.b: "intger" is no type; did you mean 'integer'?
      actions = { a = action { '[b: integer', function() end } }
      --> x.actions.a: "[b: integer" is no parameter; write "name: string" or "[name: string]"
      actions = { a = action { 'b', 'b', function() end } }
      --> x.actions.a: two parameters are called b
      actions = { a = action { '[b: integer]', 'c: string', function() end } }
      --> x.actions.a: c can't be left out, so it comes before [b]
      actions = { a = action { function() end, 'b' } }
      --> x.actions.a: parameters come before the function
      actions = { a = action { function() end, hlep = 'x' } }
      --> x.actions.a.hlep: there is no such part; did you mean 'help'?
      actions = { a = action { function() end, help = 5 } }
      --> x.actions.a.help: it must be a string
      requests = { a = function() end } --> x.requests.a: write request { ... }
      requests = { a = request {} }
      --> x.requests.a: it needs ask = function(x, ...), which gives the answer
      requests = { a = request { ask = 5 } } --> x.requests.a.ask: it must be a function
      requests = { a = request { ask = function() end, don = 1 } }
      --> x.requests.a.don: there is no such part; did you mean 'done'?
      requests = { a = request { ask = function() end, exclusive = 1 } }
      --> x.requests.a.exclusive: it must be true or false
      functions = { a = 5 } --> x.functions.a: it must be a function
      derived = { a = 5 } --> x.derived.a: it must be a function, or a query such as sum(...)
      version = 0 --> x.version: it must be a whole number from 1
      migrate = 2 --> x.migrate: it must be a function
      actoins = {} --> x.actoins: there is no such part; did you mean 'actions'?
      """))
  func calls(part: String, expected: String) {
    #expect(problem(part) == expected)
  }

  @Test(
    "give each member a name of its own",
    arguments: LuaCase.pairs(
      """
      state = { a = 1 }, actions = { a = function() end }
      --> x.actions.a: a field of the state has the name a, too; rename one
      state = { a = 1 }, derived = { a = function() end }
      --> x.derived.a: a field of the state has the name a, too; rename one
      actions = { a = function() end }, functions = { a = function() end }
      --> x.functions.a: an action has the name a, too; rename one
      state = { a_pending = 1 }, requests = { a = request { ask = function() end } }
      --> x.requests.a: a field of the state has the name a_pending, too; rename one
      state = { a = editable(1) }, actions = { set_a = function() end }
      --> x.state.a: assigning it is an action set_a, and an action has that name; rename one
      state = { b = list { a = editable(1) }, b_a = editable(2) }
      --> x.state.b_a: assigning it is an action set_b_a, and the assignment of an editable field
      --> has that name; rename one
      """))
  func names(parts: String, expected: String) {
    #expect(problem(parts) == expected)
  }

  @Test(
    "in whole files",
    arguments: LuaCase.list(
      """
      -- have no name that scripts, scenarios or Lua have
      feature "store" { state = { a = 1 } }
      --> shop.lua:1: feature "store": store is a name that every app has; give the feature another
      --> name
      feature "string" { state = { a = 1 } } --> …: string is a name of Lua; give the feature…
      feature "expect" { state = { a = 1 } } --> …: expect is a word of scenarios; give the feature…
      -- use no variable that isn't there
      feature "x" {
      state = { at = intger } }
      --> shop.lua:2: there is no variable intger; did you mean "integer", in quotes?
      feature "x" { state = { at = boolean } }
      --> shop.lua:1: there is no variable boolean; write the type in quotes: "boolean"
      feature "x" { state = { items = lst { n = 1 } } } --> …no variable lst; did you mean 'list'?
      feature "x" { state = { at = optional(strng) } }
      --> …there is no variable strng; did you mean "string", in quotes?
      feature "x" { actions = { a = actn } } --> …there is no variable actn; did you mean 'action'?
      feature "x" { state = { n = lenght } }
      --> …there is no variable lenght; a type is written in quotes: "string"
      -- have the line of the mistake, however deep it is
      local price = print
      feature "x" {
        state = {
          name = "",
          items = list {
            name = "",
            price = price,
          },
        },
      }
      --> shop.lua:7: x.state.items.price: a function is no type; write a default such as 0, or call
      --> the word, as in decimal(2) or reference "items"
      feature "y" {
      }

      feature "x" --> shop.lua:4: x: its declaration is missing: feature "x" { ... }
      feature { } --> shop.lua:1: feature: it needs a name: feature "cart" { ... }
      feature "X" { } --> shop.lua:1: feature "X": names…
      feature "x" {} feature "x" {} --> …: x: two features have this name; rename one
      print('x') --> …shop.lua declares no feature; it needs feature "name" { state = { ... } }
      local x
      x.y = 1 --> shop.lua:2: attempt to index a nil value…
      require 'nope' --> shop.lua:1: module 'nope' not found…
      -- name the place of an error object, and of a yield, outside of functions
      feature 'x' { state = { n = 0 } }
      error { code = 'late', message = 'Too late.' } --> shop.lua:2: Too late.
      feature 'x' { state = { n = 0 } }
      coroutine.yield() --> shop.lua:2: attempt to yield from outside a coroutine
      -- have types of at most 64 levels, even if one contains itself
      local r = {} r.a = record(r) feature 'x' { state = r }
      --> shop.lua:1: x.state.…: types are nested more than 64 deep
      local r = record { a = 0 } r.content.a = r feature 'x' { state = { items = list { r = r } } }
      --> shop.lua:1: x.state.…: types are nested more than 64 deep
      local r = record { a = 0 } r.content.a = optional(r)
      feature 'x' { state = { v = editable(r) } }
      --> shop.lua:2: x.state.…: types are nested more than 64 deep
      local o = optional 'integer' o.content = o feature 'x' { state = { v = o } }
      --> shop.lua:1: x.state.…: types are nested more than 64 deep
      local t = 'integer' for _ = 1, 20000 do t = optional(t) end feature 'x' { state = { v = t } }
      --> shop.lua:1: x.state.…: types are nested more than 64 deep
      local t = 'integer' for _ = 1, 64 do t = optional(t) end
      feature 'x' { state = { v = t }, actions = { set = function(s, v) s.v = v end } }
      --> no problem
      -- have enums of at most 1,000 texts
      local t = {} for i = 1, 1001 do t[i] = 'a' .. i end feature 'x' { state = { v = enum(t) } }
      --> …: an enum has at most 1000 texts
      feature 'x' { actions = { set = action { 'a: "x"' .. ('|"y"'):rep(1000), print } } }
      --> …: an enum has at most 1000 texts
      -- have at most 10,000 fields and parts, even if few tables contain each other
      local t = 0 for _ = 1, 60 do t = record { a = t, b = t } end feature 'x' { state = { v = t } }
      --> shop.lua:1: x: its state has more than 10000 fields and parts of records
      -- have no derived values that depend on each other, over two features as well
      feature "x" { derived = { a = function(s) return s.b end, b = function(s) return s.a end } }
      --> …derived values depend on each other: x.a → x.b → x.a
      feature "x" { derived = { a = function(s, app) return app.y.b end } }
      feature "y" { derived = { b = function(s, app) return app.x.a end } }
      --> …shop.lua:2: derived values depend on each other: x.a → y.b → x.a
      feature "x" { derived = { a = function(s) return s.b end, b = function(s, app) end } }
      --> …x.b reads other features: a derived value that reads it has the parameter app, too
      feature "x" { state = { n = 1 }, derived = { a = function(s, app) return app.x.m end } }
      --> …the app has no field 'x.m'
      """))
  func files(example: LuaCase) {
    let found = DeclaredFixture.problem(example.code)
    #expect(example.allows(found) && found.utf8.count < 1000, "\(found)")
  }

  @Test("know the variables that only scripts have, and may ask whether there is one")
  func knownVariables() async throws {
    let app = try DeclaredFixture(
      """
      local http, x, unpack = http, x, unpack or table.unpack
      local start = missing or 1
      if DEBUG then print "debug" end
      if not DEBUG and absent == nil and nil ~= absent then start = start + 1 end
      if type(jit) == "table" then start = 0 end
      local function later() return undefined end
      feature "x" {
        state = { n = start },
        actions = { set = function(state, n) state.n = later() or n end },
        functions = { has = function(x) return http ~= nil and x.n end },
      }
      """)
    #expect(try await app.run("x.set(5) return x.n, x.has()") == "5 5")
  }

  @Test("are refused once their file is loaded, wherever a function makes them")
  func late() async throws {
    let app = try DeclaredFixture(
      """
      local function make() feature "y" { state = { a = 1 } } end
      feature "x" {
        state = { n = 1 },
        actions = { act = function(state) make() end },
        requests = { ask = request { ask = function() make() end } },
        functions = { run = function() make() end, wait = function() task.spawn(make):await() end },
      }
      """)
    for code in ["x.act()", "x.ask()", "x.run()", "x.wait()"] {
      #expect(
        await app.failure(code).hasSuffix(
          "shop.lua:1: features are declared when their file is loaded: move this out of the function"
        ),
        "\(code)")
    }
  }

  @Test(
    "have short messages, however long their names are",
    arguments: [
      "feature(X) {}", "feature 'x' { state = { [X] = 1 } }", "feature 'x' { [X] = 1 }",
      "feature 'x' { state = { v = optional(X) } }",
      "feature 'x' { state = { v = list { n = 1, sorted_by = X } } }",
      "feature 'x' { actions = { a = action { 'n: ' .. X, function() end } } }",
      "fail(X, 'x')", "require(X)",
    ])
  func longNames(code: String) {
    let problem = DeclaredFixture.problem("local X = ('x'):rep(100000)\n" + code)
    #expect(problem.contains("xxx") && problem.utf8.count < 3000, "\(problem.prefix(300))")
  }

  @Test(
    "give the codes that are written as the whole first argument of fail",
    arguments: [
      (
        #"fail("a", "m") fail('b', "m") fail([[c]], "m") fail([==[d]==], "m")"#,
        ["a", "b", "c", "d"]
      ),
      (#"fail("no_" .. s.n, "m") fail(s.n and "a" or "b", "m") fail(code, "m")"#, []),
      (#"fail "a" fail({}) fail() fail("a")"#, []),
      (#"fail("Bad code", "m") fail("\x61", "m")"#, ["a"]),
      (#"fail(--[[first]] "a" --[[then]] , "m") -- fail("b", "m")\#n"#, ["a"]),
      (#"s.fail("a", "m") s:fail("b", "m") print('fail("c", "m")')"#, []),
      (#"fail("a", "m") fail("a", "n")"#, ["a"]), (#"local fail = fail fail("a", "m")"#, ["a"]),
      (#"local t = { fail = 1, x = 2 } fail("a", "m")"#, ["a"]),
    ])
  func errorCodes(code: String, expected: [String]) throws {
    let app = try DeclaredFixture(
      "feature 'x' { state = { n = 1 }, actions = { a = function(s) \(code) end } }")
    #expect(app.scripted.errorCodes["x"] == expected)
  }

  @Test(
    "load modules of the app's folder, and none through a link that leads out of it",
    arguments: [
      ("real", true), ("inner", true), ("folder.real", true), ("alias.real", true),
      ("leak", false), ("up.outside", false), ("package", false),
    ])
  func modulesOfFolder(name: String, isLoaded: Bool) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    // What Lua says of a text that it can't parse has a part of the text.
    for outside in ["outside.lua", "secret.env"] {
      _ = try folder.write("TOKEN=Zx9Secret x", to: outside)
    }
    for inside in ["app/folder", "app/package"] { try folder.makeFolder(inside) }
    for module in ["app/real.lua", "app/folder/real.lua"] {
      _ = try folder.write("return 1", to: module)
    }
    let links = [
      ("real.lua", "app/inner.lua"), ("folder", "app/alias"), ("../secret.env", "app/leak.lua"),
      ("..", "app/up"), ("../../outside.lua", "app/package/init.lua"),
    ]
    for (target, link) in links { #expect(symlink(target, folder.path(of: link)) == 0) }
    let path = try folder.write("require '\(name)' feature 'x' {}", to: "app/app.lua")
    do {
      _ = try DeclaredApp(files: [path])
      #expect(isLoaded)
    } catch let error as LuaError {
      #expect(!isLoaded)
      #expect(error.message.contains("module '\(name)' is not in the app's folder"))
      #expect(!error.message.contains("Zx9Secret"))
    }
  }

  @Test("have derived values that read each other up to 64 deep")
  func deepDerivedValues() async throws {
    func source(_ count: Int) -> String {
      let others = (2...count).map { "d\($0) = function(s) return s.d\($0 - 1) end," }
      return """
        feature "x" { derived = { d1 = function(s) return 7 end,
        \(others.joined(separator: "\n")) } }
        """
    }
    #expect(try await DeclaredFixture(source(64)).run("return x.d64") == "7")
    #expect(
      DeclaredFixture.problem(source(200)).hasSuffix(
        ": derived values read each other more than 64 deep: x.d65 → x.d64 → … → x.d1"))
  }

  @Test("have a time limit for all derived values of the initial state, beside that of each")
  func manySlowDerivedValues() throws {
    let values = (1...200).map {
      "d\($0) = function(s) for i = 1, 1e6 do end return \($0) end,"
    }
    let folder = try TemporaryFolder()
    let file = try folder.write(
      "feature \"x\" { derived = { \(values.joined()) } }", to: "shop.lua")
    let app = try DeclaredApp(
      files: [file], limits: DeclaredApp.Limits(time: .milliseconds(100)))
    let schema = try StoreSchema(features: [], declared: app.features, derived: [])
    let error = #expect(throws: DeclarationError.self) { try app.connect(to: schema) }
    // On a slow machine a single one may exceed the limit.
    #expect(error?.message.contains("stopped: ") == true)
  }

  @Test("can be large: 1,000 fields, and a file of 1 MB")
  func large() async throws {
    let fields = (1...1_000).map { "field\($0) = editable(\($0))," }.joined(separator: "\n")
    let wide = try DeclaredFixture("feature \"x\" { state = {\n\(fields)\n} }")
    #expect(try await wide.run("x.field7 = 8; return x.field7, x.field1000") == "8 1000")
    #expect(wide.app.features[0].fields.map(\.name).last == "field1000")
    let help = String(repeating: "x", count: 1_000)
    let actions = (1...1_000).map {
      "a\($0) = action { help = '\(help)', function(state) state.n = \($0) end },"
    }.joined(separator: "\n")
    let long = try DeclaredFixture(
      "feature \"x\" { state = { n = 0 }, actions = {\n\(actions)\n} }")
    #expect(try await long.run("x.a999(); return x.n") == "999")
  }

  @Test("keep the order of the file, whatever the names are elsewhere")
  func order() throws {
    let shop = try DeclaredFixture(
      """
      local c = 1
      feature "x" {
        state = { z = list { a = 1, c = 2, b = 3 }, a = record { y = 1, x = 2 }, c = 1, b = 2 },
        derived = { y = function() end, d = function() end },
      }
      """)
    let feature = shop.app.features[0]
    #expect(feature.fields.map(\.name) == ["z", "a", "c", "b"])
    #expect(feature.derived.map(\.name) == ["y", "d"])
    #expect(shop.store.snapshot["x"]?["a"].map { "\($0)" }?.contains("y") == true)
  }

  @Test("have globals of their own, and modules beside them, also in folders")
  func modules() async throws {
    let shop = try DeclaredFixture(
      """
      local prices = require "lib.prices"
      assert(prices == require "lib.prices")
      helper = prices.double
      feature "x" {
        state = { n = 0 },
        actions = {
          set = function(state, n) state.n = helper(n) end,
          late = function(state) require "other" end,
        },
        functions = { twice = function(x, n) return require("lib.prices").double(n) end },
      }
      """, modules: ["lib/prices.lua": "return { double = function(n) return 2 * n end }"])
    #expect(try await shop.run("x.set(4); return x.n, x.twice(5), helper") == "8 10 nil")
    #expect(
      await shop.failure("x.late()").hasSuffix(
        "module 'other' can't be loaded while an action runs: require it at the top of the file"))
  }

  @Test("have modules that don't require each other", arguments: ["a", "b"])
  func moduleCycle(first: String) throws {
    let modules = ["a.lua": "return require 'b'", "b.lua": "return require 'a'"]
    let error = #expect(throws: (any Error).self) {
      try DeclaredFixture("require '\(first)'", modules: modules)
    }
    let second = first == "a" ? "b" : "a"
    #expect(
      try "\(#require(error))".contains(
        "modules require each other: \(first) → \(second) → \(first)"))
  }

  @Test(
    "name the field by which people know a record",
    arguments: [
      ("n = 0, day = date, text = '', name = ''", "name"), ("n = 0, at = '', day = date", "at"),
      ("name = '', n = 0, label = 'n'", "n"), ("label = '', n = 0", "label"),
      ("label = field { 'name' }, n = 0", "label"), ("n = 0, day = date", nil),
      ("name = '', sorted_by = 'n', n = 0, label = 'n'", "n"),
    ])
  func labels(_ fields: String, _ label: String?) throws {
    let app = try DeclaredFixture("feature 'x' { state = { items = list { \(fields) } } }")
    #expect(app.store.schema.fields.first?.type.element?.record?.label == label)
  }

  @Test("can't have the name of anything that every app has")
  func reservedNames() throws {
    let app = try DeclaredFixture(DeclaredFixture.cart)
    let tools = app.scripted.modules.map(\.name).filter { $0 != "cart" }
    for name in tools + Reference.globals.words.map(\.name) {
      #expect(ReservedNames.owner(of: name) == "a name that every app has", "\(name)")
    }
  }
}
