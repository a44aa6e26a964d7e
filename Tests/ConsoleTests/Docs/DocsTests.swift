import Foundation
import Lua
import SampleApp
import Scripting
import StateStore
import Testing

@testable import Console
@testable import PrimereplTerminal

@MainActor
@Suite("The reference")
struct DocsTests {
  @Test("escapes what Markdown would take for markup")
  func escaping() throws {
    let text = try DocsCommand.text(in: .markdown, of: .odd)
    #expect(text.contains("A \\<b> \\*text\\* with \\`ticks\\`."))
    #expect(text.contains("\n### `` odd.ti`ck(end: integer): integer ``\n"))
  }

  @Test("has no format if it is the help on one name")
  func formats() throws {
    #expect(throws: (any Error).self) { try DocsCommand.parse(["counter", "--format", "luals"]) }
  }
}

extension Console {
  static let sample = Console(
    "sample", features: SampleApp.features, derived: [PrimeCard.field], modules: [.oracle],
    services: { _ in SampleServices() })

  /// An app whose members have odd names and texts.
  static let odd = Console("odd-app", features: [Odd.self])
}

private enum Odd: ScriptableFeature {
  struct State: Codable, Equatable, Sendable { var count = 0 }
  enum Action: Codable, Equatable, Sendable { case nothing }

  static let name = "odd"
  static let help = "A <b> *text* with `ticks`."
  static var initial: State { State() }
  static var fields: [Field<Odd>] { [.value("count", \.count)] }
  static func reduce(_ state: inout State, _ action: Action) throws {}

  static func describe(_ module: FeatureModule<Odd>) {
    for name in ["end", "two words", "ti`ck", "\"]] os.exit() --[["] {
      module.function(name, "end", help: "First line.\nerror('second line')", example: "x\r\ny") {
        (number: Int) in number
      }
    }
    module.function("point", help: "A point, if there is one.", example: "odd.point()") {
      () -> Point? in nil
    }
    module.property("a\nb", help: "A\nfield.", example: "odd") { 1 }
    module.property("private", help: "| symbols first", example: "odd.private") { 1 }
    module.property("public", help: "@deprecated", example: "odd.public") { Choice.left }
    module.function("read", "2x", "a b", "a-b", help: "@async\n | x\nno annotation", example: "") {
      (first: Int, second: Int, third: Choice) in first
    }
  }
}

/// Names that look like the grammar of types.
private enum Choice: String, CaseIterable, LuaCodable {
  case left = "left or right"
  case quotes = #"say "no""#
  case quoted = #"'quoted'"#
  case backslash = #"a\b"#
  case symbols = "a|b?{c=d}"
}

/// A value that scripts hold as an object.
private struct Point: LuaExposedValue {
  var x = 0

  static let luaTypeName = "point"

  static func describe(_ members: LuaClass<LuaBox<Point>>) {
    members.property("x", \.value.x, help: "The abscissa.", example: "point.x = 1")
  }
}
