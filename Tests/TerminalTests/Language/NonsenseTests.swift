import Lua
import Testing
import TestSupport

@testable import PrimereplTerminal

@MainActor
@Suite("Language: nonsense")
struct NonsenseTests {
  private static let pieces = [
    "local ", "function ", "end ", "if ", "then ", "else ", "elseif ", "for ", "in ", "do ",
    "repeat ", "until ", "return ", "goto ", "x", "counter", "persons", "string", "_ENV", "(", ")",
    "[", "]", "{", "}", ".", ":", ",", ";", "=", "==", "<", ">", "<const>", "...", "..", "::", "#",
    "'", "\"", "\\", "[[", "]]", "[=[", "--", "--[[", "\n", " ", "\t", "1", ".5", "0x", "é",
    "e\u{301}", "\u{1B}", "\u{0}", "\u{10FEFF}", ".help ", ".watch ", ".load ", "store.subscribe(",
    "\\z", "\\x", "~/", "/",
  ]

  @Test(
    "crashes nothing, and every answer lies within the text", arguments: 0..<4)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let fixture = try AssistantFixture(after: "x = {counter = {x = 1}, ['a b'] = {}}")
    for _ in 0..<400 {
      let count = Int.random(in: 0..<20, using: &generator)
      let text = (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }
        .joined()
      let length = text.utf8.count
      let cursor = Int.random(in: -1...length + 1, using: &generator)
      let assistant = fixture.assistant
      let completions = assistant.completions(of: text, at: cursor)
      #expect(
        completions.range.upperBound == min(max(0, cursor), length), "\(text.debugDescription)")
      _ = assistant.hint(for: text, at: cursor)
      #expect(assistant.styles(of: text).allSatisfy { $0.range.upperBound <= length })
      if let pair = assistant.matchingBrackets(in: text, at: cursor) {
        #expect(pair.open.upperBound <= pair.close.lowerBound && pair.close.upperBound <= length)
      }
      #expect(assistant.indentation(after: text) >= 0)
      #expect(assistant.reindentation(ofLastLineIn: text) ?? 0 >= 0)
      if case .fault(let offset, let message) = assistant.verdict(on: text) {
        #expect((0...length).contains(offset), "\(text.debugDescription)")
        #expect(!message.isEmpty)
      }
      let kept = SessionLocals.keeping(text, isTaken: { $0 == "counter" })
      #expect(kept.source.split(separator: "\n").count == text.split(separator: "\n").count)
    }
  }

  @Test(
    "of any depth ends at once",
    arguments: ["(", "{", "x.", "x(", "x[", "function() ", "'a' .. ", "do ", "x{", "x:y()."])
  func deep(piece: String) throws {
    let text = String(repeating: piece, count: 20_000)
    let assistant = try AssistantFixture().assistant
    _ = assistant.completions(of: text, at: text.utf8.count)
    _ = assistant.hint(for: text, at: text.utf8.count)
    _ = assistant.verdict(on: text)
    _ = assistant.indentation(after: text)
    #expect(assistant.styles(of: text).count <= text.utf8.count)
  }

  @Test(
    "that compiles still compiles when its locals are kept, and runs to the same end")
  func keptLocals() throws {
    var generator = SeededGenerator(seed: 7)
    let statements = [
      "local a = 1 ", "local b, c = a, 2 ", "local function f(a) return a end ",
      "do local a = 3 end ", "local d = function() return a end ", "r = f and f(4) ",
      "if a then local c = 5 end ", "local a ", "local e <const> = 6 ",
      "for i = 1, 2 do local a = i end ", "r = d and d() ", "g = function() return c end ",
    ]
    for _ in 0..<300 {
      let source =
        (0..<6).map { _ in statements.randomElement(using: &generator) ?? "" }.joined()
        + "return a, b, c, e, r, g and g()"
      let kept = SessionLocals.keeping(source, isTaken: { _ in false })
      let (original, rewritten) = (try LuaState(), try LuaState())
      #expect(
        try original.load(source, name: .text("a")).call()
          == rewritten.load(kept.source, name: .text("a")).call(), "\(source)")
    }
  }
}
