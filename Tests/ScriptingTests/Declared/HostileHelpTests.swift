import Lua
import PrimereplPlatform
import Testing

@testable import Scripting

/// The descriptions of an app in Lua are text of its author: they neither command a terminal nor are taken for markup.
@MainActor
@Suite("Hostile descriptions")
struct HostileHelpTests {
  /// Characters that command a terminal, hide text or change its direction, as literals of Lua.
  private static let characters = [
    #"\27[31m"#, #"\27]0;title\7"#, #"\u{9b}31m"#, #"\r"#, #"\b"#, #"\127"#, #"\u{202e}"#,
    #"\u{2066}"#, #"\u{200f}"#, #"\u{61c}"#, #"\u{200b}"#, #"\u{2060}"#, #"\u{feff}"#,
    #"\u{ad}"#, #"\u{e0041}"#, #"\u{2028}"#, #"\u{2029}"#, #"\u{fff9}"#, #"\u{115f}"#,
    #"\u{3164}"#, #"\u{fdd0}"#,
  ]

  /// An app with a text wherever a description can be.
  private static func app(_ text: String) throws -> DeclaredFixture {
    try DeclaredFixture(
      """
      local text = "\(text)"
      feature "shop" {
        help = text,
        state = { count = 0, kind = enum { "a", text } },
        actions = { go = action { help = text, example = text, function(s) s.count = 1 end } },
        functions = { look = function(text) end },
      }
      """)
  }

  private static func texts(_ app: DeclaredFixture) async throws -> [String] {
    var texts: [String] = []
    for subject in ["shop", "'shop'", "'go'", "shop.go", "shop.look", "'look'"] {
      texts.append(
        try await app.run(
          "local kept, all = print, '' print = function(s) all = all .. s end help(\(subject)) print = kept return all"
        ))
    }
    return texts + [markdown(app), definitions(app)]
  }

  private static func markdown(_ app: DeclaredFixture) -> String {
    ReferencePage(program: "shop", app.scripted.help.reference).text
  }

  private static func definitions(_ app: DeclaredFixture) -> String {
    LanguageServerDefinitions(program: "shop", app.scripted.help.reference).text
  }

  @Test("have no character that isn't printable, in help and in documents")
  func printable() async throws {
    for text in try await Self.texts(Self.app(Self.characters.joined(separator: "a"))) {
      #expect(
        text.unicodeScalars.allSatisfy { $0.isPrintable || $0 == "\n" || $0 == "\t" },
        "\(text.printable)")
    }
  }

  @Test(
    "add nothing to the structure of a page of Markdown",
    arguments: [
      "# heading", "a\\n\\n# heading", "a\\n```\\n# heading\\n```", "> quote", "- item", "1. item",
      "1) item",
      "---", "===", "a\\n===", "~~~", "[x]: http://example.com", "[x](http://example.com)",
      "![x](http://example.com)", "<script>alert(1)</script>", "| a | b |", "a\\n| - |\\n| b |",
      "`code",
      "``` ````",
    ])
  func markdown(text: String) throws {
    /// The lines that aren't in blocks of code.
    func lines(_ page: String) -> [Substring] {
      var fence: Substring?
      return page.split(separator: "\n").filter { line in
        if let open = fence {
          if line == open { fence = nil }
          return false
        }
        let backticks = line.prefix { $0 == "`" }
        fence = backticks.count >= 3 ? backticks : nil
        return fence == nil
      }
    }
    /// The beginnings of headings, quotations, items, rules, tables, links' targets and HTML.
    func blocks(_ lines: [Substring]) -> [Substring] {
      lines.compactMap { line in
        line.prefixMatch(of: /#+|>|[-+*] |\d+[.)]|=+$|-+$|~~~|\||\[[^\]]*\]:|</)?.output
      }
    }
    /// The number of links, which code has none of.
    func links(_ lines: [Substring]) -> Int {
      lines.reduce(0) { $0 + $1.replacing(/`[^`]*`/, with: "").matches(of: /\]\(/).count }
    }
    let plain = lines(Self.markdown(try Self.app("plain")))
    let hostile = lines(Self.markdown(try Self.app(text)))
    #expect(blocks(hostile) == blocks(plain))
    #expect(links(hostile) == links(plain))
  }

  @Test(
    "add no annotation to the definitions for the language server",
    arguments: [
      "a\\n@class evil", "@class evil", "  @class evil", "a\\r@class evil", "a\\r\\n---@class evil",
      "| 'evil'",
      "a\\n]]\\nevil()", "```\\n@class evil",
    ])
  func definitions(text: String) throws {
    let (plain, hostile) = (
      Self.definitions(try Self.app("plain")), Self.definitions(try Self.app(text))
    )
    func annotations(_ text: String) -> [Substring] {
      text.split(separator: "\n").compactMap { line in
        line.wholeMatch(of: /---\s*([@|]\w*).*/)?.1
      }
    }
    func code(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { !$0.hasPrefix("--") }
    }
    #expect(annotations(hostile) == annotations(plain))
    #expect(code(hostile) == code(plain))
  }
}
