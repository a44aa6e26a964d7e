import Testing

@testable import PrimereplTerminal

@MainActor
@Suite("Language: hints of calls")
struct HintTests {
  @Test(
    "show the signature, with the current argument marked",
    arguments: [
      ("counter.increment(|", "counter.increment(<[by: integer]>): integer"),
      ("string.format(|", "string.format(<formatstring>, ...): string"),
      ("string.format('%d', 1, |", "string.format(formatstring, <...>): string"),
      ("string.rep('x', |", "string.rep(s, <n>, [sep]): string"),
      ("string.rep('x', 3, ',', |", "string.rep(s, n, [sep]): string"),
      ("area(1, |", "area(w, <h>)"), ("print(area(1|", "area(<w>, h)"),
      ("print(area(1, 2), |", "print(<...>)"), ("area({1, 2, 3}, |", "area(w, <h>)"),
      ("area({1, 2, |", "area(<w>, h)"), ("area(function(a, b) return a, b end, |", "area(w, <h>)"),
      ("area('a, b|", "area(<w>, h)"), ("area((1 + |", "area(<w>, h)"),
      ("area(t[f(1, 2)], |", "area(w, <h>)"), ("('x'):rep(|", "string.rep(<n>, [sep]): string"),
      ("obj:scale(|", "obj:scale(<by>)"), ("obj.scale(|", "obj.scale(<self>, by)"),
      ("io.stdout:seek(|", "file:seek(<[whence]>, [offset]): integer"),
      ("local f = area\nf(|", "f(<w>, h)"), ("area(|1, 2)", "area(<w>, h)"),
      ("x = 1\ny = area(|", "area(<w>, h)"), (".time area(1, |", "area(w, <h>)"),
      ("store.subscribe(|", "store.subscribe(<path: string>, fn: function): subscription"),
    ])
  func signature(marked: String, expected: String) throws {
    let fixture = try AssistantFixture(
      after: "function area(w, h) end\nobj = {scale = function(self, by) end}")
    #expect(fixture.hint(marked) == expected)
  }

  @Test(
    "are only for calls that are being typed and known",
    arguments: [
      "print(1)|", "|", "(1 + |", "unknown(|", "function area(|", "local function area(|",
      "x = function(|",
      "print(function() |", "if (|", "t.x.y(|", "5(|", ")(|", ".help print(|", "-- print(|",
    ])
  func none(marked: String) throws {
    #expect(try AssistantFixture().hint(marked) == nil)
  }

  @Test("end with the line of help, or the place of a function's definition")
  func help() throws {
    let fixture = try AssistantFixture(after: "\n\nfunction area(w, h) end")
    #expect(fixture.assistant.hint(for: "area(", at: 5)?.text == "area(w, h)  stdin:3")
    #expect(
      fixture.assistant.hint(for: "math.abs(", at: 9)?.text
        == "math.abs(x): number  The absolute value.")
  }
}

@MainActor
@Suite("Language: the standard library")
struct LibraryTests {
  @Test("is described as a whole, and nothing that isn't there is")
  func complete() throws {
    let fixture = try AssistantFixture(
      after: """
        names = {}
        local skipped = {}
        for _, module in pairs(app) do skipped[module] = true end
        for _, module in ipairs{task, json, csv, clock, date, http} do skipped[module] = true end
        for name, value in pairs(_G) do
          if type(value) == "table" and not skipped[value] and value ~= _G and name ~= "app" and name ~= "names" then
            for key in pairs(value) do names[#names + 1] = name .. "." .. key end
          elseif type(value) == "function" or type(value) == "string" then
            names[#names + 1] = name
          end
        end
        for key in pairs(getmetatable(io.stdout).__index) do names[#names + 1] = "file:" .. key end
        """)
    let names = Set(try fixture.state.global("names", as: [String].self))
    #expect(names.subtracting(LuaLibrarySignatures.names) == [])
    // Lua can be built without what is deprecated.
    let required = LuaLibrarySignatures.names.filter {
      LuaLibrarySignatures[$0]?.help.hasPrefix("Deprecated") == false
    }
    #expect(Set(required).subtracting(names) == ["_G", "app", "arg"])
  }
}
