import Lua
import PrimereplLineEditing
import Testing

@testable import PrimereplTerminal

@MainActor
@Suite("Errors: misspelled names")
struct CorrectionTests {
  private let session: ErrorSession

  init() throws { session = try ErrorSession() }

  @Test(
    "are corrected to the nearest",
    arguments: [
      ("prnt('x')", "print", "print('x')"),
      ("conter.count", "counter", "counter.count"),
      ("1 + conter.count", "counter", "1 + counter.count"),
      ("counter.cuont", "count", "counter.count"),
      ("app.counter.cuont + 1", "count", "app.counter.count + 1"),
      ("counter.incremnt(5)", "increment", "counter.increment(5)"),
      ("string.formt('%d', 1)", "format", "string.format('%d', 1)"),
      ("math.flor(1.5)", "floor", "math.floor(1.5)"),
      ("('x'):uper()", "upper", "('x'):upper()"),
      ("persons.add({name='Ann', age=3}).nmae", "name", "persons.add({name='Ann', age=3}).name"),
      ("Print('x')", "print", "print('x')"),
      ("local s = 'prnt' .. prnt -- prnt", "print", "local s = 'prnt' .. print -- prnt"),
      (
        "local t = {prnt = 1} return t.prnt + prnt.x", "print",
        "local t = {prnt = 1} return t.prnt + print.x"
      ),
      ("_G.prnt()", "print", "_G.print()"),
      ("local s = 'x' return s:uper()", "upper", "local s = 'x' return s:upper()"),
      ("1 + totl", "total", "1 + total"),
      ("limits.maximm + 1", "maximum", "limits.maximum + 1"),
      ("account:depsit()", "deposit", "account:deposit()"),
      ("local x\nlocal y\nprnt(x)\n-- prnt", "print", "local x\nlocal y\nprint(x)\n-- prnt"),
    ])
  func corrected(input: String, name: String, correction: String) async throws {
    try await session.run(
      """
      total, limits = 1, { maximum = 5 }
      account = setmetatable({}, { __index = { deposit = print } })
      """)
    let report = try await session.report(on: input)
    #expect(report.text.contains("did you mean '\(name)'?"))
    #expect(report.correction == correction)
    #expect(report.lines.count == (input.contains("\n") ? 3 : 1))
  }

  @Test("say where features are declared, whatever else has a similar name")
  func feature() async throws {
    try await session.run("features = {}")
    #expect(
      try await session.text(of: "feature \"cart\" {}")
        == "features are declared in a file for --app")
    #expect(try await session.report(on: "feature()").correction == nil)
    #expect(try await session.text(of: "local feature\nfeature()").contains("local 'feature'"))
  }

  @Test(
    "without a near name stay as they are",
    arguments: [
      "xyzzyx()", "local a = nil; a()", "({}).x()", "x.y.z = 1", "return (nil)()", "string.zzzz()",
    ])
  func unknown(input: String) async throws {
    let report = try await session.report(on: input)
    #expect(!report.text.contains("did you mean"))
    #expect(report.correction == nil)
  }

  @Test(
    "of elements that aren't there are those of the code",
    arguments: [
      ("todo.items[9].done = true", "todo.items[9]"), ("persons[7].name", "persons[7]"),
      ("local i = 3 return app.persons[i + 1].name", "app.persons[i + 1]"),
    ])
  func elements(input: String, element: String) async throws {
    #expect(
      try await session.text(of: input) == "attempt to index a nil value (\(element))")
  }

  @Test("list the members if none is near")
  func members() async throws {
    #expect(try await session.text(of: "counter.zzzzz").contains("It has: alert, "))
  }

  @Test("in a function of an earlier input are named, and the input isn't changed")
  func elsewhere() async throws {
    try await session.run("function f() prnt(1) end")
    let report = try await session.report(on: "f(prnt)")
    #expect(report.text.contains("did you mean 'print'?"))
    #expect(report.correction == nil)
  }

  @Test("are found without running metamethods")
  func metamethods() async throws {
    try await session.run(
      """
      trap = setmetatable({ value = 1 }, {
        __index = function(t, key) if key ~= "valu" then error("ran") end end,
        __pairs = function() error("ran") end,
      })
      loop = { value = 1 }; setmetatable(loop, { __index = function() return nil end })
      endless = {}; setmetatable(endless, { __index = endless })
      """)
    #expect(try await session.report(on: "trap.valu()").correction == "trap.value()")
    #expect(try await session.report(on: "loop.valu()").correction == "loop.value()")
  }

  @Test("that aren't ASCII or UTF-8 do no harm")
  func bytes() async throws {
    #expect(try await session.report(on: "_G['\\255']()").correction == nil)
    #expect(try await session.report(on: "_G['prnt\\n']()").correction == nil)
  }
}

@MainActor
@Suite("Errors: syntax of other languages")
struct ForeignSyntaxTests {
  private let session: ErrorSession

  init() throws { session = try ErrorSession() }

  private func message(_ input: String) -> String? {
    guard case .fault(_, let message) = PromptInput(input).verdict(in: session.state) else {
      return nil
    }
    return message
  }

  @Test(
    "is answered with that of Lua",
    arguments: [
      ("total += 1", "Lua has no +=: write x = x + y"),
      ("total -= 1", "Lua has no -=: write x = x - y"),
      ("total++", "Lua has no ++: write x = x + 1"),
      ("if total != 3 then end", "Lua writes ~= for !="),
      ("1 != 2", "Lua writes ~= for !="),
      ("print(a && b)", "Lua writes and for &&"),
      ("x = a || b", "Lua writes or for ||"),
      ("print(!a)", "Lua writes not for !"),
      ("let total = 1", "Lua writes local for let"),
      ("const total = 1", "Lua writes local for const"),
      ("if total = 3 then end", "= assigns; == compares"),
      ("while counter.count = 3 do end", "= assigns; == compares"),
      ("5 = total", "only a variable or a field can be assigned to, as in x = 5"),
      ("local a = 1\na += 1", "Lua has no +=: write x = x + y"),
    ])
  func advice(input: String, advice: String) {
    #expect(message(input) == advice)
  }

  @Test(
    "in strings and comments, and on other lines, isn't",
    arguments: [
      ("x = = '!='", "unexpected symbol near '='"),
      ("x = = 1 -- a && b", "unexpected symbol near '='"),
      ("s = 'a || b'\nx = = 1", "unexpected symbol near '='"),
    ])
  func others(input: String, message: String) {
    #expect(self.message(input) == message)
  }
}
